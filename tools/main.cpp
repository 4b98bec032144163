// The `goldml` program: plays, validates, judges and generates DxDispatch models, and lists operators and backends.
// Exit status: 0 done or agrees; 1 differs; 2 refused (standard error has the code of the rule, or what the backend
// lacks) or wrong usage; 3 nothing defined to compare; anything else is a bug. Standard output contains what models
// print, and the reports; or with --json one document. Everything else goes to standard error.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// After <windows.h>.
#include <shellapi.h>
#endif

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <goldml/io/model_error.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/io/suggestions.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/version.hpp>

#include "backends.hpp"
#include "commands.hpp"
#include "completion.hpp"

namespace {

using goldml::tool::arguments;

// CLI11 silently wraps -1 and numbers beyond 64 bits.
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
std::string refuse_no_cases(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number > 0 ? "" : "wanted at least one case, and at most 2^64-1";
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
  return command.add_option("--feature-level", given.feature_level, "the DirectML feature level to validate against")
      ->check(CLI::IsMember(levels))
      ->capture_default_str();
}

void add_memory_option(CLI::App& command, arguments& given) {
  command.add_option("--max-memory", given.max_memory, "bytes that the model's buffers may take together")
      ->transform(CLI::AsSizeValue(false))
      ->transform(CLI::Validator([](std::string& text) { return refuse_wrapped_size(text); }, ""))  // runs first
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
                  "instead of MODEL: the line of a test case, as reports print it, with its policies and level")
      ->excludes(model)
      ->excludes(level)
      ->excludes(policy);
  add_memory_option(command, given);
  command.add_flag("--allow-outside", given.allow_outside, "let the model read and write files anywhere");
}

void add_work_option(CLI::App& command, arguments& given) {
  command.add_option("--max-work", given.max_work, "units of work of all commands together, a nanosecond each at most")
      ->check(refuse_wrapped_number)
      ->capture_default_str();
}

// What a device may do.
void add_device_options(CLI::App& command, arguments& given) {
  command.add_flag("--strict", given.strict,
                   "do not accept what a device may do by default: return a different NaN, flush FLOAT32 subnormals "
                   "in comparisons and arithmetic, number candidates in the order of unsorted Axes; and --stable");
  command.add_flag("--stable", given.check.compare.stable,
                   "do not accept infinities and NaN of intermediate results that overflow where the golden value is "
                   "finite");
  command.add_flag("--nearest-even", given.nearest_even,
                   "do not accept FLOAT16 results of arithmetic that are rounded toward zero from FLOAT32");
  command
      .add_option("--rcp", given.rcp,
                  "whether quotients and roots may use an approximate reciprocal, 2^-21 off, instead of a division")
      ->check(CLI::IsMember({"accept", "refuse"}))
      ->capture_default_str();
  command
      .add_option("--functions", given.functions,
                  "whether functions may be as far off as Direct3D's conformance tests permit, or as known hardware is")
      ->check(CLI::IsMember({"conformance", "close"}))
      ->capture_default_str();
}

void add_check_options(CLI::App& command, arguments& given) {
  command.add_option("--actual", given.actuals, "RESOURCE=FILE: an output of another program (.npy, or raw bytes)");
  command.add_option("--actual-dir", given.actual_folder,
                     "MODEL is a folder: the folder with the outputs for all its models");
  command.add_option("--again", given.again_folder,
                     "a folder with the same files of a second run: elements that differ are a race, not rounding");
  command.add_flag("--unverified", given.check.unverified,
                   "judge a folder of models even if it does not match its manifests");
  add_device_options(command, given);
  CLI::Option* const ulp = command
                               .add_option("--ulp", given.check.compare.ulp,
                                           "accept floats that are at most this many representable numbers apart")
                               ->check(refuse_wrapped_number);
  command.add_option("--absolute", given.check.compare.absolute, "accept floats that differ by at most this")
      ->check(refuse_no_tolerance)
      ->excludes(ulp);
  command
      .add_option("--relative", given.check.compare.relative, "accept in addition this fraction of the expected value")
      ->check(refuse_no_tolerance)
      ->excludes(ulp);
  command
      .add_option("--elements", given.check.sample.elements,
                  "judge only this many elements of each output: corners, edges of tiles, last rows and columns, and "
                  "others; GEMM, CONVOLUTION and others then compute only these")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}));
  command.add_flag("--keep-gaps", given.keep_gaps, "padding and gaps of outputs must not change either");
  command.add_option("--shard", given.shard, "i/n: only every n-th model of the folder, starting with model i")
      ->capture_default_str();
  command.add_option("--report", given.report_folder, "also write the results as a page, index.html in this folder");
  command.add_flag("--fit", given.check.compare.fit,
                   "an output of sums differs, too, if its errors are larger than those of its precision");
  command.add_flag("--either-zero", given.either_zero, "treat -0.0 and +0.0 as equal");
}

