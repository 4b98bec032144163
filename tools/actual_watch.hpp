// Compares the bytes of a resource's whole buffer that are not elements of an output.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <goldml/core/memory_watch.hpp>
#include <goldml/io/model.hpp>

#include "actual_files.hpp"

namespace goldml::tool::detail {

// Whether the content is the whole buffer of the resource.
bool is_whole_buffer(const actual_content& content, std::span<const model_write> writes, const io::model& m);

// The bytes that differ from the resource after the last command, except the elements of all `writes`. Offsets are
// relative to the resource. Bytes in the range of a write are padding or gaps. `expected` is the resource's buffer; its
// elements are overwritten with those of the content, which avoids a copy.
memory_changes changes_in_buffer(std::span<std::byte> expected, std::span<const std::byte> actual,
                                 std::span<const model_write> writes);

// The lines of a report; "" if nothing changed.
std::string changes_in_resource_text(const memory_changes& changes, const std::string& resource,
                                     bool gaps_must_survive);

}  // namespace goldml::tool::detail
