// The correct answers of a call, with a verdict for each element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <goldml/core/host_tensor.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/oracle/sample.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

// The reason why another answer is correct as a whole. compare_options accepts or refuses each.
enum class deviation : std::uint8_t {
  none,           // the golden answer
  fp32_flush,     // the device flushes FLOAT32 subnormals (ledger 7.4)
  listing_order,  // the device numbers reduced elements in the order of unsorted Axes (ledger 7.3)
};

struct golden_output {
  host_tensor values;  // elements of 4 bits as bytes
  output_verdicts verdicts;
  deviation from_golden = deviation::none;  // the same for all outputs of an answer
  // For operators that may flush each element independently: the flushed elements, allowed if fp32_flush is accepted.
  std::shared_ptr<const host_tensor> flushed = {};
  // The verdicts of the flushed elements, or what may be flushed besides the golden elements.
  std::shared_ptr<const output_verdicts> flushed_verdicts = {};
  bool exact_nans = false;  // NaNs are compared by their bits, because elements are computed from bits
  // The output that counts the defined rows of this one. If it is wrong, this output is not compared.
  std::optional<std::size_t> counted_by = {};
  std::string_view alternative = {};  // verdict_options::alternative, if the answer is that
  std::string_view from = {};         // of the outputs that golden_outputs::given returned: given_output::from and note
  note_on_answer note = {};
  // The elements that `values` and the verdicts have, in one dimension; null if they have all.
  std::shared_ptr<const output_sample> sample = {};

  std::optional<tensor_desc> packed = {};  // of elements of 4 bits: the output's desc

  // Whether nothing is known of an element if the device flushes, as where what it divides by is 0 then.
  bool is_open_to_flushing(std::size_t element) const {
    return flushed_verdicts && (*flushed_verdicts)[element] == verdict::undefined;
  }
  // The output, of which a device has all elements.
  const tensor_desc& whole() const { return sample ? sample->whole : packed ? *packed : values.desc(); }
  // Where `values` has an element: `where` in the output, and number `element` of those that are judged.
  coordinate_tuple coordinate_of(const coordinate_tuple& where, std::size_t element) const {
    return sample ? coordinate_tuple{element} : where;
  }
};

// The elements as a device stores them.
inline host_tensor stored_values(const golden_output& output) {
  if (!output.packed) return output.values;
  host_tensor result(*output.packed);
  pack(output.values.ref(), result.ref());
  return result;
}

// The outputs of one call, in the order of the C structure. An omitted optional one has an omitted host_tensor.
struct golden_outputs : std::vector<golden_output> {
  using std::vector<golden_output>::vector;

  // If the verdicts on some elements follow from what the device answered elsewhere: these outputs with such verdicts.
  // `actual`, in the same order, is absent where an output has not its shape. Null if that says nothing: then the
  // verdicts are those here.
  std::function<std::shared_ptr<const golden_outputs>(const golden_outputs& self,
                                                      std::span<const const_tensor_ref> actual)>
      given = {};
};
// Why the answer is correct; the same for all its outputs.
inline deviation deviation_of(const golden_outputs& answer) {
  return answer.empty() ? deviation::none : answer.front().from_golden;
}

// The correct answers, each for all outputs as a whole. The golden answer is the first.
struct golden {
  std::vector<golden_outputs> answers;
};

}  // namespace goldml::oracle
