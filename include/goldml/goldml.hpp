// goldml: what DirectML operators must compute. Everything but what is optional: no GPU backend, no JSON, no test framework.
#pragma once

#include <goldml/cpu/cpu.hpp>
#include <goldml/io/npy.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/reference/reference.hpp>
#include <goldml/version.hpp>
