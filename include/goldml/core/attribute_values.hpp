// Types of attribute values besides numbers, dimensions and scalar: lists of other elements, DirectML's small
// structures, and activations nested in another operator.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/inline_text.hpp>

namespace goldml {

// A list of at most 8 values without allocation. A longer one keeps its first 8 and says so in overlong(), for the
// operator's rules to refuse. Comparison is by value.
template <class T>
class value_list {
 public:
  static constexpr std::size_t capacity = 8;

  constexpr value_list() = default;
  constexpr value_list(std::initializer_list<T> values) {  // NOLINT(google-explicit-constructor): {1, -1}
    for (const T& value : values) push_back(value);
  }
  template <class Range>
  requires requires(const Range& range) {
    { *std::begin(range) } -> std::convertible_to<T>;
    std::end(range);
  }
  constexpr explicit value_list(const Range& range) {
    for (const T& value : range) push_back(value);
  }

  // Represents a null pointer with a count above 0 in one of DirectML's structures: empty, and is_null().
  static constexpr value_list null() {
    value_list result;
    result.length_ = null_length;
    return result;
  }

  constexpr void push_back(const T& value) {
    if (length_ < capacity) values_[length_] = value;
    if (length_ <= capacity) ++length_;
  }

  constexpr std::size_t size() const { return length_ <= capacity ? length_ : length_ == null_length ? 0 : capacity; }
  constexpr bool empty() const { return size() == 0; }
  constexpr bool overlong() const { return length_ == capacity + 1; }
  constexpr bool is_null() const { return length_ == null_length; }

  constexpr const T& operator[](std::size_t i) const { return values_[i]; }
  constexpr T& operator[](std::size_t i) { return values_[i]; }
  constexpr const T* begin() const { return values_.data(); }
  constexpr const T* end() const { return values_.data() + size(); }

  friend constexpr bool operator==(const value_list&, const value_list&) = default;

 private:
  static constexpr std::uint32_t null_length = capacity + 2;

  std::array<T, capacity> values_{};
  std::uint32_t length_ = 0;  // capacity + 1 of an overlong list, null_length of null()
};

using int32_list = value_list<std::int32_t>;
using float32_list = value_list<float>;

// {1,-1}
template <class T>
void append_text(detail::inline_text& text, const value_list<T>& values) {
  text.append("{");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text.append(",");
    text.put(values[i]);
  }
  text.append(values.overlong() ? ",...}" : "}");
}

// DML_SIZE_2D.
struct size_2d {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  friend constexpr bool operator==(const size_2d&, const size_2d&) = default;
};

// DML_SCALE_BIAS: x becomes scale * x + bias.
struct scale_bias {
  float scale = 1;
  float bias = 0;
  friend constexpr bool operator==(const scale_bias&, const scale_bias&) = default;
};

// An activation nested in another operator: DirectML's number of it, and its FLOAT parameters in the order of its C
// structure, those that it does not have 0.
struct activation {
  std::uint32_t operator_type = 0;  // DML_OPERATOR_TYPE
  std::array<float, 2> parameters{};
  bool has_tensors = false;  // a tensor of its C structure is not null, which every operator refuses
  std::optional<goldml::scale_bias> scale_bias = std::nullopt;  // of ELEMENT_WISE_CLIP
  dimensions axes = {};                                         // of ACTIVATION_SOFTMAX1
  friend constexpr bool operator==(const activation&, const activation&) = default;
};

using activation_list = value_list<activation>;

// An activation that DirectML lets another operator fuse: its structure is two tensors, both null there, a pointer to a
// DML_SCALE_BIAS if it takes one, and these FLOATs; or AxisCount and Axes.
struct activation_info {
  std::uint32_t operator_type;
  std::string_view name;  // DirectML's without DML_OPERATOR_
  std::array<std::string_view, 2> parameters{};
  bool takes_scale_bias = false;
  bool takes_axes = false;

  constexpr std::size_t parameter_count() const {
    std::size_t count = 0;
    for (const std::string_view parameter : parameters)
      if (!parameter.empty()) ++count;
    return count;
  }
};

