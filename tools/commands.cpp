#include "commands.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <ostream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <goldml/io/files.hpp>
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
#include "html_report.hpp"
#include "manifest.hpp"
#include "model_judge.hpp"
#include "operator_page.hpp"
#include "public_reports.hpp"
#include "read_model.hpp"
#include "terminal.hpp"
#include "tolerances.hpp"

namespace goldml::tool {

void print_error(std::string_view text) {
  const bool warning = text.starts_with("warning: ") || text.starts_with("note: ");
  std::cerr << coloured(io::terminal_text(text), warning ? colour::yellow : colour::red, stream::error) << '\n';
}

// Arguments are UTF-8.
std::filesystem::path path_of(const std::string& argument) { return io::path_of(argument); }

io::model_options model_options(const arguments& given) {
  io::model_options options;
  options.feature_level = *feature_level_from_name(given.feature_level);  // CLI11 has checked the name
  if (given.output_folder) options.output_folder = path_of(*given.output_folder);
  if (given.beside_model) options.own_folder_in = path_of(given.model).parent_path();
  options.overwrite = given.overwrite;
  options.dxdispatch_format = given.dxdispatch_format;
  options.allow_outside = given.allow_outside;
  options.max_memory = given.max_memory;
  options.policies = given.policies;
  constexpr std::uint64_t most_warnings = 100;
  options.warn = [printed = std::make_shared<std::uint64_t>(0)](std::string_view text) {
    if (*printed < most_warnings) print_error("warning: " + std::string(text));
    if (++*printed == most_warnings + 1) print_error("warning: more warnings are not printed");
  };
  return options;
}

void flush_output() {
  std::cout.flush();
  if (!std::cout) io::refuse("M9", "standard output", "closed or full", "open, with space for the results", "");
}

// The model of the file, or of the case's line.
auto work_at(const work_rates& rates) {
  return [&rates](const io::model& m) { return io::work_of(m, rates); };
}

io::model read_given(const arguments& given, const io::model_options& options,
                     const std::function<std::uint64_t(const io::model&)>& work) {
  if (!given.case_line.empty())
    return read_case_model(given.case_line, {.max_memory = options.max_memory,
                                             .without_memory = options.validate_only,
                                             .without_buffers = given.explain,
                                             .before_inputs = [&](const io::model& m, std::uint64_t of_inputs) {
                                               io::check_work(saturating_add(work(m), of_inputs), given.max_work);
                                             }});
  if (given.model.empty()) io::refuse("M2", "MODEL", "missing", "a model's file, or --case LINE", "");
  return read_model(io::place_of(path_of(given.model)), options);
}

int run(const arguments& given, json_result& result) {
  io::model model =
      read_given(given, model_options(given),
                 work_at(given.backend.name == "reference" ? work_rates_of_reference : work_rates_of_cpu));
  if (given.explain) {
    const auto broken = explain_model(model, std::cout);
    flush_output();
    if (broken) throw io::model_error(*broken);
    return 0;
  }
  std::ostream nowhere(nullptr);
  std::ostringstream held;  // 8-bit integers of DxDispatch's format may be control characters
  const bool holds = given.dxdispatch_format && is_terminal(stream::output);
  {
    progress_bar bar("run");
    const auto progress = [&](std::uint64_t done, std::uint64_t all, bool prints) {
      if (prints && !given.json)
        bar.clear();
      else
        bar.show(done, all);
    };
    std::ostream& out = given.json ? nowhere : holds ? held : std::cout;
    play_model(given.backend, model, out, given.max_work, {.progress = progress});
  }
  std::istringstream lines(held.str());
  for (std::string line; std::getline(lines, line);) std::cout << io::terminal_text(line) << '\n';
  std::vector<bool> printed(model.resources.size());
  std::vector<std::string> files;
  for (const io::model_command& command : model.commands)
    if (const auto* print = std::get_if<io::print_command>(&command))
      printed[print->resource] = true;
    else if (const auto* write = std::get_if<io::write_file_command>(&command))
      files.push_back(io::path_text(write->target.path()));
  json_writer& json = result.members();
  if (!given.json) {
    flush_output();
    return 0;
  }
  json.key("backend").text(given.backend.name);
  std::vector<const io::model_resource*> resources;
  for (std::size_t i = 0; i < model.resources.size(); ++i)
    if (printed[i]) resources.push_back(&model.resources[i]);
  json.key("resources").list(resources, [&](const io::model_resource* resource) {
    json.object([&] {
      json.key("name").text(resource->name);
      json.key("data_type").text(name_of(resource->type));
      json.key("values").elements(resource->bytes, resource->type);
    });
  });
  json.key("files").texts(files);
  return 0;
}

int validate(const arguments& given, json_result& result) {
  io::model_options options = model_options(given);
  options.validate_only = true;
  constexpr std::uint64_t most_printed = 100;
  std::uint64_t printed = 0;
  std::uint64_t broken = 0;
  const auto print = [&](const std::string& line, const violation& violation, const io::model_place& place) {
    print_error(line);
    result.add_error({line, violation, place});
  };
  if (given.portable)
    options.portable = [&](const violation& violation, const io::model_place& place) {
      ++broken;
      if (printed == most_printed) return;
      ++printed;
      print(io::to_string(place, violation), violation, place);
    };
  io::model model = read_given(given, options, work_at(work_rates_of_cpu));
  std::vector<std::pair<std::string, violation>> found;  // to be printed
  broken += io::validate_model(model, [&](std::string_view dispatchable, const violation& violation) {
    if (printed + found.size() < most_printed) found.emplace_back(dispatchable, violation);
  });
  const std::vector<io::model_place> places = io::model_places(model).of(found);  // in one pass through the text
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [dispatchable, violation] = found[i];
    print(places[i].line == 0 ? io::in_quotes(dispatchable) + ": " + to_string(violation)
                              : to_string(places[i], violation),
          violation, places[i]);
  }
  std::vector<std::string> notes;
  if (broken == 0)
    io::detail::for_each_dispatch(model, [&](const io::model_dispatchable& dispatchable, const auto& operands) {
      const std::string text = public_report(dispatchable.desc, operands);
      if (!text.empty() && notes.size() < most_printed)
        notes.push_back(fmt::format("note: {}: {}", io::in_quotes(dispatchable.name), text));
    });
  for (const std::string& note : notes) print_error(note);
  printed += found.size();
  if (broken > printed)
    print_error(fmt::format("and {} more {}", broken - printed, broken - printed == 1 ? "violation" : "violations"));
  if (given.json) {
    result.members().key("legal").flag(broken == 0);
    result.members().key("violations").count(broken);
    result.members().key("notes").texts(notes);
  }
  if (broken != 0) return refused;
  if (!given.json)
    std::cout << "legal: " << io::terminal_text(given.case_line.empty() ? given.model : given.case_line) << '\n';
  flush_output();
  return 0;
}

