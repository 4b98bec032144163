// The outputs of a simulated device: the elements in any layout, and garbage wherever it is allowed. Also outputs of a
// wrong form.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <goldml/oracle/compare.hpp>

#include "allowed.hpp"

namespace judged {

enum class layout { as_golden, packed, any };

inline void put_garbage(oracle::random_source& random, host_tensor& tensor) {
  for (std::byte& b : tensor.bytes()) b = static_cast<std::byte>(random.bits());
}

inline tensor_desc laid_out(oracle::random_source& random, tensor_desc desc, layout wanted) {
  if (wanted == layout::as_golden) return desc;
  desc.strides = {};
  desc.total_tensor_size_in_bytes = {};
  if (wanted == layout::any) {
    const auto pattern = random.chance(50) ? oracle::stride_pattern::permuted : oracle::stride_pattern::padded;
    desc.strides = oracle::detail::strides_of(random, desc.sizes, pattern);
  }
  return desc;
}

// The elements in memory; garbage in gaps and padding.
inline host_tensor in_memory(oracle::random_source& random, const tensor_desc& desc, const values& elements) {
  host_tensor result(desc);
  if (result.omitted()) return result;
  put_garbage(random, result);
  const writable_tensor writable(result.ref());
  visit_data_type(all_types{}, unpacked_type(desc.data_type), [&]<class T>(std::type_identity<T>) {
    const auto view = writable.ref().as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) view[c] = value_of<T>(elements[element++]);
  });
  return result;
}

inline std::vector<const_tensor_ref> refs_of(const std::vector<host_tensor>& tensors) {
  std::vector<const_tensor_ref> refs;
  for (const host_tensor& tensor : tensors) refs.push_back(tensor.ref());
  return refs;
}

inline std::vector<host_tensor> in_memory(oracle::random_source& random, const std::vector<tensor_desc>& descs,
                                          const std::vector<values>& outputs, layout wanted) {
  std::vector<host_tensor> result;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    result.push_back(in_memory(random, laid_out(random, descs[i], wanted), outputs[i]));
  return result;
}

inline std::vector<values> golden_values(const oracle::golden_outputs& answer) {
  std::vector<values> result;
  for (const oracle::golden_output& output : answer)
    result.push_back(output.values.omitted() ? values() : values_of(output.values.ref()));
  return result;
}

// Whether the outputs are accepted.
inline bool tolerated(const oracle::golden& golden, const std::vector<const_tensor_ref>& refs,
                      const oracle::compare_options& options = {}) {
  return oracle::compare(golden, refs, options).tolerated();
}

// Outputs of a wrong form, each made from a correct one.
struct form_fault {
  std::string_view name;
  // Returns whether the fault could be injected; `noticed` is then whether it was detected.
  std::function<bool(oracle::random_source&, const oracle::golden&, const std::vector<host_tensor>&, bool& noticed)>
      inject;
};

namespace detail {

inline bool with_desc(oracle::random_source& random, const oracle::golden& golden,
                      const std::vector<host_tensor>& right, bool& noticed, auto&& change) {
  auto refs = refs_of(right);
  const std::size_t output = random.below(refs.size());
  tensor_desc desc = refs[output].desc();
  if (!change(desc)) return false;
  refs[output] = const_tensor_ref(desc, refs[output].data());  // memory of unknown size
  const auto judged = oracle::compare(golden, refs);
  noticed = !judged.tolerated() && judged.result.mismatched();
  return true;
}

}  // namespace detail