void add_selection_options(CLI::App& command, goldml::tool::selection_text& given) {
  const auto list = [&](const char* name, auto& values, const char* help) {
    command.add_option(name, values, help)->delimiter(',')->allow_extra_args(false);
  };
  list("--data-types", given.data_types, "of the first tensor, such as FLOAT32,INT8");
  list("--dimension-counts", given.dimension_counts, "of the first tensor, such as 2,4");
  list("--sizes", given.sizes, "of the first tensor, such as 2,3,4");
  command
      .add_option("--sizes-class", given.sizes_class,
                  "tiles: sizes at which kernels break, around 16 to 4096 and 65536; small; or mixed")
      ->capture_default_str();
  list("--strides", given.strides, "packed, permuted, padded, broadcast, overlapping, interleaved");
  list("--data", given.data, "classes of input values, such as ties,special");
  command.add_option("--operand-types", given.operand_types, "of one operand, such as IndicesTensor=INT32,INT64")
      ->allow_extra_args(false);
  command.add_option("--attribute", given.attributes, "NAME=VALUE of an attribute or a policy, such as Axes={1}")
      ->allow_extra_args(false);
}

void add_cases_options(CLI::App& command, arguments& given) {
  auto& options = given.corpus.generate;
  command.add_option("--count", options.count, "the number of cases of each operator")
      ->check(refuse_no_cases)
      ->capture_default_str();
  command.add_option("--seed", options.seed, "the same seed gives the same cases everywhere")
      ->check(refuse_wrapped_number)
      ->capture_default_str();
  command
      .add_option(
          "--most-elements", options.most_elements,
          "the maximum number of elements of a case's main tensor (default: 300, of tiles 200000, of given sizes "
          "2^24)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 24));
  add_selection_options(command, given.selection);
  add_level_option(command, given);
}

void add_generate_options(CLI::App& command, arguments& given) {
  command.add_option("OPERATOR", given.operator_names, "such as ARGMIN; several make one corpus")->required();
  add_cases_options(command, given);
  command.add_option("--shard", given.shard, "i/n: only every n-th case, starting with case i")->capture_default_str();
  command.add_option("--output-dir", given.output_folder, "the folder for the corpus")->required();
  command.add_flag("--append", given.corpus.append,
                   "add to a folder that already contains files, such as other corpora");
  command
      .add_flag("--plain", given.corpus.plain,
                "for other programs than DxDispatch, such as NumPy: packed tensors, .npy files in their shapes, and "
                "manifest_OPERATOR.json with the attributes and files of all cases; no JSON has comments")
      ->excludes(command.get_option("--strides"));
}

void add_tolerance_options(CLI::App& command, arguments& given) {
  command.add_option("OPERATOR", given.operator_names, "such as GEMM: of generated cases");
  add_cases_options(command, given);
  command.add_option("--case", given.case_line, "of the line of a test case, as reports print it");
  command.add_option("--corpus", given.corpus_folder, "of a folder that 'goldml generate' wrote");
  add_device_options(command, given);
  add_memory_option(command, given);
  command.add_flag("--allow-outside", given.allow_outside, "let manifests be links");
  add_work_option(command, given);
}

CLI::Option* add_json_option(CLI::App& command, arguments& given) {
  return command.add_flag("--json", given.json, "print one JSON document (docs/json.md) instead of text");
}

// Throws error M3 for a first argument that is neither an option nor a subcommand.
void check_subcommand(const CLI::App& app, std::string_view first) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (first.starts_with('-') || std::find(known.begin(), known.end(), first) != known.end()) return;
  goldml::io::refuse("M3", "subcommand", goldml::io::in_quotes(first), goldml::io::list_of_names(known),
                     goldml::io::did_you_mean(first, known));
}

