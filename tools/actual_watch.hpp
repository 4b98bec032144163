// A resource's whole buffer as something else left it: the bytes that no dispatch writes elements to.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <goldml/core/memory_watch.hpp>
#include <goldml/io/model.hpp>

#include "actual_files.hpp"

namespace goldml::tool::detail {

// Whether the content is the resource's buffer, all of it.
bool is_whole_buffer(const actual_content& content, std::span<const model_write> writes, const io::model& m);

// What differs from what the resource holds after its last command, the elements of all `writes` excepted, with offsets
// in the resource. Bytes in the range of a write are padding or gaps. `expected` is the resource's buffer; the elements
// in it become those of the content, so that no copy is needed.
memory_changes changes_in_buffer(std::span<std::byte> expected, std::span<const std::byte> actual,
                                 std::span<const model_write> writes);

// The lines of a report; "" when nothing changed.
std::string changes_in_resource_text(const memory_changes& changes, const std::string& resource,
                                     bool gaps_must_survive);

}  // namespace goldml::tool::detail
