// Generates any number of test cases for every operator, over data types, ranks, stride patterns, attributes and
// classes of data. The cases are the same on every platform: see random.hpp. Illegal cases: generate_illegal.hpp.
//
//   for (const auto& c : oracle::cases<argmin_desc>({.count = 1000, .seed = 7})) { ... }
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/oracle/any_operator.hpp>
#include <goldml/oracle/case.hpp>
#include <goldml/oracle/data_class.hpp>
#include <goldml/oracle/expect_sample.hpp>
#include <goldml/oracle/fit_memory.hpp>
#include <goldml/oracle/generate_options.hpp>
#include <goldml/oracle/judged_names.hpp>
#include <goldml/oracle/random.hpp>
#include <goldml/oracle/samplers.hpp>
#include <goldml/oracle/selection.hpp>
#include <goldml/oracle/stride_pattern.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

namespace detail {

// Sets the elements of a tensor in row-major order. The last value of a shared element remains.
inline void put_elements(const std::vector<scalar>& elements, host_tensor& tensor) {
  const tensor_desc& desc = tensor.desc();
  const bool fits = elements.size() == element_count(desc.sizes) &&
                    std::all_of(elements.begin(), elements.end(),
                                [&](const scalar& value) { return value.type() == unpacked_type(desc.data_type); });
  if (!fits) throw std::invalid_argument("goldml: elements that are not those of the tensor's data type and sizes");
  const writable_tensor writable(tensor.ref());
  visit_data_type(all_types{}, unpacked_type(desc.data_type), [&]<class T>(std::type_identity<T>) {
    const tensor_view<T> view = writable.ref().as<T>();
    std::size_t number = 0;
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) view[c] = elements[number++].template as<T>();
  });
}

// Whether a case is of sizes_class::tiles: of mixed ones a quarter, spread evenly over the numbers of a seed.
inline bool draws_tiles(const generate_options& options, std::uint64_t seed) {
  if (!options.sizes.empty() || options.sizes_class == sizes_class::small_sizes) return false;
  return options.sizes_class == sizes_class::tiles || seed * 0xD1B5'4A32'D192'ED03 >> 62 == 0;
}

// One of the classes whose sums are exact at any length, if the options have any.
inline std::optional<data_class> one_for_long_sums(random_source& random, const std::vector<data_class>& classes) {
  const data_class wanted = random.chance(50) ? data_class::ties : data_class::dense;
  return is_wanted(classes, wanted) ? std::optional(wanted) : std::nullopt;
}

// The input values of a case with a legal desc and tensors; of one that reads outputs, then what each of these
// contains.
template <class Any>
std::vector<host_tensor> inputs_of(const any_operator& op, const test_case<Any>& c) {
  random_source random(c.seed);
  std::vector<host_tensor> inputs;
  const std::size_t tensors = c.tensors.size(), input_count = op.description->input_count(tensors);
  const auto is_given = [&](std::size_t k) { return c.tensors[k].has_value(); };
  for (std::size_t i = 0; i < tensors; ++i) {
    if (i >= input_count && !op.description->reads_output(i, tensors, is_given)) continue;
    inputs.resize(i < input_count ? input_count : tensors);
    if (!c.tensors[i]) continue;
    inputs[i] = host_tensor(*c.tensors[i], std::byte{0xA5});
    fill_with(random, c.data, inputs[i]);
  }
  if (op.fill != nullptr) op.fill(random, c.desc.get(), c.data, inputs);
  for (std::size_t i = 0; i < inputs.size() && i < c.elements.size(); ++i)
    if (!c.elements[i].empty()) put_elements(c.elements[i], inputs[i]);
  return inputs;
}
template <class Desc>
std::vector<host_tensor> inputs_of(const test_case<Desc>& c) {
  return inputs_of<any_desc>(any_operator_of<Desc>(), to_any(c));
}

}  // namespace detail

// A case with everything that is needed to test a device.
template <class Desc>
struct generated_case {
  test_case<Desc> text;              // to_string(text) is the line that reproduces this case
  std::vector<host_tensor> inputs;   // in the order of the C structure; an omitted input has no bytes
  std::vector<tensor_desc> outputs;  // descs of the outputs; an omitted one has no sizes
  golden expected;
  // Of a case that reads outputs before it writes them, what these contain, one for each output; else empty.
  std::vector<host_tensor> initial = {};

  std::string line() const { return to_string(text); }

