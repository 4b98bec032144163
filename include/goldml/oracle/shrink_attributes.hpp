// Simplifies attributes according to their kind. Used by shrink_edits.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/attributes.hpp>
#include <goldml/oracle/shrink_values.hpp>

namespace goldml::oracle::detail {

// Calls f(T&) with an attribute's value as the C++ type of its kind; an enumeration is passed as its number.
template <class Void, class F>
void visit_value(const attribute& a, Void* value, F&& f) {
  const auto as = [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_const_v<Void>)
      f(*static_cast<const T*>(value));
    else
      f(*static_cast<T*>(value));
  };
  switch (a.kind) {
    case attribute_kind::uint32:
      return as(std::type_identity<std::uint32_t>{});
    case attribute_kind::int32:
      return as(std::type_identity<std::int32_t>{});
    case attribute_kind::uint64:
      return as(std::type_identity<std::uint64_t>{});
    case attribute_kind::float32:
      return as(std::type_identity<float>{});
    case attribute_kind::boolean:
      return as(std::type_identity<bool>{});
    case attribute_kind::list_of_uint32:
      return as(std::type_identity<dimensions>{});
    case attribute_kind::list_of_int32:
      return as(std::type_identity<int32_list>{});
    case attribute_kind::list_of_float32:
      return as(std::type_identity<float32_list>{});
    case attribute_kind::scalar:
      return as(std::type_identity<scalar>{});
    case attribute_kind::size_2d:
      return as(std::type_identity<size_2d>{});
    case attribute_kind::scale_bias:
      return as(std::type_identity<std::optional<scale_bias>>{});
    case attribute_kind::activation:
      return as(std::type_identity<std::optional<activation>>{});
    case attribute_kind::list_of_activation:
      return as(std::type_identity<activation_list>{});
    case attribute_kind::enumeration: {
      std::uint32_t number = load_enumerator(value);
      f(number);
      if constexpr (!std::is_const_v<Void>) store_enumerator(value, number);
      return;
    }
  }
}

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_number_list =
    std::is_same_v<T, dimensions> || std::is_same_v<T, int32_list> || std::is_same_v<T, float32_list>;

// The value of the same attribute in another desc, as the type that visit_value() gives.
template <class T>
T value_of(const attribute& a, const void* value) {
  T result{};
  if (a.kind == attribute_kind::enumeration) {
    if constexpr (std::is_same_v<T, std::uint32_t>) result = load_enumerator(value);
  } else {
    result = *static_cast<const T*>(value);
  }
  return result;
}

// 0 for the default.
inline std::uint64_t attribute_cost(const attribute& a, const void* value, const void* plain) {
  std::uint64_t cost = 0;
  visit_value(a, value, [&]<class T>(const T& v) {
    if (v == value_of<T>(a, plain)) return;
    cost = 1;
    if constexpr (is_number<T>) {
      cost += plainness(static_cast<double>(v));
    } else if constexpr (is_number_list<T>) {
      for (std::size_t i = 0; i < v.size(); ++i) {
        cost += 1 + plainness(static_cast<double>(v[i]));
        for (std::size_t j = 0; j < i; ++j)
          if (v[j] > v[i]) ++cost;  // a sorted list is simpler
      }
    } else if constexpr (std::is_same_v<T, scalar>) {
      cost += plainness(number_of(v));
    } else if constexpr (std::is_same_v<T, size_2d>) {
      cost += plainness(v.width) + plainness(v.height);
    } else if constexpr (std::is_same_v<T, activation_list>) {
      cost += v.size();
    }
  });
  return cost;
}

// Changes to try on an attribute's value. Each returns whether it changed anything.
inline std::vector<std::function<bool(void*)>> simpler_values(const attribute& a, const void* value,
                                                              const void* plain) {
  std::vector<std::function<bool(void*)>> changes;
  const auto add = [&]<class T>(std::type_identity<T>, auto change) {
    changes.push_back([&a, change](void* target) {
      T v = value_of<T>(a, target);
      const T before = v;
      change(v);
      if constexpr (std::is_same_v<T, std::uint32_t>) {
        if (a.kind == attribute_kind::enumeration)
          store_enumerator(target, v);
        else
          *static_cast<T*>(target) = v;
      } else {
        *static_cast<T*>(target) = v;
      }
      return !(v == before);
    });
  };
  visit_value(a, value, [&]<class T>(const T& v) {
    constexpr std::type_identity<T> type;
    add(type, [p = value_of<T>(a, plain)](T& target) { target = p; });
    if constexpr (is_number<T>) {
      for (const double n : plainer_numbers(static_cast<double>(v)))
        if (has_number<T>(n)) add(type, [n](T& target) { target = static_cast<T>(n); });
    } else if constexpr (is_number_list<T>) {
      using entry = std::remove_cvref_t<decltype(v[0])>;
      add(type, [](T& target) {
        for (std::size_t i = 1; i < target.size(); ++i)
          for (std::size_t j = i; j > 0 && target[j] < target[j - 1]; --j) std::swap(target[j], target[j - 1]);
      });
      for (std::size_t i = 0; i < v.size(); ++i) {
        add(type, [i](T& target) {
          T shorter;
          for (std::size_t j = 0; j < target.size(); ++j)
            if (j != i) shorter.push_back(target[j]);
          target = shorter;
        });
        for (const double n : plainer_numbers(static_cast<double>(v[i])))
          if (has_number<entry>(n))
            add(type, [i, n](T& target) {
              if (i < target.size()) target[i] = static_cast<entry>(n);
            });
      }
    } else if constexpr (std::is_same_v<T, scalar>) {
      for (const double n : plainer_numbers(number_of(v)))
        add(type, [n](T& target) {
          if (target.type()) target = scalar_of(*target.type(), n);
        });
    } else if constexpr (std::is_same_v<T, size_2d>) {
      for (const auto member : {&size_2d::width, &size_2d::height})
        for (const double n : plainer_numbers(v.*member))
          if (has_number<std::uint32_t>(n))
            add(type, [member, n](T& target) { target.*member = static_cast<std::uint32_t>(n); });
    } else if constexpr (std::is_same_v<T, activation_list>) {
      for (std::size_t i = 0; i < v.size(); ++i)
        add(type, [i](T& target) {
          T shorter;
          for (std::size_t j = 0; j < target.size(); ++j)
            if (j != i) shorter.push_back(target[j]);
          target = shorter;
        });
    }
  });
  return changes;
}

