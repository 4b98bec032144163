// The output of `goldml run --explain`: each dispatch of a model as C++ source for DirectML, with comments that state
// what follows from the rules. Generic over operator_traits, except for facts about particular operators.
#pragma once

#include <optional>
#include <ostream>

#include <goldml/io/model.hpp>
#include <goldml/io/model_error.hpp>

namespace goldml::tool {

// Explains each dispatch, then each dispatchable that no command dispatches. Runs nothing. Returns the error with
// which play() would refuse the model.
std::optional<io::model_error> explain_model(io::model& m, std::ostream& out);

}  // namespace goldml::tool
