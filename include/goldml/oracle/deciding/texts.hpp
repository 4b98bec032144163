// Elements as text, for reports.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/float16.hpp>
#include <goldml/core/number_text.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/core/tensor_ref.hpp>

namespace goldml::oracle::detail {

// "1 (0x00000001)"
template <class T>
std::string value_text(T value) {
  return fmt::format("{} ({})", number_text(value), bits_text(value));
}

// The same for an element of a tensor.
inline std::string element_text(const const_tensor_ref& tensor, const coordinate_tuple& c) {
  std::string text;
  const readable_tensor readable(tensor);
  visit_data_type(all_types{}, readable.ref().desc().data_type,
                  [&]<class T>(std::type_identity<T>) { text = value_text(readable.ref().as<T>()[c]); });
  return text;
}

// The maximum number of items of a list in a report.
inline constexpr std::size_t most_listed = 6;

inline std::string and_more(std::size_t count) {
  return count > most_listed ? fmt::format(", and {} more", count - most_listed) : "";
}

}  // namespace goldml::oracle::detail
