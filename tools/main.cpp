// The `goldml` program: plays, validates and judges DxDispatch models, generates them, and lists what goldml knows.
// Exit status: 0 done or agrees, 1 differs, 2 refused (standard error names the rule by its code, or what the backend
// lacks) or wrong usage, 3 nothing defined to compare; anything else is a bug. Standard output holds what DxDispatch
// prints, and the reports; all else goes to standard error.
#include <charconv>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// After <windows.h>.
#include <io.h>
#include <shellapi.h>
#else
#include <unistd.h>
#endif

#include <CLI/CLI.hpp>

#include <goldml/goldml.hpp>
#include <goldml/io/dxdispatch.hpp>

#include "backends.hpp"
#include "case_model.hpp"
#include "check.hpp"
#include "corpus.hpp"
#include "explain.hpp"
#include "operator_templates.hpp"
#include "selection_options.hpp"
#include "system_memory.hpp"

namespace {

constexpr int refused = 2;
constexpr int bug = 70;

struct arguments {
  std::string model;
  std::string case_line;  // in place of a model
  goldml::tool::backend_choice backend;
  bool explain = false;
  std::optional<std::string> output_folder;
  bool beside_model = false;
  bool overwrite = false;
  std::string feature_level = std::string(name_of(goldml::feature_level::latest));
  std::uint64_t max_memory = goldml::tool::default_max_memory(goldml::tool::system_memory());
  std::optional<std::uint64_t> max_work;
  bool allow_outside = false;
  bool portable = false;
  std::vector<std::string> policies;
  // check
  std::vector<std::string> actuals;
  std::string actual_folder;
  goldml::tool::check_options check;
  bool strict = false;
  bool either_zero = false;
  bool keep_gaps = false;
  // generate
  std::string operator_name;
  std::string shard = "0/1";
  goldml::tool::selection_text selection;
  goldml::tool::corpus_options corpus;
};

// One line. Whatever it holds of files or arguments does nothing to a terminal.
void print_error(std::string_view text) { std::cerr << goldml::io::terminal_text(text) << '\n'; }

// Arguments are UTF-8.
std::filesystem::path path_of(const std::string& argument) { return goldml::io::path_of(argument); }

goldml::io::model_options model_options(const arguments& given) {
  goldml::io::model_options options;
  options.feature_level = *goldml::feature_level_from_name(given.feature_level);  // CLI11 has checked the name
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
  if (!std::cout) goldml::io::refuse("M9", "standard output", "closed or full", "room for the results", "");
}

// The model, or that of the case's line.
goldml::io::model read_given(const arguments& given, const goldml::io::model_options& options) {
  if (!given.case_line.empty())
    return goldml::tool::read_case_model(given.case_line, options.max_memory, options.validate_only);
  if (given.model.empty()) goldml::io::refuse("M2", "MODEL", "missing", "a model's file, or --case LINE", "");
  return goldml::io::read_model(path_of(given.model), options);
}

int run(const arguments& given) {
  goldml::io::model model = read_given(given, model_options(given));
  if (given.explain) {
    const auto broken = goldml::tool::explain_model(model, std::cout);
    flush_output();
    if (broken) throw goldml::error(*broken);
    return 0;
  }
  goldml::tool::play_model(given.backend, model, std::cout,
                           given.max_work.value_or(goldml::tool::default_max_work(given.backend.name)));
  flush_output();
  return 0;
}

int validate(const arguments& given) {
  goldml::io::model_options options = model_options(given);
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
  if (given.portable) options.portable = [&](const goldml::violation& violation) { print(to_string(violation)); };
  goldml::io::model model = read_given(given, options);
  goldml::io::validate_model(model, [&](std::string_view dispatchable, const goldml::violation& violation) {
    print(goldml::io::in_quotes(dispatchable) + ": " + to_string(violation));
  });
  if (broken > printed)
    print_error(fmt::format("and {} more {}", broken - printed, broken - printed == 1 ? "violation" : "violations"));
  if (broken != 0) return refused;
  std::cout << "legal: " << goldml::io::terminal_text(given.case_line.empty() ? given.model : given.case_line) << '\n';
  flush_output();
  return 0;
}

int check(arguments given) {
  if (given.strict) {
    const goldml::oracle::compare_options strict = goldml::oracle::compare_options::strict();
    given.check.compare.nans = strict.nans;
    given.check.compare.fp32_flush = strict.fp32_flush;
    given.check.compare.listing_order = strict.listing_order;
  }
  if (given.keep_gaps) given.check.compare.gaps = goldml::oracle::gap_bytes::must_survive;
  if (given.either_zero) given.check.compare.zeros = goldml::oracle::zero_match::either_sign;
  using goldml::oracle::float_match;
  if (given.check.compare.ulp > 0) given.check.compare.floats = float_match::ulp;
  if (given.check.compare.absolute > 0 || given.check.compare.relative > 0)
    given.check.compare.floats = float_match::tolerance;
  std::error_code failed;  // reported when the folder or the model is read
  const bool corpus = !given.actual_folder.empty() || std::filesystem::is_directory(path_of(given.model), failed);
  if (corpus && given.actual_folder.empty())
    goldml::io::refuse("M2", "--actual-dir", "missing", "the folder of what is to be judged", "");
  if (corpus && !given.actuals.empty())
    goldml::io::refuse("M2", "--actual", "with a folder", "a model", "--actual-dir judges a folder of models");
  if (corpus) given.output_folder = given.actual_folder;
  given.check.model = model_options(given);
  given.check.max_work = given.max_work.value_or(given.check.max_work);
  if (corpus && !given.case_line.empty())
    goldml::io::refuse("M2", "--case", "with --actual-dir", "--actual OPERAND=FILE for each output", "");
  const auto check_given = [&] {
    goldml::io::model model = read_given(given, given.check.model);
    const std::string line = given.case_line.empty()
                                 ? goldml::tool::how_to_reproduce(goldml::io::place_of(path_of(given.model)), model)
                                 : given.case_line;
    return goldml::tool::check_model(std::move(model), line, given.actuals, given.check, std::cout);
  };
  const goldml::oracle::tally judged =
      corpus ? goldml::tool::check_corpus(path_of(given.model), given.check, std::cout, print_error) : check_given();
  flush_output();
  return judged.exit_status();
}

// "i/n" with i < n.
void read_shard(const std::string& text, goldml::tool::corpus_options& options) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, options.shard);
  const bool slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  const auto second = std::from_chars(slash ? first.ptr + 1 : end, end, options.shards);
  if (!slash || second.ec != std::errc{} || second.ptr != end || options.shard >= options.shards)
    goldml::io::refuse("M2", "--shard", goldml::io::in_quotes(text), "i/n with i from 0 to n-1", "");
}

