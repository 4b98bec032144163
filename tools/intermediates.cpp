#include "intermediates.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/io/model_play.hpp>

namespace goldml::tool::detail {

namespace {

using oracle::certainty;

// The states of bytes. An element of which a range or a NaN is known has its data type in the first byte, and the
// numbers of the others in these, so that an element that was overwritten in part is seen.
constexpr std::uint8_t is_exact = 0;
constexpr std::uint8_t is_unknown = 1;
constexpr std::uint8_t is_first = 2;    // plus twice the data type, plus 1 for a NaN
constexpr std::uint8_t is_later = 128;  // plus the number of the byte

constexpr std::uint8_t first_state(data_type type, certainty state) {
  return static_cast<std::uint8_t>(is_first + 2 * static_cast<std::uint8_t>(type) +
                                   (state == certainty::any_nan ? 1 : 0));
}

// Calls f(element, coordinates, offset of its first byte in the tensor).
template <class F>
void for_each_offset(const tensor_desc& desc, F&& f) {
  const dimensions strides = effective_strides(desc);
  const std::uint64_t bits = element_size_in_bits(desc.data_type);
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(desc.sizes)) {
    std::uint64_t offset = 0;
    for (std::size_t d = 0; d < c.size(); ++d) offset += std::uint64_t{c[d]} * strides[d];
    f(element++, c, static_cast<std::size_t>(offset * bits / 8));
  }
}

// Whether there is memory between the elements of an output, or behind them: of 4 bits also half a byte.
bool has_gaps(const tensor_desc& desc) {
  const std::uint64_t bits = saturating_multiply(element_size_in_bits(desc.data_type), element_count(desc.sizes));
  return bits < saturating_multiply(8, total_tensor_size_in_bytes(desc));
}

}  // namespace

bool is_read(const io::model_dispatchable& of, std::size_t tensor) {
  const operator_description& op = of.desc.description();
  const std::size_t tensors = of.tensors.size();
  return tensor < op.input_count(tensors) ||
         op.reads_output(tensor, tensors, [&](std::size_t k) { return of.tensors[k].has_value(); });
}

intermediates::intermediates(const io::model& m) : model_(m), last_read_(m.resources.size()) {
  for (std::size_t i = 0; i < m.commands.size(); ++i)
    if (const auto* dispatch = std::get_if<io::dispatch_command>(&m.commands[i])) {
      const io::model_dispatchable& of = m.dispatchables[dispatch->dispatchable];
      for (std::size_t operand = 0; operand < dispatch->bindings.size(); ++operand)
        if (const auto& binding = dispatch->bindings[operand]; binding && !binding->is_initial && is_read(of, operand))
          last_read_[binding->resource] = i;
    }
}

oracle::legal_values intermediates::read(const io::model_binding& binding, const const_tensor_ref& golden) const {
  oracle::legal_values result(golden);
  const auto found = followed_.find(binding.resource);
  if (!golden.present() || binding.is_initial || found == followed_.end()) return result;
  const followed_bytes& bytes = found->second;
  const tensor_desc& desc = golden.desc();
  const auto begin = static_cast<std::size_t>(binding.offset_in_bytes);
  const auto size = static_cast<std::size_t>(size_in_bytes_of(desc.data_type, 1));
  const auto state_at = [&](std::size_t first) {
    const std::uint8_t* const states = bytes.states.data() + first;
    if (std::all_of(states, states + size, [](std::uint8_t s) { return s == is_exact; })) return certainty::exact;
    for (const certainty known : {certainty::between, certainty::any_nan}) {
      bool whole = states[0] == first_state(desc.data_type, known);
      for (std::size_t i = 1; i < size; ++i) whole = whole && states[i] == is_later + i;
      if (whole) return known;
    }
    return certainty::unknown;
  };
  for_each_offset(desc, [&](std::size_t element, const coordinate_tuple&, std::size_t offset) {
    const certainty state = state_at(begin + offset);
    if (state == certainty::exact) return;
    if (result.exact()) {
      result.low = host_tensor(golden);
      result.high = result.low;
      result.states.resize(static_cast<std::size_t>(element_count(desc.sizes)));
    }
    result.states[element] = state;
    if (state != certainty::between) return;
    std::memcpy(result.low.bytes().data() + offset, bytes.low.data() + begin + offset, size);
    std::memcpy(result.high.bytes().data() + offset, bytes.high.data() + begin + offset, size);
  });
  return result;
}

std::uint64_t intermediates::memory_of_write(const io::model_binding& binding, const oracle::legal_values& values,
                                             bool gaps_may_change) const {
  const tensor_desc& desc = values.golden.desc();
  const bool is_followed = followed_.contains(binding.resource);
  if (!is_followed && values.exact() && !(gaps_may_change && has_gaps(desc))) return 0;
  const std::uint64_t halves = is_4_bit(desc.data_type) ? total_tensor_size_in_bytes(desc) : 0;
  return halves + (is_followed ? 0 : 3 * std::uint64_t{model_.resources[binding.resource].bytes.size()});
}

void intermediates::write(const io::model_binding& binding, const oracle::legal_values& values, bool gaps_may_change) {
  const tensor_desc& desc = values.golden.desc();
  const auto size = static_cast<std::size_t>(size_in_bytes_of(desc.data_type, 1));
  const auto begin = static_cast<std::size_t>(binding.offset_in_bytes);
  const auto total = static_cast<std::size_t>(total_tensor_size_in_bytes(desc));
  const bool is_followed = followed_.contains(binding.resource);
  if (!is_followed && memory_of_write(binding, values, gaps_may_change) == 0) return;
  followed_bytes& bytes = followed_[binding.resource];
  if (!is_followed)
    for (auto* each : {&bytes.states, &bytes.low, &bytes.high})
      each->resize(model_.resources[binding.resource].bytes.size());
  if (gaps_may_change && has_gaps(desc))
    std::fill_n(bytes.states.begin() + static_cast<std::ptrdiff_t>(begin), total, is_unknown);
  // A byte of two elements is known if both are exact.
  const bool shares_bytes = is_4_bit(desc.data_type);
  if (shares_bytes) {
    std::vector<std::uint8_t> halves(total);
    for_each_offset(desc, [&](std::size_t, const coordinate_tuple&, std::size_t offset) {
      if (++halves[offset] == 2) bytes.states[begin + offset] = is_exact;
    });
  }
  for_each_offset(desc, [&](std::size_t element, const coordinate_tuple&, std::size_t offset) {
    std::uint8_t* const states = bytes.states.data() + begin + offset;
    const certainty state = values.exact() ? certainty::exact : values.states[element];
    if (shares_bytes) {
      if (state != certainty::exact) states[0] = is_unknown;
      return;
    }
    if (state == certainty::exact || state == certainty::unknown) {
      std::fill_n(states, size, state == certainty::exact ? is_exact : is_unknown);
      return;
    }
    for (std::size_t i = 0; i < size; ++i) states[i] = static_cast<std::uint8_t>(is_later + i);
    states[0] = first_state(desc.data_type, state);
    if (state != certainty::between) return;
    // The offsets in the answer, which is packed or has the strides of the output.
    std::memcpy(bytes.low.data() + begin + offset, values.low.bytes().data() + offset, size);
    std::memcpy(bytes.high.data() + begin + offset, values.high.bytes().data() + offset, size);
  });
}

}  // namespace goldml::tool::detail
