// Converts the line of a test case to a model, which has its inputs as resources, one dispatch, and a print of each
// output; and finds the line of a model that `goldml generate` wrote.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <goldml/io/files.hpp>
#include <goldml/io/model.hpp>
#include <goldml/oracle/case.hpp>

namespace goldml::tool {

// An illegal case becomes a model with only its dispatchable, which is refused when it is played. Throws error M8 if
// the tensors take more than max_memory bytes together.
io::model model_of_case(const oracle::test_case<any_desc>& c, std::uint64_t max_memory, bool without_memory);

// The model of a case's line. Throws error M5 for an unknown operator, M10 for an invalid line.
io::model read_case_model(std::string_view line, std::uint64_t max_memory, bool without_memory = false);

// What reproduces a model's outputs: the case in the comment at the beginning of the file, if the model computes that
// case, otherwise "goldml run FILE". The model must not have been played.
std::string how_to_reproduce(const io::file_place& place, const io::model& m);

}  // namespace goldml::tool