bool error_is_terminal() {
#ifdef _WIN32
  return _isatty(2) != 0;
#else
  return isatty(2) != 0;
#endif
}

int generate(arguments given) {
  given.corpus.folder = path_of(*given.output_folder);  // CLI11 has asked for it
  given.corpus.generate.feature_level = *goldml::feature_level_from_name(given.feature_level);
  read_shard(given.shard, given.corpus);
  goldml::tool::read_selection(given.selection, given.corpus.generate);
  const bool bar = error_is_terminal();
  const bool found = goldml::visit_operator(given.operator_name, [&]<class Desc>(std::type_identity<Desc>) {
    if (given.corpus.generate.feature_level < goldml::first_feature_level<Desc>())
      goldml::io::refuse("M4", "--feature-level", given.feature_level,
                         fmt::format("at least {}", name_of(goldml::first_feature_level<Desc>())),
                         "the operator does not exist below it");
    if constexpr (requires { sizeof(goldml::oracle::sampler<Desc>); })
      goldml::tool::generate_corpus<Desc>(given.corpus, [&](std::uint64_t done, std::uint64_t all) {
        if (!bar) return;
        constexpr std::uint64_t width = 40;
        const auto filled = static_cast<std::uint64_t>(static_cast<double>(done) / static_cast<double>(all) * width);
        std::cerr << "\r[" << std::string(filled, '=') << std::string(width - filled, ' ') << "] " << done << "/" << all
                  << (done == all ? "\n" : "") << std::flush;
      });
    else
      goldml::io::refuse("M5", "operator", goldml::io::in_quotes(given.operator_name),
                         "an operator with a sampler (oracle/samplers.hpp)", "");
  });
  if (!found)
    goldml::io::refuse("M5", "operator", goldml::io::in_quotes(given.operator_name),
                       "an operator that 'goldml list' names", "");
  return 0;
}

int list() {
  std::cout << "operators (first feature level):\n";
  goldml::for_each_operator(goldml::all_operators{}, []<class Desc>(std::type_identity<Desc>) {
    std::cout << "  " << goldml::operator_traits<Desc>::name << " (" << name_of(goldml::first_feature_level<Desc>())
              << ")\n";
  });
  std::cout << "feature levels:\n ";
  for (const auto& level : goldml::feature_levels) std::cout << ' ' << level.name;
  std::cout << "\nbackends:\n";
  for (const std::string& line : goldml::tool::backend_lines())
    std::cout << "  " << goldml::io::terminal_text(line) << '\n';
  flush_output();
  return 0;
}

