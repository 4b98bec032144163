// `goldml completion SHELL`: scripts that complete the command line in bash, zsh and fish.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace goldml::tool {

struct completed_option {
  std::string name;  // with its dashes
  std::string help;
  bool takes_value = false;
  std::vector<std::string> values = {};  // if they are known; otherwise files are completed
};

struct completed_command {
  std::string name;
  std::string help;
  std::vector<completed_option> options = {};
  std::vector<std::string> arguments = {};  // if they are known; otherwise files are completed
};

inline constexpr std::string_view completed_shells[] = {"bash", "zsh", "fish"};

// The script for one of completed_shells.
std::string completion_script(std::string_view shell, const std::vector<completed_command>& commands);

}  // namespace goldml::tool