// "i/n" with i < n.
void read_shard(const std::string& text, std::uint64_t& shard, std::uint64_t& shards) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard);
  const bool slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  const auto second = std::from_chars(slash ? first.ptr + 1 : end, end, shards);
  if (!slash || second.ec != std::errc{} || second.ptr != end || shard >= shards)
    io::refuse("M2", "--shard", io::in_quotes(text), "i/n with i from 0 to n-1", "");
}

// What a device may do, and what is accepted besides.
void read_compare_options(arguments& given) {
  oracle::compare_options& compare = given.check.compare;
  if (given.strict) {
    const oracle::compare_options strict = oracle::compare_options::strict();
    compare.nans = strict.nans;
    compare.fp32_flush = strict.fp32_flush;
    compare.listing_order = strict.listing_order;
    compare.stable = strict.stable;
  }
  if (given.keep_gaps) compare.gaps = oracle::gap_bytes::must_survive;
  if (given.nearest_even) compare.narrow_toward_zero = false;
  if (given.rcp == "refuse") compare.reciprocals = oracle::reciprocal_errors::refuse;
  if (given.functions == "close") compare.functions = oracle::function_errors::close;
  if (given.either_zero) compare.zeros = oracle::zero_match::either_sign;
  using oracle::float_match;
  if (compare.ulp > 0) compare.floats = float_match::ulp;
  if (compare.absolute > 0 || compare.relative > 0) compare.floats = float_match::tolerance;
}

