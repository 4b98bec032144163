// The version of goldml, defined only here. CMakeLists.txt reads the three numbers from this file.
#pragma once

#define GOLDML_VERSION_MAJOR 0
#define GOLDML_VERSION_MINOR 2
#define GOLDML_VERSION_PATCH 0

namespace goldml {

struct version_number {
  int major_number;
  int minor_number;
  int patch_number;
};

inline constexpr version_number version{GOLDML_VERSION_MAJOR, GOLDML_VERSION_MINOR, GOLDML_VERSION_PATCH};

}  // namespace goldml
