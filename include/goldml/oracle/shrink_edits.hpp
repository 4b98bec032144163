// The changes that shrink.hpp tries. They use only the operator's description: tensors, and attributes as rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <goldml/oracle/case.hpp>
#include <goldml/oracle/shrink_attributes.hpp>
#include <goldml/oracle/shrink_values.hpp>

namespace goldml::oracle::detail {

// Changes a case, or returns false if there is nothing to change. The result may be illegal.
using edit = std::function<bool(test_case<any_desc>&)>;

inline bool plain_layout(tensor_desc& tensor) {
  tensor_desc plain{.data_type = tensor.data_type, .sizes = tensor.sizes, .type = tensor.type};
  const bool changes = tensor != plain;
  tensor = plain;
  return changes;
}

// Packs all tensors, then one tensor, then resets one member of one tensor.
inline std::vector<edit> layout_edits(const test_case<any_desc>& c) {
  std::vector<edit> edits;
  edits.push_back([](test_case<any_desc>& e) {
    bool changed = false;
    for (auto& tensor : e.tensors)
      if (tensor) changed = plain_layout(*tensor) || changed;
    return changed;
  });
  const auto add = [&](std::size_t i, auto change) {
    edits.push_back([i, change](test_case<any_desc>& e) {
      if (!e.tensors[i]) return false;
      const tensor_desc before = *e.tensors[i];
      change(*e.tensors[i]);
      return *e.tensors[i] != before;
    });
  };
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    add(i, [](tensor_desc& t) { plain_layout(t); });
    add(i, [](tensor_desc& t) { t.total_tensor_size_in_bytes = {}; });
    add(i, [](tensor_desc& t) { t.strides = {}; });
    add(i, [](tensor_desc& t) { t.strides = packed_strides(t.sizes); });
    add(i, [](tensor_desc& t) { t.guaranteed_base_offset_alignment = 0; });
    add(i, [](tensor_desc& t) { t.flags = tensor_flags::none; });
  }
  return edits;
}

// Omits optional tensors, and removes tensors from an operand that is an array.
inline std::vector<edit> operand_edits(const test_case<any_desc>& c) {
  std::vector<edit> edits;
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    const operand_info& info = c.desc.description().info_of(i, c.tensors.size());
    if (info.is_array())
      edits.push_back([i](test_case<any_desc>& e) {
        if (e.tensors.size() <= e.desc.description().operands.size()) return false;  // the array has one tensor
        e.elements.resize(e.tensors.size());
        e.tensors.erase(e.tensors.begin() + static_cast<std::ptrdiff_t>(i));
        e.elements.erase(e.elements.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      });
    if (info.optional)
      edits.push_back([i](test_case<any_desc>& e) {
        e.elements.resize(e.tensors.size());
        e.elements[i].clear();
        return std::exchange(e.tensors[i], std::nullopt).has_value();
      });
  }
  return edits;
}

// The dimension of another tensor that corresponds to dimension `d` of `count`, counted from the front or from the
// back. `other` if there is none.
constexpr std::size_t aligned(std::size_t d, std::size_t count, std::size_t other, bool from_back) {
  if (!from_back) return (std::min)(d, other);
  return count - d <= other ? other - (count - d) : other;
}

// Reduces a size of one tensor, alone or together with all equal sizes of the same dimension, to 1, half or one less.
// Keeps the positions at either end; for small sizes also removes each single position, for others each of 4 to 32
// parts. Then does so with the dimension's entries in lists reset, also for all tensors at once: a window with strides,
// dilations and padding must fit into sizes, so that neither can be reduced alone.
inline std::vector<edit> size_edits(const test_case<any_desc>& c) {
  enum class reach { same_from_front, same_from_back, alone, all_from_back };
  constexpr std::uint32_t most_positions = 32;
  std::vector<edit> edits;
  const auto add_one = [&](std::size_t i, std::size_t d, std::uint32_t size, std::uint32_t smaller, std::uint32_t gap,
                           reach with, bool resets) {
    edits.push_back([=](test_case<any_desc>& e) {
      if (!e.tensors[i] || d >= e.tensors[i]->sizes.size() || e.tensors[i]->sizes[d] != size) return false;
      const std::size_t count = e.tensors[i]->sizes.size();
      e.elements.resize(e.tensors.size());
      for (std::size_t j = 0; j < e.tensors.size(); ++j) {
        if (!e.tensors[j] || (with == reach::alone && i != j)) continue;
        const std::size_t other =
            i == j ? d : aligned(d, count, e.tensors[j]->sizes.size(), with != reach::same_from_front);
        if (other < e.tensors[j]->sizes.size() && (e.tensors[j]->sizes[other] == size || with == reach::all_from_back))
          set_size(*e.tensors[j], e.elements[j], other, smaller, gap);
      }
      return !resets || reset_entries(e.desc.description().attributes, e.desc.get(), d, count);
    });
  };
  const auto add = [&](std::size_t i, std::size_t d, std::uint32_t size, std::uint32_t smaller, std::uint32_t gap,
                       bool resets = false) {
    for (const reach with : {reach::same_from_front, reach::same_from_back, reach::alone})
      add_one(i, d, size, smaller, gap, with, resets);
  };
  for (std::size_t i = 0; i < c.tensors.size(); ++i)
    for (std::size_t d = 0; c.tensors[i] && d < c.tensors[i]->sizes.size(); ++d) {
      const std::uint32_t size = c.tensors[i]->sizes[d];
      if (size == 1) continue;
      for (const bool resets : {false, true})
        for (const std::uint32_t smaller : {std::uint32_t{1}, size / 2 + size % 2, size - 1})
          for (const std::uint32_t gap : {smaller, std::uint32_t{0}}) add(i, d, size, smaller, gap, resets);
      for (const std::uint32_t gap : {std::uint32_t{1}, std::uint32_t{0}})
        add_one(i, d, size, 1, gap, reach::all_from_back, true);
      for (std::uint32_t position = 1; size <= most_positions && position + 1 < size; ++position)
        add(i, d, size, size - 1, position);
      for (std::uint32_t parts = 4; size > most_positions && parts <= most_positions; parts *= 2)
        for (std::uint32_t part = 0; part < parts; ++part) add(i, d, size, size - size / parts, part * (size / parts));
    }
  return edits;
}