int check(arguments given, json_result& result) {
  read_compare_options(given);
  std::error_code failed;  // reported when the folder or the model is read
  const bool corpus = !given.actual_folder.empty() || std::filesystem::is_directory(path_of(given.model), failed);
  if (corpus && given.actual_folder.empty())
    io::refuse("M2", "--actual-dir", "missing", "the folder with the outputs to judge", "");
  if (corpus && !given.actuals.empty())
    io::refuse("M2", "--actual", "with a folder", "a model", "--actual-dir judges a folder of models");
  if (corpus && !std::filesystem::is_directory(path_of(given.actual_folder), failed))
    io::refuse("M9", "--actual-dir", io::path_in_quotes(path_of(given.actual_folder)), "a folder that exists",
               failed ? failed.message() : "not a folder");
  if (!given.again_folder.empty() && !std::filesystem::is_directory(path_of(given.again_folder), failed))
    io::refuse("M9", "--again", io::path_in_quotes(path_of(given.again_folder)), "a folder that exists",
               failed ? failed.message() : "not a folder");
  if (!given.again_folder.empty()) given.check.again = path_of(given.again_folder);
  if (corpus) given.output_folder = given.actual_folder;
  given.check.model = model_options(given);
  given.check.max_work = given.max_work;
  if (corpus && !given.case_line.empty())
    io::refuse("M2", "--case", "with --actual-dir", "--actual OPERAND=FILE for each output", "");
  read_shard(given.shard, given.check.shard, given.check.shards);
  if (!corpus && given.check.shards != 1)
    io::refuse("M2", "--shard", io::in_quotes(given.shard), "a folder of models", "a single model has no shards");
  if (!given.report_folder.empty()) given.check.most_maps = most_maps_in_page;
  given.check.most_reports = given.json                    ? (std::numeric_limits<std::size_t>::max)()
                             : given.report_folder.empty() ? 0
                                                           : most_models_in_page;
  const auto check_given = [&] {
    io::model model = read_given(given, given.check.model,
                                 [&](const io::model& m) { return work_of_judging(m, {}, given.check.sample); });
    const std::string line = given.case_line.empty() ? how_to_reproduce(io::place_of(path_of(given.model)), model,
                                                                        given.max_memory, given.max_work)
                                                     : given.case_line;
    return check_model(std::move(model), given.case_line.empty() ? given.model : line, line, given.actuals,
                       given.check);
  };
  progress_bar bar("check");
  given.check.progress = [&](std::uint64_t done, std::uint64_t all) { bar.show(done, all); };
  constexpr std::uint64_t most_reports = 10;
  std::uint64_t reports = 0;
  const auto print = [&](const checked_model& model) {
    if (model.refusal) {
      bar.clear();
      print_error(model.refusal->message);
    }
    const std::string missing = model.missing_text();
    if (given.json || (model.report.empty() && missing.empty()) || ++reports > most_reports) return;
    bar.clear();
    std::cout << model.name << ": " << missing << model.report << '\n';
  };
  const auto complain = [&](std::string_view line) {
    print_error(line);
    result.add_error({std::string(line)});
  };
  const check_results results =
      corpus ? check_corpus(path_of(given.model), given.check, print, complain) : check_given();
  bar.clear();
  if (!given.report_folder.empty()) write_page(results, given.command_line, path_of(given.report_folder));
  if (given.json)
    write_results(result.members(), results);
  else if (!corpus)
    std::cout << results.models.front().report;
  else if (!results.corpus_refused)
    print_table(results, std::cout);
  flush_output();
  return results.exit_status();
}