inline constexpr std::array<activation_info, 22> activation_table{{
    {8, "ELEMENT_WISE_CLIP", {"Min", "Max"}, true},
    {35, "ACTIVATION_ELU", {"Alpha"}},
    {37, "ACTIVATION_HARD_SIGMOID", {"Alpha", "Beta"}},
    {38, "ACTIVATION_IDENTITY", {}},
    {39, "ACTIVATION_LEAKY_RELU", {"Alpha"}},
    {40, "ACTIVATION_LINEAR", {"Alpha", "Beta"}},
    {43, "ACTIVATION_PARAMETRIC_SOFTPLUS", {"Alpha", "Beta"}},
    {44, "ACTIVATION_RELU", {}},
    {45, "ACTIVATION_SCALED_ELU", {"Alpha", "Gamma"}},
    {46, "ACTIVATION_SCALED_TANH", {"Alpha", "Beta"}},
    {47, "ACTIVATION_SIGMOID", {}},
    {48, "ACTIVATION_SOFTMAX", {}},
    {49, "ACTIVATION_SOFTPLUS", {"Steepness"}},
    {50, "ACTIVATION_SOFTSIGN", {}},
    {51, "ACTIVATION_TANH", {}},
    {52, "ACTIVATION_THRESHOLDED_RELU", {"Alpha"}},
    {90, "ACTIVATION_SHRINK", {"Bias", "Threshold"}},
    {128, "ACTIVATION_CELU", {"Alpha"}},
    {157, "ACTIVATION_GELU", {}},
    {158, "ACTIVATION_SOFTMAX1", {}, false, true},
    {167, "ACTIVATION_SWISH", {"SigmoidInputScale"}},
    {168, "ACTIVATION_HARD_SWISH", {"Alpha", "Beta"}},
}};

// The activations by name, such as `.fused_activation = activations::relu()`; parameters in the order of DirectML's
// structure, with the defaults of DirectMLX.h. Which of them an operator fuses, and from which level on: its page.
namespace activations {

constexpr activation clip(float min, float max, std::optional<goldml::scale_bias> by = std::nullopt) {
  return {.operator_type = 8, .parameters = {min, max}, .scale_bias = by};
}
constexpr activation elu(float alpha = 1) { return {.operator_type = 35, .parameters = {alpha}}; }
constexpr activation hard_sigmoid(float alpha = 0.2F, float beta = 0.5F) {
  return {.operator_type = 37, .parameters = {alpha, beta}};
}
constexpr activation identity() { return {.operator_type = 38}; }
constexpr activation leaky_relu(float alpha = 0.01F) { return {.operator_type = 39, .parameters = {alpha}}; }
constexpr activation linear(float alpha = 1, float beta = 0) {
  return {.operator_type = 40, .parameters = {alpha, beta}};
}
constexpr activation parametric_softplus(float alpha = 1, float beta = 1) {
  return {.operator_type = 43, .parameters = {alpha, beta}};
}
constexpr activation relu() { return {.operator_type = 44}; }
constexpr activation scaled_elu(float alpha = 1.67326319217681884765625F, float gamma = 1.05070102214813232421875F) {
  return {.operator_type = 45, .parameters = {alpha, gamma}};
}
constexpr activation scaled_tanh(float alpha = 1, float beta = 0.5F) {
  return {.operator_type = 46, .parameters = {alpha, beta}};
}
constexpr activation sigmoid() { return {.operator_type = 47}; }
constexpr activation softmax() { return {.operator_type = 48}; }
constexpr activation softplus(float steepness = 1) { return {.operator_type = 49, .parameters = {steepness}}; }
constexpr activation softsign() { return {.operator_type = 50}; }
constexpr activation tanh() { return {.operator_type = 51}; }
constexpr activation thresholded_relu(float alpha = 1) { return {.operator_type = 52, .parameters = {alpha}}; }
constexpr activation shrink(float bias = 0, float threshold = 0.5F) {
  return {.operator_type = 90, .parameters = {bias, threshold}};
}
constexpr activation celu(float alpha = 1) { return {.operator_type = 128, .parameters = {alpha}}; }
constexpr activation gelu() { return {.operator_type = 157}; }
constexpr activation softmax1(const dimensions& axes) { return {.operator_type = 158, .axes = axes}; }
constexpr activation swish(float sigmoid_input_scale = 1) {
  return {.operator_type = 167, .parameters = {sigmoid_input_scale}};
}
constexpr activation hard_swish(float alpha = 1.0F / 6, float beta = 0.5F) {
  return {.operator_type = 168, .parameters = {alpha, beta}};
}

}  // namespace activations

// nullptr if the number is not one of these activations.
constexpr const activation_info* find_activation(std::uint32_t operator_type) {
  for (const activation_info& info : activation_table)
    if (info.operator_type == operator_type) return &info;
  return nullptr;
}

// By name, with or without DML_OPERATOR_.
constexpr const activation_info* find_activation(std::string_view name) {
  constexpr std::string_view prefix = "DML_OPERATOR_";
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  for (const activation_info& info : activation_table)
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace goldml
