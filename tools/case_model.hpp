// Converts the line of a test case to a model, which has its inputs as resources, one dispatch, and a print of each
// output; and finds the line of a model that `goldml generate` wrote.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <goldml/io/files.hpp>
#include <goldml/io/model.hpp>
#include <goldml/oracle/case.hpp>

namespace goldml::tool {

// What is made of a case.
struct case_model_options {
  std::uint64_t max_memory = saturated;  // in bytes, for the tensors together (M8)
  bool without_memory = false;           // only the dispatchable, to be validated
  bool without_buffers = false;          // to be explained
  // Is called before the inputs are made, with the units of work that they take.
  std::function<void(const io::model&, std::uint64_t)> before_inputs = nullptr;
};

// An illegal case becomes a model with only its dispatchable, which is refused when it is played.
io::model model_of_case(const oracle::test_case<any_desc>& c, const case_model_options& options);

// The model of a case's line. Throws error M5 for an unknown operator, M10 for an invalid line.
io::model read_case_model(std::string_view line, const case_model_options& options);

// What reproduces a model's outputs: the case in the comment at the beginning of the file, if the model computes that
// case, otherwise "goldml run FILE" with the file as a word of a shell. The model must not have been played.
// max_memory: that of the model, whose inputs are made a second time for a comparison if they fit beside it; max_work:
// for that.
std::string how_to_reproduce(const io::file_place& place, const io::model& m, std::uint64_t max_memory,
                             std::uint64_t max_work);

}  // namespace goldml::tool