int merge(const arguments& given, json_result& result) {
  std::vector<check_results> parts;
  for (const std::string& part : given.parts) {
    io::input_file file(io::place_of(path_of(part)));
    const std::string name = io::path_in_quotes(path_of(part));
    if (!file.is_open()) io::refuse("M9", "file", name, "a file that can be read", file.problem());
    std::string text(static_cast<std::size_t>(file.size()), '\0');
    if (!file.read_all(std::as_writable_bytes(std::span(text))))
      io::refuse("M9", "file", name, "a file that can be read", file.problem());
    parts.push_back(read_results(text, io::path_text(path_of(part))));
    for (const std::string& complaint : parts.back().complaints) {
      const std::string line = io::path_text(path_of(part)) + ": " + complaint;
      print_error(line);
      result.add_error({line});
    }
  }
  const check_results all = merge_results(parts);
  if (given.json)
    write_results(result.members(), all);
  else
    print_table(all, std::cout);
  flush_output();
  return all.exit_status();
}

// The operators that are named. Throws error M5 for one that there is not, M2 for one that is named again.
std::vector<const operator_description*> operators_of(const arguments& given) {
  std::vector<const operator_description*> operators;
  for (const std::string& name : given.operator_names) {
    const operator_description* const op = find_operator(name);
    if (op == nullptr)
      io::refuse("M5", "operator", io::in_quotes(name), "an operator that 'goldml list' names",
                 io::why_no_operator(name));
    if (std::find(operators.begin(), operators.end(), op) != operators.end())
      io::refuse("M2", "operator", io::in_quotes(name) + " again", "each operator once", "");
    operators.push_back(op);
  }
  return operators;
}

// Reads what is to be generated of these operators. Throws error M4 below the first level of one, and what
// sample_case() throws, so that no case is generated before.
void read_generate_options(arguments& given, const std::vector<const operator_description*>& operators) {
  given.corpus.generate.feature_level = *feature_level_from_name(given.feature_level);
  read_selection(given.selection, given.corpus.generate);
  for (const operator_description* op : operators) {
    if (given.corpus.generate.feature_level < op->first_level())
      io::refuse("M4", "--feature-level", given.feature_level, fmt::format("at least {}", name_of(op->first_level())),
                 fmt::format("{} does not exist below it", op->name));
    oracle::sample_case(oracle::any_operator_of(*op), given.corpus.generate, given.corpus.shard);
  }
}

int generate(arguments given, json_result& result) {
  given.corpus.folder = path_of(*given.output_folder);  // CLI11 requires it
  read_shard(given.shard, given.corpus.shard, given.corpus.shards);
  const std::vector<const operator_description*> operators = operators_of(given);
  read_generate_options(given, operators);
  progress_bar bar("generate");
  struct written_corpus {
    std::string_view operator_name;
    std::string manifest;
    std::uint64_t cases;
  };
  std::vector<written_corpus> corpora;
  for (const operator_description* op : operators) {
    std::uint64_t cases = 0;
    std::string manifest =
        generate_corpus(oracle::any_operator_of(*op), given.corpus, [&](std::uint64_t done, std::uint64_t all) {
          ++cases;
          bar.show(corpora.size() * all + done, operators.size() * all);
        });
    corpora.push_back({op->name, std::move(manifest), cases});
    given.corpus.append = true;  // to those before
  }
  bar.clear();
  if (!given.json) return 0;
  json_writer& json = result.members();
  const auto write = [&](const written_corpus& corpus) {
    json.key("operator").text(corpus.operator_name);
    json.key("manifest").text(corpus.manifest);
    json.key("cases").count(corpus.cases);
  };
  if (corpora.size() == 1)
    write(corpora.front());
  else
    json.key("corpora").list(corpora, [&](const written_corpus& corpus) { json.object([&] { write(corpus); }); });
  json.key("seed").count(given.corpus.generate.seed);
  json.key("count").count(given.corpus.generate.count);
  json.key("sizes_class").text(enumerator_name(given.corpus.generate.sizes_class));
  json.key("shard").count(given.corpus.shard);
  json.key("shards").count(given.corpus.shards);
  json.key("folder").text(io::path_text(given.corpus.folder));
  return 0;
}

