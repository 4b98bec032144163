#include "commands.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <goldml/io/known_operators.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/model_place.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/io/safe_path.hpp>
#include <goldml/oracle/generate.hpp>

#include "backends.hpp"
#include "case_model.hpp"
#include "check.hpp"
#include "corpus.hpp"
#include "explain.hpp"
#include "read_model.hpp"

namespace goldml::tool {

void print_error(std::string_view text) { std::cerr << io::terminal_text(text) << '\n'; }

// Arguments are UTF-8.
std::filesystem::path path_of(const std::string& argument) { return io::path_of(argument); }

io::model_options model_options(const arguments& given) {
  io::model_options options;
  options.feature_level = *feature_level_from_name(given.feature_level);  // CLI11 has checked the name
  if (given.output_folder) options.output_folder = path_of(*given.output_folder);
  if (given.beside_model) options.own_folder_in = path_of(given.model).parent_path();
  options.overwrite = given.overwrite;
  options.allow_outside = given.allow_outside;
  options.max_memory = given.max_memory;
  options.policies = given.policies;
  options.warn = [](std::string_view text) { print_error("warning: " + std::string(text)); };
  return options;
}

void flush_output() {
  std::cout.flush();
  if (!std::cout) io::refuse("M9", "standard output", "closed or full", "open, with space for the results", "");
}

// The model of the file, or of the case's line.
io::model read_given(const arguments& given, const io::model_options& options) {
  if (!given.case_line.empty()) return read_case_model(given.case_line, options.max_memory, options.validate_only);
  if (given.model.empty()) io::refuse("M2", "MODEL", "missing", "a model's file, or --case LINE", "");
  return read_model(io::place_of(path_of(given.model)), options);
}

int run(const arguments& given) {
  io::model model = read_given(given, model_options(given));
  if (given.explain) {
    const auto broken = explain_model(model, std::cout);
    flush_output();
    if (broken) throw io::model_error(*broken);
    return 0;
  }
  play_model(given.backend, model, std::cout, given.max_work.value_or(default_max_work(given.backend.name)));
  flush_output();
  return 0;
}

int validate(const arguments& given) {
  io::model_options options = model_options(given);
  options.validate_only = true;
  constexpr std::uint64_t most_printed = 100;
  std::uint64_t printed = 0;
  std::uint64_t broken = 0;
  const auto print = [&](const std::string& line) {
    ++broken;
    if (printed == most_printed) return;
    ++printed;
    print_error(line);
  };
  if (given.portable)
    options.portable = [&](const violation& violation, const io::model_place& place) {
      print(io::to_string(place, violation));
    };
  io::model model = read_given(given, options);
  std::vector<std::pair<std::string, violation>> found;  // to be printed
  broken += io::validate_model(model, [&](std::string_view dispatchable, const violation& violation) {
    if (printed + found.size() < most_printed) found.emplace_back(dispatchable, violation);
  });
  const std::vector<io::model_place> places = io::model_places(model).of(found);  // in one pass through the text
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [dispatchable, violation] = found[i];
    print_error(places[i].line == 0 ? io::in_quotes(dispatchable) + ": " + to_string(violation)
                                    : to_string(places[i], violation));
  }
  printed += found.size();
  if (broken > printed)
    print_error(fmt::format("and {} more {}", broken - printed, broken - printed == 1 ? "violation" : "violations"));
  if (broken != 0) return refused;
  std::cout << "legal: " << io::terminal_text(given.case_line.empty() ? given.model : given.case_line) << '\n';
  flush_output();
  return 0;
}

