// Makes a changed case legal again by following violations: each names the operand, the member and the wanted value, so
// operators need not describe how their shapes depend on each other.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/oracle/case.hpp>
#include <goldml/oracle/shrink_attributes.hpp>
#include <goldml/oracle/shrink_values.hpp>

namespace goldml::oracle::detail {

// The numbers that a violation wants: "3", "1 to 4", "at least 2", "at most InputDimensionCount 3", "below .. 3",
// "less than 3", "a divisor of 4", "a multiple of 4".
struct wanted_range {
  std::uint64_t lowest = 0;
  std::uint64_t highest = saturated;
  std::uint64_t multiple = 0;  // if not 0, only its divisors are wanted
  std::uint64_t divisor = 1;   // only its multiples are wanted

  std::uint64_t nearest(std::uint64_t value) const {
    std::uint64_t result = (std::min)((std::max)(value, lowest), highest);
    while (multiple != 0 && multiple % result != 0) --result;  // 1 divides each number
    return result - result % divisor;
  }
};

inline std::optional<std::uint64_t> read_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

inline std::optional<wanted_range> read_range(std::string_view text) {
  if (const auto number = read_number(text)) return wanted_range{*number, *number};
  const auto last = read_number(text.substr(text.rfind(' ') + 1));
  if (!last) return std::nullopt;
  if (const std::size_t to = text.find(" to "); to != std::string_view::npos)
    if (const auto first = read_number(text.substr(0, to))) return wanted_range{*first, *last};
  if (text.starts_with("at least ")) return wanted_range{*last, saturated};
  if (text.starts_with("at most ")) return wanted_range{0, *last};
  if ((text.starts_with("below ") || text.starts_with("less than ")) && *last > 0) return wanted_range{0, *last - 1};
  if (text.starts_with("a divisor of ") && *last > 0) return wanted_range{1, *last, *last};
  if (text.starts_with("a multiple of ") && *last > 0) return wanted_range{*last, saturated, 0, *last};
  return std::nullopt;
}

// "{1,2,3}"
inline std::optional<dimensions> read_dimensions(std::string_view text) {
  if (text.size() < 3 || text.front() != '{' || text.back() != '}') return std::nullopt;
  dimensions result;
  for (text = text.substr(1, text.size() - 2);;) {
    const std::size_t comma = (std::min)(text.find(','), text.size());
    const auto number = read_number(text.substr(0, comma));
    if (!number || *number > 0xFFFF'FFFF) return std::nullopt;
    result.push_back(*number);
    if (comma == text.size()) return result;
    text.remove_prefix(comma + 1);
  }
}

// Sets the member of a tensor to the value that a violation wants. Returns whether anything changed.
inline bool repair_tensor(const violation& broken, tensor_desc& tensor, std::vector<scalar>& elements) {
  const std::string_view wanted = broken.wanted.view();
  if (broken.member == "DataType") {
    const auto type = data_type_from_name(wanted);
    if (!type || element_size_in_bits(*type) == 0) return false;
    set_data_type(tensor, elements, *type);
    return true;
  }
  if (broken.member == "TotalTensorSizeInBytes") {
    tensor.total_tensor_size_in_bytes = std::nullopt;
    return true;
  }
  const auto range = read_range(wanted);
  if (broken.member == "DimensionCount") {
    if (!range || range->lowest == 0 || range->lowest > dimensions::capacity) return false;
    set_dimension_count(tensor, elements, static_cast<std::size_t>(range->nearest(tensor.sizes.size())));
    return true;
  }
  if (broken.member != "Sizes") return false;
  if (const auto sizes = read_dimensions(wanted)) {
    if (sizes->size() != tensor.sizes.size()) return false;
    reshape(tensor, elements, *sizes, [](const coordinate_tuple& c) { return c; });
    return true;
  }
  if (!range || !broken.index || *broken.index >= tensor.sizes.size()) return false;
  const std::uint64_t size = range->nearest(tensor.sizes[*broken.index]);
  if (size == 0 || size > 0xFFFF'FFFF || size == tensor.sizes[*broken.index]) return false;
  set_size(tensor, elements, *broken.index, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(size));
  return true;
}

// Keeps the first entries of a list. Returns whether there were more.
inline bool shorten_list(const attribute& a, void* value, std::uint64_t count) {
  bool changed = false;
  visit_value(a, value, [&]<class T>(T& list) {
    if constexpr (is_number_list<T> || std::is_same_v<T, activation_list>) {
      if (list.size() <= count) return;
      T shorter;
      for (std::size_t i = 0; i < count; ++i) shorter.push_back(list[i]);
      list = shorter;
      changed = true;
    }
  });
  return changed;
}

// The same for an attribute: integers, entries of lists of integers, counts of lists that are too long, and types of
// scalars.
inline bool repair_attribute(const violation& broken, std::span<const attribute> rows, void* desc) {
  for (const attribute& a : rows) {
    void* value = a.address(desc);
    if (a.kind == attribute_kind::scalar && a.companion == broken.member) {
      const auto type = data_type_from_name(broken.wanted.view());
      if (!type || element_size_in_bytes(*type) == 0) return false;
      auto& number = *static_cast<scalar*>(value);
      number = scalar_of(*type, number_of(number));
      return true;
    }
    const auto range = read_range(broken.wanted.view());
    // Lists may share their count: the first that is too long.
    if (a.companion == broken.member && range && shorten_list(a, value, range->highest)) return true;
    if (a.name != broken.member) continue;
    if (!range || range->nearest(0) > 0xFFFF'FFFF) return false;
    if (a.kind == attribute_kind::uint32) {
      auto& number = *static_cast<std::uint32_t*>(value);
      number = static_cast<std::uint32_t>(range->nearest(number));
      return true;
    }
    if (a.kind == attribute_kind::list_of_uint32 && broken.index) {
      auto& list = *static_cast<dimensions*>(value);
      if (*broken.index >= list.size()) return false;
      list[*broken.index] = static_cast<std::uint32_t>(range->nearest(list[*broken.index]));
      return true;
    }
  }
  return false;
}

// Whether the case is legal or could be repaired.
inline bool repair(test_case<any_desc>& c) {
  const operator_description& op = c.desc.description();
  constexpr int most_rounds = 32;
  c.elements.resize(c.tensors.size());
  for (int round = 0; round < most_rounds; ++round) {
    auto operands = to_operands(c.tensors);
    violation_sink sink;
    check(c.desc, operands, sink);
    if (!sink.first()) return true;
    const violation& broken = *sink.first();
    if (broken.operand.empty()) {
      if (!repair_attribute(broken, op.attributes, c.desc.get())) return false;
      continue;
    }
    std::size_t tensor = c.tensors.size();
    for (std::size_t i = c.tensors.size(); i-- > 0;) {
      const operand_place place = place_of_tensor(op.operands, i, c.tensors.size());
      if (op.operands[place.info].name == broken.operand && place.element == broken.element.value_or(0)) tensor = i;
    }
    if (tensor == c.tensors.size() || !c.tensors[tensor] ||
        !repair_tensor(broken, *c.tensors[tensor], c.elements[tensor]))
      return false;
  }
  return false;
}

}  // namespace goldml::oracle::detail