namespace {

// The case of a line that a user or a corpus gives. Throws error M5, M8, M10, M11, and that of the rule it breaks.
oracle::generated_case<any_desc> read_case(const std::string& line, const arguments& given) {
  const io::model m = read_case_model(
      line, {.max_memory = given.max_memory, .before_inputs = [&](const io::model& of, std::uint64_t of_inputs) {
               io::check_work(saturating_add(work_of_judging(of, {}, {}), of_inputs), given.max_work);
             }});
  const any_desc& desc = m.dispatchables.front().desc;
  const auto& tensors = m.dispatchables.front().tensors;
  if (!m.commands.empty())  // it is legal
    if (const std::uint64_t needed = oracle::memory_of_expect(desc, to_operands(tensors)); needed > m.memory_left)
      io::refuse("M8", "tolerance", fmt::format("{} bytes for the golden answer", needed),
                 fmt::format("at most {}", m.memory_left), "what --max-memory leaves");
  return oracle::make_case(oracle::any_operator_of(desc.description()),
                           oracle::parse_case<any_desc>(desc.description(), line));
}

}  // namespace

int tolerance(arguments given, json_result& result) {
  const int sources =
      int{!given.operator_names.empty()} + int{!given.case_line.empty()} + int{!given.corpus_folder.empty()};
  if (sources != 1)
    io::refuse("M2", "tolerance", sources == 0 ? "nothing" : "several of these",
               "OPERATOR, or --case LINE, or --corpus FOLDER", "");
  read_compare_options(given);
  tolerance_searches searches(given.check.compare);
  progress_bar bar("tolerance");
  const std::vector<const operator_description*> operators = operators_of(given);
  read_generate_options(given, operators);
  const std::uint64_t count = given.corpus.generate.count, all = count * operators.size();
  std::uint64_t done = 0;
  for (const operator_description* op : operators)
    for (std::uint64_t number = 0; number < count; ++number) {
      const oracle::any_operator& generated = oracle::any_operator_of(*op);
      searches.add(oracle::make_case(generated, oracle::sample_case(generated, given.corpus.generate, number)));
      bar.show(++done, all);
    }
  if (!given.case_line.empty()) searches.add(read_case(given.case_line, given));
  if (!given.corpus_folder.empty()) {
    const std::vector<std::string> lines =
        lines_of_corpus(path_of(given.corpus_folder), given.max_memory, given.allow_outside);
    for (const std::string& line : lines) {
      searches.add(read_case(line, given));
      bar.show(++done, lines.size());
    }
  }
  bar.clear();
  const std::vector<found_tolerance> found = searches.found();
  if (given.json)
    write_tolerances(result.members(), found);
  else
    print_tolerances(found, std::cout);
  flush_output();
  const bool any = std::any_of(found.begin(), found.end(), [](const found_tolerance& one) {
    const oracle::tolerance& t = one.tolerance;
    return t.rounded + t.exact + t.nans + t.open > 0;
  });
  return any ? 0 : 3;
}

int list(const arguments& given, json_result& result) {
  std::vector<const operator_description*> operators = operators_of(given);
  const bool chosen = !operators.empty();
  if (!chosen) operators.assign(operator_descriptions().begin(), operator_descriptions().end());
  if (given.json) {
    json_writer& json = result.members();
    json.key("operators").list(operators, [&](const operator_description* op) {
      json.object([&] {
        json.key("name").text(op->name);
        json.key("feature_level").text(name_of(op->first_level()));
        json.key("backends").texts(backends_with(*op));
        if (chosen) write_operator(json, *op);
      });
    });
    if (chosen) return 0;
    json.key("feature_levels").list(feature_levels, [&](const auto& level) { json.text(level.name); });
    json.key("backends").texts(backend_list());
    json.key("backend_lines").texts(backend_lines());
    return 0;
  }
  if (!chosen) std::cout << "operators (first feature level): backends\n";
  for (const operator_description* op : operators) {
    std::cout << fmt::format("{}{} ({}): {}\n", chosen ? "" : "  ", op->name, name_of(op->first_level()),
                             fmt::join(backends_with(*op), ", "));
    if (chosen) print_operator(*op, std::cout);
  }
  if (chosen) {
    flush_output();
    return 0;
  }
  std::cout << "feature levels:\n ";
  for (const auto& level : feature_levels) std::cout << ' ' << level.name;
  std::cout << "\nbackends:\n";
  for (const std::string& line : backend_lines()) std::cout << "  " << io::terminal_text(line) << '\n';
  flush_output();
  return 0;
}

}  // namespace goldml::tool
