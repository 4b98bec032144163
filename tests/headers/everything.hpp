// Every public header, after the macros that <windows.h> defines unless NOMINMAX and friends stop it. The standard
// library's and other libraries' headers come first: they guard themselves, or do not, without us.
#pragma once

#include <Eigen/Core>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define near
#define far
#define small char
#define interface struct
#define IN
#define OUT
#define ERROR 0
#define TRUE 1
#define FALSE 0
#define CONST const
#define VOID void
#define OPTIONAL

#include <goldml/goldml.hpp>
#include <goldml/io/dxdispatch.hpp>
#include <goldml/oracle/generate_illegal.hpp>
#include <goldml/oracle/report.hpp>
