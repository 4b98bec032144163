// The table of docs/performance.md: goldml with one and two threads, the machine's limit, Eigen Tensor and xtensor,
// measured in turn. Everything is verified against `reference` before it is timed.
//   goldml_benchmark_table                     all workloads, as text
//   goldml_benchmark_table argmin f16          those whose names contain argmin or f16
//     --json FILE    also as JSON lines, one per workload and contender; FILE is overwritten
//     --rounds N     the number of samples of each (9)
//     --quick        small sizes: a test, not a measurement
//     --list         only the names
//     --instruction-set   only the instruction set that `cpu` selects here
//     --lockstep     for a driver with its own contenders (peers.py): describes one workload in one line, then runs a
//                    round for each line of standard input and prints its times in one line
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "limits.hpp"
#include "measure.hpp"
#include "workloads.hpp"

namespace {

using namespace benchmarks;

struct options {
  std::vector<std::string> names;
  std::string json;
  int rounds = 9;
  scale how = scale::full;
  bool list = false;
  bool instruction_set = false;
  bool lockstep = false;

  bool wants(const workload& w) const {
    for (const std::string& name : names)
      if (w.name.find(name) != std::string::npos) return true;
    return names.empty();
  }
};

options parse(const std::vector<std::string>& arguments) {
  options o;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto value = [&] {
      if (i + 1 == arguments.size()) throw std::invalid_argument(argument + " wants a value");
      return arguments[++i];
    };
    if (argument == "--json")
      o.json = value();
    else if (argument == "--rounds")
      o.rounds = std::stoi(value());
    else if (argument == "--quick")
      o.how = scale::quick;
    else if (argument == "--list")
      o.list = true;
    else if (argument == "--instruction-set")
      o.instruction_set = true;
    else if (argument == "--lockstep")
      o.lockstep = true;
    else if (argument.starts_with("-"))
      throw std::invalid_argument("unknown option " + argument);
    else
      o.names.push_back(argument);
  }
  if (o.rounds < 1) throw std::invalid_argument("--rounds wants at least 1");
  return o;
}

// The workload's description, as members of a JSON object.
std::string members(const workload& w, const traffic& least) {
  const auto number = [](const std::optional<double>& bar) { return bar ? fmt::format("{}", *bar) : "null"; };
  const bool shared = least.bytes() >= std::uint64_t{64} << 20;
  return fmt::format(R"("workload":"{}","title":"{}","bytes_read":{},"bytes_written":{},)", w.name, w.title, least.read,
                     least.written) +
         fmt::format(R"("bar_of_peer":{},"bar_of_limit":{},"bar_seconds":{},"two_threads_judged":{})",
                     number(w.bar.of_peer), number(w.bar.of_limit), number(w.bar.seconds), shared);
}

// A workload with its data, verified contenders, and the limit.
class contest {
 public:
  contest(const workload& w, scale how) : workload_(w), prepared_(w.prepare()) {
    for (const contender& c : prepared_.contenders) {
      if (const std::string wrong = c.verify(); !wrong.empty())
        throw std::runtime_error(fmt::format("{}, {}: {}", w.name, c.name, wrong));
      series_.emplace_back(c.name, c.run);
    }
    // Data that fits into the caches is not limited by memory.
    if (how == scale::full && prepared_.least.bytes() < (std::uint64_t{1} << 20)) return;
    const streaming_loop limit = streaming_limit(prepared_.least);
    limit_name_ = limit.name;
    series_.emplace_back("limit", limit.run);
    series_.emplace_back("limit, 2 threads", streaming_by_two_threads(prepared_.least, limit.name));
  }

  const traffic& least() const { return prepared_.least; }
  std::vector<series>& contenders() { return series_; }
  const std::string& limit_name() const { return limit_name_; }

  // By the beginning of the name, which may be followed by a version.
  const series* find(std::string_view name) const {
    for (const series& s : series_)
      if (s.name().starts_with(name)) return &s;
    return nullptr;
  }
  void round() {
    for (series& s : series_) s.sample();
  }
  std::string description() const {
    return fmt::format(R"({},"limit":"{}")", members(workload_, prepared_.least), limit_name_);
  }

 private:
  const workload& workload_;
  prepared_workload prepared_;
  std::vector<series> series_;
  std::string limit_name_;
};

void lockstep(const workload& w, scale how) {
  contest c(w, how);
  fmt::print("{{{}}}\n", c.description());
  std::fflush(stdout);
  for (std::string line_of_input; std::getline(std::cin, line_of_input);) {
    std::string times;
    for (series& s : c.contenders()) times += fmt::format(R"({}"{}":{})", times.empty() ? "" : ",", s.name(), s.sample());
    fmt::print("{{{}}}\n", times);
    std::fflush(stdout);
  }
}

// The ratio of `a` to `b` as text, or "-" if one is missing.
std::string ratio(const series* a, const series* b) {
  return a != nullptr && b != nullptr ? fmt::format("{:.2f}", a->median() / b->median()) : "-";
}

void table(const std::vector<workload>& workloads, const options& o) {
  std::FILE* json = o.json.empty() ? nullptr : std::fopen(o.json.c_str(), "w");
  if (!o.json.empty() && json == nullptr) throw std::runtime_error("cannot write " + o.json);
  fmt::print("{:<52} {:>11} {:>7} {:>6} {:>9} {:>7} {:>8}\n", "median of interleaved runs, one thread", "ms", "GB/s",
             "limit", "2 threads", "/ Eigen", "/ xtensor");
  for (const workload& w : workloads) {
    contest c(w, o.how);
    for (int round = 0; round < o.rounds; ++round) c.round();
    const series* ours = c.find("goldml");
    fmt::print("{:<52} {:>11.5f} {:>7.1f} {:>6} {:>9} {:>7} {:>8}\n", w.title, ours->median() * 1e3,
               static_cast<double>(c.least().bytes()) / ours->median() / 1e9, ratio(c.find("limit"), ours),
               ratio(c.find("goldml, 2 threads"), ours), ratio(ours, c.find("Eigen")),
               ratio(ours, c.find("xtensor")));
    std::fflush(stdout);
    if (json == nullptr) continue;
    for (const series& s : c.contenders())
      fmt::print(json, R"({{{},"who":"{}","median":{},"best":{},"samples":{}}})""\n", c.description(), s.name(),
                 s.median(), s.best(), s.count());
  }
  if (json != nullptr && std::fclose(json) != 0) throw std::runtime_error("cannot write " + o.json);
}

}  // namespace

int main(int argc, char** argv) try {
  const options o = parse({argv + 1, argv + argc});
  if (o.instruction_set) {
    fmt::print("{}\n", name_of(goldml::default_instruction_set()));
    return 0;
  }
  std::vector<workload> chosen;
  for (workload& w : all_workloads(o.how))
    if (o.lockstep ? o.names == std::vector{w.name} : o.wants(w)) chosen.push_back(std::move(w));
  if (chosen.empty()) throw std::invalid_argument("no workload has such a name");
  if (o.list)
    for (const workload& w : chosen) fmt::print("{}\n", w.name);
  else if (o.lockstep)
    lockstep(chosen.front(), o.how);
  else
    table(chosen, o);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "goldml_benchmark_table: %s\n", e.what());
  return 1;
}