// CLI11 wraps -1 and numbers beyond 64 bits.
bool starts_with_number(const std::string& text) {
  std::uint64_t number = 0;
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{};
}
std::string refuse_wrapped_size(const std::string& text) {
  return starts_with_number(text) ? "" : "wanted a size such as 4096 or 64mb, of at most 2^64-1 bytes";
}
std::string refuse_wrapped_number(const std::string& text) {
  return starts_with_number(text) ? "" : "wanted an integer from 0 to 2^64-1";
}
// A tolerance is finite and not negative.
std::string refuse_no_tolerance(const std::string& text) {
  double number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc{} && number >= 0 && number <= (std::numeric_limits<double>::max)()
             ? ""
             : "wanted a finite number of at least 0";
}

CLI::Option* add_level_option(CLI::App& command, arguments& given) {
  std::vector<std::string> levels;
  for (const auto& level : goldml::feature_levels) levels.emplace_back(level.name);
  return command.add_option("--feature-level", given.feature_level, "the DirectML feature level to judge by")
      ->check(CLI::IsMember(levels))
      ->capture_default_str();
}

void add_model_options(CLI::App& command, arguments& given) {
  CLI::Option* const model = command.add_option("MODEL", given.model, "the model, a JSON file");
  CLI::Option* const level = add_level_option(command, given);
  CLI::Option* const policy = command.add_option(
      "--policy", given.policies,
      "NAME=VALUE, such as duplicates=last_wins, range_policy=clamp, nan_policy=propagate, in_place=true, "
      "same_resource=disjoint");
  command
      .add_option("--case", given.case_line,
                  "in place of MODEL: the line of a test case, as reports print it, with its policies and level")
      ->excludes(model)
      ->excludes(level)
      ->excludes(policy);
  command.add_option("--max-memory", given.max_memory, "bytes that the model's buffers may take together")
      ->transform(CLI::AsSizeValue(false))
      ->transform(CLI::Validator([](std::string& text) { return refuse_wrapped_size(text); }, ""))  // runs first
      ->capture_default_str();
  command.add_flag("--allow-outside", given.allow_outside, "let the model read and write files anywhere");
}

void add_work_option(CLI::App& command, arguments& given, std::string_view default_text) {
  command
      .add_option("--max-work", given.max_work,
                  fmt::format("elements that the commands may read and write together (default: {})", default_text))
      ->check(refuse_wrapped_number);
}

void add_check_options(CLI::App& command, arguments& given) {
  command.add_option("--actual", given.actuals, "RESOURCE=FILE: what something else wrote (.npy, or raw bytes)");
  command.add_option("--actual-dir", given.actual_folder, "MODEL is a folder: judge all its models by the files here");
  command.add_flag("--unverified", given.check.unverified,
                   "judges a folder of models that has no manifest, or not the right one");
  command.add_flag("--strict", given.strict,
                   "take back what a device may do by default: answer another NaN for a NaN, flush FLOAT32 subnormals "
                   "where they are compared, number in the order of unsorted Axes");
  CLI::Option* const ulp =
      command.add_option("--ulp", given.check.compare.ulp, "floats may be so many representable numbers apart")
          ->check(refuse_wrapped_number);
  command.add_option("--absolute", given.check.compare.absolute, "floats may differ by so much")
      ->check(refuse_no_tolerance)
      ->excludes(ulp);
  command.add_option("--relative", given.check.compare.relative, "and by so much of the expected value")
      ->check(refuse_no_tolerance)
      ->excludes(ulp);
  command.add_flag("--keep-gaps", given.keep_gaps, "padding and gaps of outputs, too, must keep what they held");
  command.add_flag("--either-zero", given.either_zero, "-0.0 is as good as +0.0");
}

void add_generate_options(CLI::App& command, arguments& given) {
  auto& options = given.corpus.generate;
  command.add_option("OPERATOR", given.operator_name, "such as ARGMIN")->required();
  command.add_option("--count", options.count, "how many cases")->check(refuse_wrapped_number)->capture_default_str();
  command.add_option("--seed", options.seed, "the same seed gives the same cases everywhere")
      ->check(refuse_wrapped_number)
      ->capture_default_str();
  command.add_option("--most-elements", options.most_elements, "of a case's main tensor")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 24))
      ->capture_default_str();
  goldml::tool::add_selection_options(command, given.selection);
  command.add_option("--shard", given.shard, "i/n: only each n-th case, from case i on")->capture_default_str();
  command.add_option("--output-dir", given.output_folder, "where the corpus goes")->required();
  command.add_flag("--append", given.corpus.append, "adds to a folder that holds files, such as other corpora");
  add_level_option(command, given);
}