// The values that CLI11 prints for an option, such as "TEXT:{cpu,reference}".
std::vector<std::string> known_values(const CLI::Option& option) {
  std::vector<std::string> values;
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos) return values;
  for (const std::string& value : CLI::detail::split(type.substr(begin + 1, end - begin - 1), ','))
    values.push_back(value);
  return values;
}

// What the shells complete, from CLI11's description of the command line.
std::vector<goldml::tool::completed_command> completed_commands(const CLI::App& app) {
  std::vector<goldml::tool::completed_command> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    auto& completed = commands.emplace_back();
    completed.name = command->get_name();
    completed.help = command->get_description();
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_positional() && option->get_lnames().empty()) {
        completed.arguments = known_values(*option);
        if (option->get_name() == "OPERATOR")
          for (const auto* op : goldml::operator_descriptions()) completed.arguments.emplace_back(op->name);
      }
      for (const std::string& name : option->get_lnames())
        completed.options.push_back(
            {"--" + name, option->get_description(), option->get_items_expected_max() > 0, known_values(*option)});
    }
  }
  return commands;
}

// Prints why a command is refused, adds that to its result, and returns the exit status.
template <class F>
int status_of(goldml::tool::json_result* result, F&& command) {
  const auto refuse = [&](const std::string& message, const goldml::violation& v = {},
                          const goldml::io::model_place& place = {}, int status = goldml::tool::refused) {
    goldml::tool::print_error(message);
    if (result != nullptr) result->add_error({message, v, place});
    return status;
  };
  try {
    return command();
  } catch (const goldml::io::model_error& refusal) {
    return refuse(refusal.what(), refusal.violation(), refusal.place());
  } catch (const goldml::error& refusal) {
    return refuse(refusal.what(), refusal.violation());
  } catch (const goldml::tool::backend_failure& failure) {
    return refuse(failure.what());
  } catch (const std::bad_alloc&) {
    return refuse("model M8: memory is exhausted, wanted more (--max-memory limits what a model may take)");
  } catch (const std::filesystem::filesystem_error& problem) {
    return refuse(fmt::format("model M9: path is {}, wanted one that the system accepts ({})",
                              goldml::io::path_in_quotes(problem.path1()), problem.code().message()));
  } catch (const std::exception& problem) {
    return refuse(std::string("goldml: a bug: ") + problem.what(), {}, {}, goldml::tool::bug);
  }
}

// Runs a command, and prints its result if --json was given.
template <class F>
int finished(std::string_view name, const arguments& given, F&& command) {
  std::ostream nowhere(nullptr);
  goldml::tool::json_result result(name, given.json ? std::cout : nowhere);
  int status = status_of(&result, [&] { return command(given, result); });
  if (given.json) {
    result.finish(status);
    std::cout << '\n';
    status = std::max(status, status_of(nullptr, [] { return goldml::tool::flush_output(), 0; }));
  }
  return status;
}

// The call as words of a shell, in quotes where a word needs them.
std::string command_line_of(int argc, char** argv) {
  std::string text = "goldml";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word(argv[i]);
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
             std::string_view("-_./=,:+").find(c) != std::string_view::npos;
    });
    text += " " + (plain ? std::string(word) : goldml::io::shell_word(word));
  }
  return text;
}

