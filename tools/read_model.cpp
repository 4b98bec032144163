#include "read_model.hpp"

#include <goldml/io/dxdispatch.hpp>

namespace goldml::tool {

io::model read_model(const io::file_place& place, const io::model_options& options) {
  return io::read_model(place, options);
}

}  // namespace goldml::tool
