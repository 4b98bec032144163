#include "completion.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace goldml::tool {

namespace {

// In single quotes, for a POSIX shell or fish: both end the quotes for a quote, escape it, and begin them again.
std::string in_single_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (c == '\\')
      result += '/';  // fish would take it as an escape
    else
      result += c;
  }
  return result + "'";
}

// bash, and zsh through its bashcompinit.
std::string bash_script(const std::vector<completed_command>& commands) {
  std::vector<std::string> names;
  for (const completed_command& command : commands) names.push_back(command.name);
  std::string script = fmt::format(
      "_goldml() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words='' values=files\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W {} -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n",
      in_single_quotes(fmt::format("{} --help --version", fmt::join(names, " "))));
  for (const completed_command& command : commands) {
    std::vector<std::string> options, files;
    std::string cases;
    for (const completed_option& option : command.options) {
      options.push_back(option.name);
      if (!option.takes_value) continue;
      if (option.values.empty())
        files.push_back(option.name);
      else
        cases += fmt::format("        {}) values={} ;;\n", option.name,
                             in_single_quotes(fmt::format("{}", fmt::join(option.values, " "))));
    }
    script +=
        fmt::format("    {})\n      words={}\n", command.name, in_single_quotes(fmt::format("{}", fmt::join(options, " "))));
    script += fmt::format("      case $previous in\n{}", cases);
    if (!files.empty()) script += fmt::format("        {}) values=files ;;\n", fmt::join(files, " | "));
    script += fmt::format("        *) values={} ;;\n      esac ;;\n",
                          command.arguments.empty() ? std::string("files")
                                                    : in_single_quotes(fmt::format("{}", fmt::join(command.arguments, " "))));
  }
  return script +
         "  esac\n"
         "  case $word in\n"
         "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
         "    *)\n"
         "      if [ \"$values\" = files ]; then\n"
         "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "      else\n"
         "        COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
         "      fi ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _goldml goldml\n";
}

std::string fish_script(const std::vector<completed_command>& commands) {
  std::string script;
  for (const completed_command& command : commands) {
    script +=
        fmt::format("complete -c goldml -n __fish_use_subcommand -f -a {} -d {}\n", command.name, in_single_quotes(command.help));
    const std::string inside = fmt::format("complete -c goldml -n '__fish_seen_subcommand_from {}'", command.name);
    if (!command.arguments.empty())
      script += fmt::format("{} -f -a {}\n", inside, in_single_quotes(fmt::format("{}", fmt::join(command.arguments, " "))));
    for (const completed_option& option : command.options) {
      const bool is_long = option.name.starts_with("--");
      script += fmt::format("{} -{} {} -d {}", inside, is_long ? "l" : "s", option.name.substr(is_long ? 2 : 1),
                            in_single_quotes(option.help));
      if (option.takes_value)
        script +=
            option.values.empty() ? " -r -F" : " -x -a " + in_single_quotes(fmt::format("{}", fmt::join(option.values, " ")));
      script += "\n";
    }
  }
  return script;
}

}  // namespace

std::string completion_script(std::string_view shell, const std::vector<completed_command>& commands) {
  if (shell == "fish") return fish_script(commands);
  if (shell == "zsh")
    return "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n" + bash_script(commands);
  return bash_script(commands);
}

}  // namespace goldml::tool