int main_or_throw(int argc, char** argv) {
  arguments given;
  given.command_line = command_line_of(argc, argv);
  CLI::App app("goldml: the golden oracle for DirectML operators");
  app.require_subcommand(1);
  app.allow_windows_style_options(false);  // a path may begin with a slash
  app.set_version_flag("--version", fmt::format("goldml {}.{}.{}", goldml::version.major_number,
                                                goldml::version.minor_number, goldml::version.patch_number));
  int status = 0;
  CLI::App& run_command = *app.add_subcommand("run", "plays a DxDispatch model on a backend");
  add_model_options(run_command, given);
  CLI::Option* const output_dir = run_command.add_option(
      "--output-dir", given.output_folder,
      fmt::format("the folder where writeFile writes [{}, where files are replaced]", goldml::io::own_output_folder));
  run_command
      .add_flag("--beside-model", given.beside_model,
                fmt::format("puts {} beside the model, not in the current folder", goldml::io::own_output_folder))
      ->excludes(output_dir);
  run_command.add_flag("--overwrite", given.overwrite, "lets writeFile replace files in any folder");
  CLI::Option* const dxdispatch_format =
      run_command
          .add_flag(
              "--dxdispatch-format", given.dxdispatch_format,
              "prints resources as DxDispatch does: no padding, 6 significant digits, 8-bit integers as characters")
          ->excludes(run_command.get_option("--case"));
  add_work_option(run_command, given);
  CLI::Option* const backend = run_command.add_option("--backend", given.backend.name, "the backend that computes")
                                   ->check(CLI::IsMember(goldml::tool::backend_list()))
                                   ->capture_default_str();
  run_command.add_option("--adapter", given.backend.adapter,
                         "for d3d12 and directml: a part of the adapter's name, as 'goldml list' prints it");
  CLI::Option* const explain =
      run_command
          .add_flag("--explain", given.explain,
                    "plays nothing; prints each dispatch as C++ source for DirectML, with comments")
          ->excludes(backend);
  add_json_option(run_command, given)->excludes(explain)->excludes(dxdispatch_format);
  run_command.callback([&] { status = finished("run", given, goldml::tool::run); });

  CLI::App& validate_command = *app.add_subcommand("validate", "lists every rule that a model's operators break");
  add_model_options(validate_command, given);
  validate_command.add_flag("--portable", given.portable,
                            "also list what DxDispatch would refuse or read differently (M15)");
  add_json_option(validate_command, given);
  validate_command.callback([&] { status = finished("validate", given, goldml::tool::validate); });

  CLI::App& check_command = *app.add_subcommand(
      "check",
      "judges the outputs of another program for a model or a corpus; exit status 0: they agree, 1: they differ, 2: "
      "refused, 3: nothing is defined");
  add_model_options(check_command, given);
  add_check_options(check_command, given);
  add_work_option(check_command, given);
  add_json_option(check_command, given);
  check_command.callback([&] { status = finished("check", given, goldml::tool::check); });

  CLI::App& generate_command = *app.add_subcommand("generate", "writes test cases as models with golden outputs");
  add_generate_options(generate_command, given);
  add_json_option(generate_command, given);
  generate_command.callback([&] { status = finished("generate", given, goldml::tool::generate); });

  CLI::App& merge_command = *app.add_subcommand(
      "merge", "prints the results of several 'goldml check --json' as one; the exit status is that of check");
  merge_command.add_option("RESULTS", given.parts, "what each call of 'goldml check --json' has printed, as a file")
      ->required();
  add_json_option(merge_command, given);
  merge_command.callback([&] { status = finished("merge", given, goldml::tool::merge); });

  CLI::App& tolerance_command = *app.add_subcommand(
      "tolerance", "finds the smallest tolerance that accepts every right device, and what it lets through");
  add_tolerance_options(tolerance_command, given);
  add_json_option(tolerance_command, given);
  tolerance_command.callback([&] { status = finished("tolerance", given, goldml::tool::tolerance); });

  CLI::App& list_command = *app.add_subcommand("list", "prints the operators, feature levels and backends");
  list_command.add_option("OPERATOR", given.operator_names,
                          "prints the operands, data types by level, attributes and policies of these instead");
  add_json_option(list_command, given);
  list_command.callback([&] { status = finished("list", given, goldml::tool::list); });

  std::string shell;
  CLI::App& completion_command =
      *app.add_subcommand("completion", "prints a script that completes goldml's command line in a shell");
  completion_command.add_option("SHELL", shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}));
  completion_command.callback([&] {
    std::cout << goldml::tool::completion_script(shell, completed_commands(app));
    goldml::tool::flush_output();
  });
  if (argc > 1) check_subcommand(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) {
      app.exit(problem);  // --help and --version
    } else {
      goldml::tool::print_error(problem.what());
      goldml::tool::print_error("Run with --help for more information.");
      status = goldml::tool::refused;
    }
    goldml::tool::flush_output();
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  return status_of(nullptr, [&] {
#ifdef _WIN32
    // argv cannot represent characters outside the code page.
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
  });
}