// The contents of the attributes that are lists: an entry for each dimension, an entry for each of the last dimensions,
// as strides of a window, or numbers of dimensions.
enum class list_meaning { entries, last_entries, dimension_numbers, neither };

// The entry of a list of `length` entries for the last dimensions that belongs to dimension `d` of `count`; `length` if
// there is none.
constexpr std::size_t last_entry(std::size_t d, std::size_t count, std::size_t length) {
  return length <= count && d + length >= count ? d + length - count : length;
}

// Removes dimension `d` of `count` from the lists.
inline void remove_from_lists(std::span<const attribute> rows, void* desc, list_meaning meaning, std::size_t d,
                              std::size_t count) {
  for (const attribute& a : rows)
    visit_value(a, a.address(desc), [&]<class T>(T& list) {
      if constexpr (is_number_list<T>) {
        T result;
        for (std::size_t i = 0; i < list.size(); ++i) {
          if (meaning == list_meaning::neither ||
              (meaning == list_meaning::entries && (list.size() != count || i != d)) ||
              (meaning == list_meaning::last_entries && i != last_entry(d, count, list.size())))
            result.push_back(list[i]);
          if (meaning != list_meaning::dimension_numbers) continue;
          const auto number = static_cast<double>(list[i]);
          if (number != static_cast<double>(d))
            result.push_back(static_cast<std::remove_cvref_t<decltype(list[0])>>(
                number > static_cast<double>(d) ? list[i] - 1 : list[i]));
        }
        list = result;
      }
    });
}

// Sets the entries of lists for dimension `d` of `count` to 0, which repair() then makes the least legal value. Returns
// whether there were any.
inline bool reset_entries(std::span<const attribute> rows, void* desc, std::size_t d, std::size_t count) {
  bool changed = false;
  for (const attribute& a : rows)
    if (a.kind == attribute_kind::list_of_uint32) {
      auto& list = *static_cast<dimensions*>(a.address(desc));
      const std::size_t i = last_entry(d, count, list.size());
      if (i < list.size() && std::exchange(list[i], 0U) != 0) changed = true;
    }
  return changed;
}

// Dimension `d` of `count` was merged into the next one, and removed or left with size 1. Multiplies entries of lists,
// resets entries for the last dimensions, and renumbers dimensions.
inline void merge_list_entries(std::span<const attribute> rows, void* desc, list_meaning meaning, std::size_t d,
                               std::size_t count, bool removed) {
  if (meaning == list_meaning::entries)
    for (const attribute& a : rows)
      visit_value(a, a.address(desc), [&]<class T>(T& list) {
        if constexpr (is_number_list<T>) {
          if (list.size() != count) return;
          list[d + 1] = static_cast<std::remove_cvref_t<decltype(list[0])>>(list[d] * list[d + 1]);
          list[d] = 1;
        }
      });
  if (meaning == list_meaning::last_entries)
    for (const std::size_t either : {d, d + 1}) reset_entries(rows, desc, either, count);
  if (removed) remove_from_lists(rows, desc, meaning, d, count);
}

// Decrements integers above 1, as required for counts of dimensions. Returns whether there were any.
inline bool decrement_counts(std::span<const attribute> rows, void* desc) {
  bool changed = false;
  for (const attribute& a : rows)
    if (a.kind == attribute_kind::uint32) {
      auto& number = *static_cast<std::uint32_t*>(a.address(desc));
      changed = changed || number > 1;
      if (number > 1) --number;
    }
  return changed;
}

inline void convert_scalars(std::span<const attribute> rows, void* desc, data_type from, data_type to) {
  for (const attribute& a : rows)
    if (a.kind == attribute_kind::scalar) {
      auto& value = *static_cast<scalar*>(a.address(desc));
      if (value.type() == from) value = scalar_of(to, number_of(value));
    }
}

}  // namespace goldml::oracle::detail