inline std::vector<form_fault> form_faults() {
  using oracle::golden;
  using oracle::outcome;
  using oracle::random_source;
  using tensors = std::vector<host_tensor>;
  std::vector<form_fault> faults;
  // The elements stay in place; only the sizes are wrong.
  faults.push_back({"wrong sizes", [](random_source& random, const golden& g, const tensors& right, bool& noticed) {
                      return detail::with_desc(random, g, right, noticed, [&](tensor_desc& desc) {
                        const dimensions before = desc.sizes;
                        desc.strides = {};
                        if (random.chance(50)) random.shuffle(desc.sizes);
                        if (desc.sizes == before) {
                          const std::size_t count = desc.sizes.size();
                          if (count < 8 && random.chance(50))
                            desc.sizes = concatenate({1}, desc.sizes);
                          else if (count > 1 && desc.sizes[0] == 1)
                            desc.sizes = desc.sizes.slice(1, count);
                          else
                            desc.sizes = {element_count(desc.sizes)};
                        }
                        return desc.sizes != before;
                      });
                    }});
  faults.push_back({"wrong data type", [](random_source& random, const golden& g, const tensors& right, bool& noticed) {
                      return detail::with_desc(random, g, right, noticed, [&](tensor_desc& desc) {
                        const data_type before = desc.data_type;
                        while (desc.data_type == before ||
                               element_size_in_bits(desc.data_type) > std::max(8U, element_size_in_bits(before)))
                          desc.data_type = random.pick(data_types_a11);
                        return true;
                      });
                    }});
  faults.push_back(
      {"strides of another rank", [](random_source& random, const golden& g, const tensors& right, bool& noticed) {
         return detail::with_desc(random, g, right, noticed, [](tensor_desc& desc) {
           desc.strides = dimensions::filled(desc.sizes.size() - 1, 0);
           return desc.sizes.size() > 1;
         });
       }});
  faults.push_back(
      {"one element for all", [](random_source& random, const golden& g, const tensors& right, bool& noticed) {
         return detail::with_desc(random, g, right, noticed, [](tensor_desc& desc) {
           desc.strides = dimensions::filled(desc.sizes.size(), 0);
           return element_count(desc.sizes) > 1;
         });
       }});
  faults.push_back(
      {"a missing output", [](random_source& random, const golden& g, const tensors& right, bool& noticed) {
         auto refs = refs_of(right);
         if (random.chance(50))
           refs.pop_back();
         else
           refs[random.below(refs.size())] = const_tensor_ref();
         noticed = !tolerated(g, refs);
         return true;
       }});
  faults.push_back(
      {"an output without memory", [](random_source& random, const golden& g, const tensors& right, bool& noticed) {
         auto refs = refs_of(right);
         const std::size_t output = random.below(refs.size());
         refs[output] = const_tensor_ref(refs[output].desc(), nullptr);
         noticed = !tolerated(g, refs);
         return true;
       }});
  faults.push_back({"one output too many", [](random_source&, const golden& g, const tensors& right, bool& noticed) {
                      auto refs = refs_of(right);
                      refs.push_back(refs.back());
                      noticed = !tolerated(g, refs);
                      return true;
                    }});
  faults.push_back(
      {"memory too short", [](random_source& random, const golden& g, const tensors& right, bool& noticed) {
         auto refs = refs_of(right);
         const std::size_t output = random.below(refs.size());
         const tensor_desc& desc = refs[output].desc();
         const auto needed = addressed_size_in_bytes(desc.data_type, desc.sizes, effective_strides(desc));
         // A separate allocation of exactly that size, so that sanitizers detect reads beyond it.
         std::vector<std::byte> memory(static_cast<std::size_t>(needed - 1 - random.below(needed)));
         const std::byte none{};
         refs[output] = const_tensor_ref(desc, memory.empty() ? &none : memory.data(), memory.size());
         noticed = !tolerated(g, refs);
         return true;
       }});
  faults.push_back({"nothing compared", [](random_source&, const golden& g, const tensors& right, bool& noticed) {
                      golden undefined = g;
                      for (oracle::golden_outputs& answer : undefined.answers) {
                        answer.given = nullptr;  // which would make them again
                        for (oracle::golden_output& output : answer) output.verdicts.make_all_undefined();
                      }
                      noticed = oracle::compare(undefined, refs_of(right)).outcome() == outcome::nothing_defined &&
                                !tolerated(golden{}, refs_of(right)) && !tolerated(golden{{{}}}, {});
                      return true;
                    }});
  return faults;
}

}  // namespace judged