  // The inputs as arguments of a call. Valid as long as this case.
  std::vector<const_tensor_ref> input_refs() const { return detail::refs_of(inputs); }
  std::vector<const_tensor_ref> initial_refs() const { return detail::refs_of(initial); }
  // An output before the call.
  host_tensor new_output(std::size_t i) const {
    return detail::before_call(outputs[i], initial.empty() ? const_tensor_ref() : initial[i].ref());
  }
};

// Makes a case from its text: inputs, golden outputs and verdicts. Throws error for an illegal case.
template <class Any>
generated_case<Any> make_case(const any_operator& op, const test_case<Any>& text) {
  const std::size_t input_count = op.description->input_count(text.tensors.size());
  auto operands = to_operands(text.tensors);
  violation_sink sink;
  check(text.desc, operands, sink);
  if (sink.first()) throw error(*sink.first());

  generated_case<Any> result{text, detail::inputs_of<Any>(op, text), {}, {}};
  for (std::size_t i = input_count; i < result.inputs.size(); ++i) result.initial.push_back(result.inputs[i]);
  result.inputs.resize(input_count);
  for (std::size_t i = input_count; i < text.tensors.size(); ++i)
    result.outputs.push_back(text.tensors[i].value_or(tensor_desc()));
  result.expected =
      detail::expect_any<Any>(*op.golden, text.desc.get(), result.input_refs(), result.outputs, result.initial_refs());
  return result;
}
template <class Desc>
generated_case<Desc> make_case(const test_case<Desc>& text) {
  auto made = make_case<any_desc>(any_operator_of<Desc>(), detail::to_any(text));
  return {text, std::move(made.inputs), std::move(made.outputs), std::move(made.expected), std::move(made.initial)};
}

// The text of case `number` of a seed. Cases are independent, so any part of a run can be generated anywhere. Throws
// error T11 below the operator's first level, M10 for an invalid selection, M13 for a selection that no case fulfils.
template <class Any = any_desc>
test_case<Any> sample_case(const any_operator& op, const generate_options& options, std::uint64_t number) {
  constexpr std::uint64_t odd = 0x9E37'79B9'7F4A'7C15;  // spreads neighbouring numbers over all seeds
  const std::uint64_t seed = options.seed * odd + number;
  const bool tiles = detail::draws_tiles(options, seed);
  random_source random(seed, options.drawn_elements(), tiles);
  test_case<Any> result = detail::selection(op, options).sample(random);
  result.data = options.data[random.below(options.data.size())];
  // Sums of small integers are exact at any length, so that a verdict notices each missing term.
  if (tiles && random.chance(50)) result.data = detail::one_for_long_sums(random, options.data).value_or(result.data);
  if (op.suit != nullptr && options.attributes.empty()) op.suit(random, result.data, result);
  const std::size_t inputs = op.description->input_count(result.tensors.size());
  for (std::size_t i = 0; i < result.tensors.size(); ++i) {
    if (!result.tensors[i]) continue;
    tensor_desc& tensor = *result.tensors[i];
    stride_pattern pattern = options.strides[random.below(options.strides.size())];
    const bool may_share = i < inputs && i != op.unshared_input && result.data != data_class::exact;
    if (shares_addresses(pattern) && !may_share) pattern = stride_pattern::packed;
    if (pattern != stride_pattern::packed || random.chance(20))
      tensor.strides = detail::strides_of(random, tensor.sizes, pattern);
    if (random.chance(10)) tensor.total_tensor_size_in_bytes = buffer_tensor_size_in_bytes(tensor) + random.below(64);
  }
  result.seed = random.bits() >> 32;
  result.selection = std::make_shared<const generate_options>(options);
  return result;
}
template <class Desc>
test_case<Desc> sample_case(const generate_options& options, std::uint64_t number) {
  return detail::from_any<Desc>(sample_case<any_desc>(any_operator_of<Desc>(), options, number));
}

// The range of generated cases. Each is made when the iterator reaches it. Throws error like sample_case(): T11 and M10
// when the range is constructed, M13 when a case is generated.
template <class Desc>
class cases {
 public:
  explicit cases(generate_options options = {}) requires described<Desc>
      : cases(any_operator_of<Desc>(), std::move(options)) {}
  cases(const any_operator& op, generate_options options) : op_(&op), options_(std::move(options)) {
    detail::selection(op, options_);  // checks the options
  }