int check(arguments given) {
  if (given.strict) {
    const oracle::compare_options strict = oracle::compare_options::strict();
    given.check.compare.nans = strict.nans;
    given.check.compare.fp32_flush = strict.fp32_flush;
    given.check.compare.listing_order = strict.listing_order;
  }
  if (given.keep_gaps) given.check.compare.gaps = oracle::gap_bytes::must_survive;
  if (given.either_zero) given.check.compare.zeros = oracle::zero_match::either_sign;
  using oracle::float_match;
  if (given.check.compare.ulp > 0) given.check.compare.floats = float_match::ulp;
  if (given.check.compare.absolute > 0 || given.check.compare.relative > 0)
    given.check.compare.floats = float_match::tolerance;
  std::error_code failed;  // reported when the folder or the model is read
  const bool corpus = !given.actual_folder.empty() || std::filesystem::is_directory(path_of(given.model), failed);
  if (corpus && given.actual_folder.empty())
    io::refuse("M2", "--actual-dir", "missing", "the folder with the outputs to judge", "");
  if (corpus && !given.actuals.empty())
    io::refuse("M2", "--actual", "with a folder", "a model", "--actual-dir judges a folder of models");
  if (corpus) given.output_folder = given.actual_folder;
  given.check.model = model_options(given);
  given.check.max_work = given.max_work.value_or(given.check.max_work);
  if (corpus && !given.case_line.empty())
    io::refuse("M2", "--case", "with --actual-dir", "--actual OPERAND=FILE for each output", "");
  const auto check_given = [&] {
    io::model model = read_given(given, given.check.model);
    const std::string line =
        given.case_line.empty() ? how_to_reproduce(io::place_of(path_of(given.model)), model) : given.case_line;
    return check_model(std::move(model), line, given.actuals, given.check, std::cout);
  };
  const oracle::tally judged =
      corpus ? check_corpus(path_of(given.model), given.check, std::cout, print_error) : check_given();
  flush_output();
  return judged.exit_status();
}

// "i/n" with i < n.
void read_shard(const std::string& text, corpus_options& options) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, options.shard);
  const bool slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  const auto second = std::from_chars(slash ? first.ptr + 1 : end, end, options.shards);
  if (!slash || second.ec != std::errc{} || second.ptr != end || options.shard >= options.shards)
    io::refuse("M2", "--shard", io::in_quotes(text), "i/n with i from 0 to n-1", "");
}

bool error_is_terminal() {
#ifdef _WIN32
  return _isatty(2) != 0;
#else
  return isatty(2) != 0;
#endif
}

int generate(arguments given) {
  given.corpus.folder = path_of(*given.output_folder);  // CLI11 requires it
  given.corpus.generate.feature_level = *feature_level_from_name(given.feature_level);
  read_shard(given.shard, given.corpus);
  read_selection(given.selection, given.corpus.generate);
  const bool bar = error_is_terminal();
  const operator_description* const description = find_operator(given.operator_name);
  if (description == nullptr)
    io::refuse("M5", "operator", io::in_quotes(given.operator_name), "an operator that 'goldml list' names",
               io::why_no_operator(given.operator_name));
  if (given.corpus.generate.feature_level < description->first_level())
    io::refuse("M4", "--feature-level", given.feature_level,
               fmt::format("at least {}", name_of(description->first_level())), "the operator does not exist below it");
  generate_corpus(oracle::any_operator_of(*description), given.corpus, [&](std::uint64_t done, std::uint64_t all) {
    if (!bar) return;
    constexpr std::uint64_t width = 40;
    const auto filled = static_cast<std::uint64_t>(static_cast<double>(done) / static_cast<double>(all) * width);
    std::cerr << "\r[" << std::string(filled, '=') << std::string(width - filled, ' ') << "] " << done << "/" << all
              << (done == all ? "\n" : "") << std::flush;
  });
  return 0;
}

int list() {
  std::cout << "operators (first feature level): backends\n";
  for (const operator_description* op : operator_descriptions())
    std::cout << fmt::format("  {} ({}): {}\n", op->name, name_of(op->first_level()), fmt::join(backends_with(*op), ", "));
  std::cout << "feature levels:\n ";
  for (const auto& level : feature_levels) std::cout << ' ' << level.name;
  std::cout << "\nbackends:\n";
  for (const std::string& line : backend_lines()) std::cout << "  " << io::terminal_text(line) << '\n';
  flush_output();
  return 0;
}

}  // namespace goldml::tool
