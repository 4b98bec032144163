// Test cases in any number: every operator over data types x ranks x stride patterns x attributes x classes of data,
// and illegal ones with the rule they must break. The same on every platform: see random.hpp.
//
//   for (const auto& c : oracle::cases<argmin_desc>({.count = 1000, .seed = 7})) { ... }
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/validate.hpp>
#include <goldml/oracle/case.hpp>
#include <goldml/oracle/data_class.hpp>
#include <goldml/oracle/generate_options.hpp>
#include <goldml/oracle/random.hpp>
#include <goldml/oracle/samplers.hpp>
#include <goldml/oracle/selection.hpp>
#include <goldml/oracle/stride_pattern.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

namespace detail {

// Gives a tensor its elements in row-major order, as many as it has; the last to write a shared element stays.
inline void put_elements(const std::vector<scalar>& elements, host_tensor& tensor) {
  const tensor_desc& desc = tensor.desc();
  const bool fits = elements.size() == element_count(desc.sizes) &&
                    std::all_of(elements.begin(), elements.end(),
                                [&](const scalar& value) { return value.type() == desc.data_type; });
  if (!fits) throw std::invalid_argument("goldml: elements that are not those of the tensor's data type and sizes");
  visit_data_type(all_types{}, desc.data_type, [&]<class T>(std::type_identity<T>) {
    const tensor_view<T> view = tensor.ref().as<T>();
    std::size_t number = 0;
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) view[c] = elements[number++].template as<T>();
  });
}

// Input values of a case whose desc and tensors are legal.
template <class Desc>
std::vector<host_tensor> inputs_of(const test_case<Desc>& c) {
  random_source random(c.seed);
  std::vector<host_tensor> inputs;
  for (std::size_t i = 0; i < input_tensor_count<Desc>(c.tensors.size()); ++i) {
    inputs.emplace_back();
    if (!c.tensors[i]) continue;
    inputs.back() = host_tensor(*c.tensors[i], std::byte{0xA5});
    fill_with(random, c.data, inputs.back());
  }
  if constexpr (requires { sampler<Desc>::fill(random, c.desc, c.data, std::span(inputs)); })
    sampler<Desc>::fill(random, c.desc, c.data, std::span(inputs));
  for (std::size_t i = 0; i < inputs.size() && i < c.elements.size(); ++i)
    if (!c.elements[i].empty()) put_elements(c.elements[i], inputs[i]);
  return inputs;
}

}  // namespace detail

// A case with everything that a test of a device needs.
template <class Desc>
struct generated_case {
  test_case<Desc> text;              // to_string(text) is the line that makes this case again
  std::vector<host_tensor> inputs;   // in the order of the C structure; one left out has no bytes
  std::vector<tensor_desc> outputs;  // descs of the outputs
  golden expected;

  std::string line() const { return to_string(text); }

  // The inputs as a call takes them; valid while this case lives.
  std::vector<const_tensor_ref> input_refs() const {
    std::vector<const_tensor_ref> refs;
    for (const host_tensor& input : inputs) refs.push_back(input.bytes().empty() ? const_tensor_ref() : input.ref());
    return refs;
  }
};

// Makes a case from its text: inputs, golden outputs and verdicts. Throws error for an illegal one.
template <class Desc>
generated_case<Desc> make_case(const test_case<Desc>& text) {
  const std::size_t input_count = input_tensor_count<Desc>(text.tensors.size());
  auto operands = to_operands<Desc>(text.tensors);
  violation_sink sink;
  check(text.desc, operands, sink);
  if (sink.first()) throw error(*sink.first());

  generated_case<Desc> result{text, detail::inputs_of(text), {}, {}};
  for (std::size_t i = input_count; i < text.tensors.size(); ++i) result.outputs.push_back(*text.tensors[i]);
  result.expected = expect(text.desc, std::span<const const_tensor_ref>(result.input_refs()),
                           std::span<const tensor_desc>(result.outputs));
  return result;
}

// The text of case `number` of a seed. Every case stands alone, so that any part of a run can be made anywhere. Throws
// error T11 below the operator's first level, M10 for a selection that is wrong, M13 for one that nothing fulfils.
template <class Desc>
test_case<Desc> sample_case(const generate_options& options, std::uint64_t number) {
  constexpr std::uint64_t odd = 0x9E37'79B9'7F4A'7C15;  // spreads neighbouring numbers over all seeds
  random_source random(options.seed * odd + number, options.most_elements);
  const detail::selection<Desc> selected(options);
  sampled_case<Desc> sampled = selected.sample(random);
  const data_class data = options.data[random.below(options.data.size())];
  if constexpr (requires { sampler<Desc>::suit(random, data, sampled); })
    if (options.attributes.empty()) sampler<Desc>::suit(random, data, sampled);
  test_case<Desc> result{sampled.desc, sampled.tensors, data, {}};
  for (std::size_t i = 0; i < result.tensors.size(); ++i) {
    if (!result.tensors[i]) continue;
    tensor_desc& tensor = *result.tensors[i];
    stride_pattern pattern = options.strides[random.below(options.strides.size())];
    bool may_share = i < input_tensor_count<Desc>(result.tensors.size());
    if constexpr (requires { sampler<Desc>::unshared_input; })
      may_share = may_share && i != sampler<Desc>::unshared_input;
    if (shares_addresses(pattern) && !may_share) pattern = stride_pattern::packed;
    if (pattern != stride_pattern::packed || random.chance(20))
      tensor.strides = detail::strides_of(random, tensor.sizes, pattern);
    if (random.chance(10)) tensor.total_tensor_size_in_bytes = buffer_tensor_size_in_bytes(tensor) + random.below(64);
  }
  result.seed = random.bits() >> 32;
  return result;
}

// The range of generated cases; each is made when the iterator comes to it. Throws error like sample_case(): T11 and
// M10 when the range is made, M13 when a case is.
template <class Desc>
class cases {
 public:
  explicit cases(generate_options options = {}) : options_(std::move(options)) {
    detail::selection<Desc>{options_};  // what is wrong with them is said here
  }

  class iterator {
   public:
    using value_type = generated_case<Desc>;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    iterator(const generate_options* options, std::uint64_t number) : options_(options), number_(number) {}

    value_type operator*() const { return make_case(sample_case<Desc>(*options_, number_)); }
    iterator& operator++() {
      ++number_;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& a, const iterator& b) { return a.number_ == b.number_; }

   private:
    const generate_options* options_;
    std::uint64_t number_;
  };

  iterator begin() const { return {&options_, options_.first}; }
  iterator end() const { return {&options_, options_.first + options_.count}; }

 private:
  generate_options options_;
};

}  // namespace goldml::oracle