// Merges two neighbouring dimensions in all tensors, with all positions and one dimension less, or without one position
// (the last, and in small tensors each other). {2,3} becomes {6}, or {1,5}.
inline std::vector<edit> merge_edits(const test_case<any_desc>& c) {
  constexpr std::uint32_t most_positions = 8;
  constexpr std::uint32_t last = 0xFFFF'FFFF;
  std::vector<edit> edits;
  std::size_t count = 0;
  for (const auto& tensor : c.tensors)
    if (tensor) count = (std::max)(count, tensor->sizes.size());
  const auto add = [&](list_meaning lists, bool remove, bool from_back, std::size_t d, std::uint32_t gap) {
    edits.push_back([=](test_case<any_desc>& e) {
      e.elements.resize(e.tensors.size());
      bool changed = false;
      for (std::size_t i = 0; i < e.tensors.size(); ++i) {
        if (!e.tensors[i]) continue;
        tensor_desc& tensor = *e.tensors[i];
        const std::size_t other = aligned(d, count, tensor.sizes.size(), from_back);
        if (other + 1 >= tensor.sizes.size()) continue;
        const bool merges = tensor.sizes[other] > 1 && tensor.sizes[other + 1] > 1;
        const std::uint64_t size = std::uint64_t{tensor.sizes[other]} * tensor.sizes[other + 1];
        if (size > 0xFFFF'FFFF || (gap != last && size > most_positions)) return false;
        changed = changed || (merges && (gap == last || gap + 1 < size));
        merge_dimension(tensor, e.elements[i], other, merges && !remove ? 1 : 0, gap);
        if (remove) remove_dimension(tensor, e.elements[i], other);
      }
      if (changed) merge_list_entries(e.desc.description().attributes, e.desc.get(), lists, d, count, remove);
      return changed;
    });
  };
  constexpr std::array meanings{list_meaning::entries, list_meaning::last_entries, list_meaning::dimension_numbers,
                                list_meaning::neither};
  for (const list_meaning lists : meanings)
    for (const bool remove : {true, false})
      for (const bool from_back : {false, true})
        for (std::size_t d = 0; d + 1 < count; ++d) add(lists, remove, from_back, d, last);
  for (const list_meaning lists : meanings)
    for (const bool from_back : {false, true})
      for (std::size_t d = 0; d + 1 < count; ++d)
        for (std::uint32_t gap = 0; gap + 1 < most_positions; ++gap) add(lists, false, from_back, d, gap);
  return edits;
}

// Removes a dimension from all tensors, counted from the front or from the back, or from one tensor. Also removes its
// entries in attributes that are lists with an entry per dimension, or lists of dimensions.
inline std::vector<edit> dimension_edits(const test_case<any_desc>& c) {
  std::vector<edit> edits;
  for (const list_meaning lists :
       {list_meaning::entries, list_meaning::last_entries, list_meaning::dimension_numbers, list_meaning::neither})
    for (const bool decrement : {false, true})
      for (const bool from_back : {false, true})
        for (std::size_t d = 0; d < dimensions::capacity; ++d)
          edits.push_back([=](test_case<any_desc>& e) {
            e.elements.resize(e.tensors.size());
            std::size_t count = 0;
            for (const auto& tensor : e.tensors)
              if (tensor) count = (std::max)(count, tensor->sizes.size());
            if (d >= count || count == 1) return false;
            for (std::size_t i = 0; i < e.tensors.size(); ++i) {
              if (!e.tensors[i] || e.tensors[i]->sizes.size() == 1) continue;
              const std::size_t other = aligned(d, count, e.tensors[i]->sizes.size(), from_back);
              if (other < e.tensors[i]->sizes.size()) remove_dimension(*e.tensors[i], e.elements[i], other);
            }
            remove_from_lists(e.desc.description().attributes, e.desc.get(), lists, d, count);
            return !decrement || decrement_counts(e.desc.description().attributes, e.desc.get());
          });
  for (std::size_t i = 0; i < c.tensors.size(); ++i)
    for (std::size_t d = 0; d < dimensions::capacity; ++d)
      edits.push_back([=](test_case<any_desc>& e) {
        if (!e.tensors[i] || d >= e.tensors[i]->sizes.size() || e.tensors[i]->sizes.size() == 1) return false;
        e.elements.resize(e.tensors.size());
        remove_dimension(*e.tensors[i], e.elements[i], d);
        return true;
      });
  return edits;
}

// Changes the data type of one tensor or of all tensors with this type, and of scalars accordingly.
inline std::vector<edit> data_type_edits(const test_case<any_desc>& c) {
  std::vector<edit> edits;
  for (std::size_t i = 0; i < c.tensors.size(); ++i)
    for (const bool all : {true, false})
      for (std::uint32_t number = 1; c.tensors[i] && number < static_cast<std::uint32_t>(c.tensors[i]->data_type);
           ++number)
        edits.push_back([=](test_case<any_desc>& e) {
          const auto type = static_cast<data_type>(number);
          if (!e.tensors[i] || e.tensors[i]->data_type == type) return false;
          const data_type before = e.tensors[i]->data_type;
          e.elements.resize(e.tensors.size());
          for (std::size_t j = 0; j < e.tensors.size(); ++j)
            if (e.tensors[j] && e.tensors[j]->data_type == before && (all || i == j))
              set_data_type(*e.tensors[j], e.elements[j], type);
          convert_scalars(e.desc.description().attributes, e.desc.get(), before, type);
          return true;
        });
  return edits;
}

inline std::vector<edit> attribute_edits(const test_case<any_desc>& c) {
  std::vector<edit> edits;
  const any_desc plain(c.desc.description());
  for (const attribute& a : c.desc.description().attributes)
    for (auto& change : simpler_values(a, a.address(c.desc.get()), a.address(plain.get())))
      edits.push_back(
          [&a, change = std::move(change)](test_case<any_desc>& e) { return change(a.address(e.desc.get())); });
  return edits;
}

// Resets policies and the feature level to their defaults.
inline std::vector<edit> policy_edits(const test_case<any_desc>& c) {
  std::vector<edit> edits;
  const any_desc plain(c.desc.description());
  for (const attribute& a : c.desc.description().policies)
    for (auto& change : simpler_values(a, a.address(c.desc.get()), a.address(plain.get())))
      edits.push_back(
          [&a, change = std::move(change)](test_case<any_desc>& e) { return change(a.address(e.desc.get())); });
  edits.push_back([](test_case<any_desc>& e) {
    const feature_level latest = any_desc(e.desc.description()).level();
    return std::exchange(e.desc.level(), latest) != latest;
  });
  return edits;
}

// Simplifies elements: all of a tensor, then halves, quarters and so on, then each alone and together with equal ones.
inline std::vector<edit> element_edits(const test_case<any_desc>& c) {
  std::vector<edit> edits;
  for (std::size_t i = 0; i < c.elements.size(); ++i) {
    const std::size_t count = c.elements[i].size();
    for (std::size_t size = count; size > 1; size = (size + 1) / 2)
      for (std::size_t begin = 0; begin < count; begin += size)
        for (const double value : {0.0, 1.0})
          edits.push_back([=](test_case<any_desc>& e) {
            for (std::size_t j = begin; j < (std::min)(begin + size, e.elements[i].size()); ++j)
              e.elements[i][j] = scalar_of(e.tensors[i]->data_type, value);
            return true;
          });
    for (std::size_t j = 0; j < count; ++j)
      for (const double value : plainer_numbers(number_of(c.elements[i][j]))) {
        edits.push_back([=](test_case<any_desc>& e) {
          e.elements[i][j] = scalar_of(e.tensors[i]->data_type, value);
          return true;
        });
        // All equal elements, because a failure may depend on equality.
        edits.push_back([=](test_case<any_desc>& e) {
          const scalar before = e.elements[i][j];
          std::replace(e.elements[i].begin(), e.elements[i].end(), before, scalar_of(e.tensors[i]->data_type, value));
          return true;
        });
      }
  }
  return edits;
}

}  // namespace goldml::oracle::detail
