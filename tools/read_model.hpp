// io::read_model(), compiled once.
#pragma once

#include <goldml/io/files.hpp>
#include <goldml/io/model.hpp>

namespace goldml::tool {

io::model read_model(const io::file_place& place, const io::model_options& options);

}  // namespace goldml::tool
