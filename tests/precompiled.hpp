// What nearly every test includes of other projects, compiled once for each test program.
#pragma once

#include <Eigen/Core>
#include <fmt/format.h>

#include "catch.hpp"