int main_or_throw(int argc, char** argv) {
  arguments given;
  CLI::App app("goldml: what DirectML operators must compute");
  app.require_subcommand(1);
  app.allow_windows_style_options(false);  // a path may begin with a slash
  app.set_version_flag("--version", fmt::format("goldml {}.{}.{}", goldml::version.major_number,
                                                goldml::version.minor_number, goldml::version.patch_number));
  int status = 0;
  CLI::App& run_command = *app.add_subcommand("run", "plays a DxDispatch model and prints what it prints");
  add_model_options(run_command, given);
  CLI::Option* const output_dir = run_command.add_option(
      "--output-dir", given.output_folder,
      fmt::format("where writeFile writes [{}, in which files are replaced]", goldml::io::own_output_folder));
  run_command
      .add_flag("--beside-model", given.beside_model,
                fmt::format("puts {} beside the model, not in the current folder", goldml::io::own_output_folder))
      ->excludes(output_dir);
  run_command.add_flag("--overwrite", given.overwrite, "lets writeFile replace files in any folder");
  add_work_option(run_command, given,
                  fmt::format("{}, on reference {}", goldml::tool::default_max_work("cpu"),
                              goldml::tool::default_max_work("reference")));
  CLI::Option* const backend = run_command.add_option("--backend", given.backend.name, "who computes")
                                   ->check(CLI::IsMember(goldml::tool::backend_list()))
                                   ->capture_default_str();
  run_command.add_option("--adapter", given.backend.adapter,
                         "of d3d12 and directml: a part of its name; 'goldml list' has them");
  run_command
      .add_flag("--explain", given.explain, "plays nothing: prints each dispatch as DirectML C++ source, explained")
      ->excludes(backend);
  run_command.callback([&] { status = run(given); });

  CLI::App& validate_command = *app.add_subcommand("validate", "names every rule that a model's operators break");
  add_model_options(validate_command, given);
  validate_command.add_flag("--portable", given.portable, "also names what DxDispatch would refuse in the model (M15)");
  validate_command.callback([&] { status = validate(given); });

  CLI::App& check_command = *app.add_subcommand(
      "check",
      "judges what something else computed for a model or a corpus; exit status 0: it agrees, 1: it differs, 2: "
      "refused, 3: nothing is defined");
  add_model_options(check_command, given);
  add_check_options(check_command, given);
  add_work_option(check_command, given, fmt::format("{}", given.check.max_work));
  check_command.callback([&] { status = check(given); });

  CLI::App& generate_command = *app.add_subcommand("generate", "writes test cases as models with golden outputs");
  add_generate_options(generate_command, given);
  generate_command.callback([&] { status = generate(given); });

  app.add_subcommand("list", "prints the operators, feature levels and backends")->callback([&] { status = list(); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) {
      app.exit(problem);  // --help and --version
    } else {
      print_error(problem.what());
      print_error("Run with --help for more information.");
      status = refused;
    }
    flush_output();
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
#ifdef _WIN32
    // argv lacks characters outside the code page.
    wchar_t** const wide = CommandLineToArgvW(GetCommandLineW(), &argc);
    std::vector<std::string> texts;
    for (int i = 0; i < argc; ++i) {
      const std::u8string text = std::filesystem::path(wide[i]).u8string();
      texts.emplace_back(text.begin(), text.end());
    }
    LocalFree(wide);
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    argv = pointers.data();
#endif
    return main_or_throw(argc, argv);
  } catch (const goldml::error& refusal) {
    print_error(refusal.what());
    return refused;
  } catch (const goldml::tool::backend_failure& failure) {
    print_error(failure.what());
    return refused;
  } catch (const std::bad_alloc&) {
    print_error("model M8: memory is all used up, wanted more of it (--max-memory bounds what a model may take)");
    return refused;
  } catch (const std::filesystem::filesystem_error& problem) {
    print_error(fmt::format("model M9: path is {}, wanted one that the system takes ({})",
                            goldml::io::path_in_quotes(problem.path1()), problem.code().message()));
    return refused;
  } catch (const std::exception& problem) {
    print_error(std::string("goldml: a bug: ") + problem.what());
    return bug;
  }
}
