// Headers of other projects that nearly every test includes, precompiled.
#pragma once

#include <Eigen/Core>
#include <fmt/format.h>

#include "catch.hpp"
