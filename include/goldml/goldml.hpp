// goldml: the golden values of DirectML operators. Includes everything except optional parts: GPU backends, JSON, test
// frameworks.
#pragma once

#include <goldml/core/float16.hpp>
#include <goldml/cpu/cpu.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/reference/reference.hpp>
#include <goldml/version.hpp>