  class iterator {
   public:
    using value_type = generated_case<Desc>;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    iterator(const cases* range, std::uint64_t number) : range_(range), number_(number) {}

    value_type operator*() const {
      auto made = make_case<any_desc>(*range_->op_, sample_case<any_desc>(*range_->op_, range_->options_, number_));
      if constexpr (std::is_same_v<Desc, any_desc>)
        return made;
      else
        return {detail::from_any<Desc>(std::move(made.text)), std::move(made.inputs), std::move(made.outputs),
                std::move(made.expected), std::move(made.initial)};
    }
    iterator& operator++() {
      ++number_;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& a, const iterator& b) { return a.number_ == b.number_; }

   private:
    const cases* range_;
    std::uint64_t number_;
  };

  iterator begin() const { return {this, options_.first}; }
  iterator end() const { return {this, options_.first + options_.count}; }

 private:
  const any_operator* op_;
  generate_options options_;
};

// All operators, in the order of all_operators.
template <class Operators = all_operators>
std::span<const any_operator* const> every_operator() {
  static const auto all = []<class... Desc>(type_list<Desc...>) {
    return std::array{&any_operator_of<Desc>()...};
  }(Operators{});
  return all;
}

// The entry of an operator of the list.
template <class Operators = all_operators>
const any_operator& any_operator_of(const operator_description& description) {
  const auto all = every_operator<Operators>();
  return **std::find_if(all.begin(), all.end(), [&](const auto* op) { return op->description == &description; });
}

// memory_of_expect() and expect() of an operator of the list.
template <class Operators = all_operators>
std::uint64_t memory_of_expect(const any_desc& desc, std::span<const operand> operands) {
  return detail::memory_of_expect(*any_operator_of<Operators>(desc.description()).golden, desc.get(), operands);
}
template <class Operators = all_operators>
golden expect(const any_desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_desc> outputs,
              std::span<const const_tensor_ref> initial = {}) {
  return detail::expect_any<any_desc>(*any_operator_of<Operators>(desc.description()).golden, desc.get(), inputs,
                                      outputs, initial);
}

// The same for at most options.elements of each output, the work of that, and its memory.
template <class Operators = all_operators>
golden expect(const any_desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_desc> outputs,
              const sample_options& options) {
  return detail::expect_sample<any_desc>(*any_operator_of<Operators>(desc.description()).golden, desc.get(), inputs,
                                         outputs, options);
}
template <class Operators = all_operators>
work_counts work_of_elements(const any_desc& desc, std::span<const operand> operands, const sample_options& options) {
  return detail::work_of_elements(*any_operator_of<Operators>(desc.description()).golden, desc.get(), operands,
                                  options);
}
template <class Operators = all_operators>
std::uint64_t memory_of_elements(const any_desc& desc, std::span<const operand> operands,
                                 const sample_options& options) {
  return detail::memory_of_elements(*any_operator_of<Operators>(desc.description()).golden, desc.get(), operands,
                                    options);
}
template <class Operators = all_operators>
std::uint64_t memory_of_fit(const any_desc& desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output) {
  return detail::memory_of_fit(*any_operator_of<Operators>(desc.description()).golden, desc.get(), inputs, output);
}

// The names in the report of a call, of an operator of the list.
template <class Operators = all_operators>
judged_names names_of(const any_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t outputs) {
  detail::deciding_text text = nullptr;
  for_each_operator(Operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if (&description_of<Desc>() == &desc.description()) text = detail::deciding_text_of<Desc>();
  });
  return detail::names_of_call(desc, inputs, outputs, *any_operator_of<Operators>(desc.description()).golden, text);
}
// Of a generated case.
template <class Desc>
judged_names names_of(const generated_case<Desc>& c) {
  return names_of(c.text.desc, std::span<const const_tensor_ref>(c.input_refs()), c.outputs.size());
}

}  // namespace goldml::oracle

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template std::vector<host_tensor> oracle::detail::inputs_of<any_desc>(const oracle::any_operator&, const oracle::test_case<any_desc>&);
extern template oracle::generated_case<any_desc> oracle::make_case<any_desc>(const oracle::any_operator&, const oracle::test_case<any_desc>&);
extern template oracle::test_case<any_desc> oracle::sample_case<any_desc>(const oracle::any_operator&, const oracle::generate_options&, std::uint64_t);
// clang-format on
}  // namespace goldml
#endif
