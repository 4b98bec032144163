// libFuzzer: the comparison on cases from bytes. The golden output is correct in any layout. A change of an exact
// element or of a byte outside the tensor is detected. Outputs of any kind are compared and reported without a crash.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/core/packed_elements.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/watched_output.hpp>

#include "structured.hpp"

using namespace goldml;

namespace {

// Whether only the bits of the golden value are correct.
oracle::compare_options to_the_bit() {
  oracle::compare_options options;
  options.nans = oracle::nan_match::same_bits;
  options.zeros = oracle::zero_match::same_sign;
  [](auto& o) {
    if constexpr (requires { o.fp32_flush; }) o.fp32_flush = o.listing_order = false;
  }(options);
  return options;
}

// The golden output with other strides.
oracle::watched_output answer(oracle::random_source& random, const oracle::golden_output& golden) {
  tensor_desc desc{.data_type = golden.whole().data_type, .sizes = golden.whole().sizes};
  fuzz::choose_strides(random, desc, false);
  if (!oracle::mismatch_text(desc, const_tensor_ref(desc, &desc)).empty() ||
      total_tensor_size_in_bytes(desc) > 1U << 20)
    desc.strides = {};
  oracle::watched_output output(desc, random.bits());
  const writable_tensor writable(output.ref());
  visit_data_type(all_types{}, golden.values.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto from = golden.values.ref().as<T>();
    const auto to = writable.ref().as<T>();
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) to[c] = from[c];
  });
  return output;
}

std::string judged_report(const oracle::golden& golden, std::span<const const_tensor_ref> actual,
                          const oracle::compare_options& options) {
  const oracle::judgement judged = oracle::compare(golden, actual, options);
  const std::string text = oracle::report(golden, actual, judged, options, {"OPERATOR", {"a", "b"}}, "case");
  require(!text.empty());
  return text;
}

// Outputs of any type, sizes and strides, with any bytes.
void judge_anything(oracle::random_source& random, const oracle::golden& golden,
                    const oracle::compare_options& options) {
  std::vector<host_tensor> tensors;
  std::vector<const_tensor_ref> refs;
  std::vector<std::byte> bytes(4096);
  fill_with_pattern(bytes, random.bits());
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    tensor_desc desc;
    if (!golden.answers.empty() && !golden.answers[0].empty() && random.chance(70))
      desc = golden.answers[0][random.below(golden.answers[0].size())].values.desc();
    std::vector<std::optional<tensor_desc>> changed{desc};
    fuzz::change_tensor(random, changed);
    if (changed[0])
      refs.emplace_back(*changed[0], random.chance(90) ? bytes.data() : nullptr, random.below(bytes.size() + 1));
    else
      refs.emplace_back();
  }
  judged_report(golden, refs, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::tally::executed();
  fuzz::visit_input(data, size, [](const oracle::any_operator& op, oracle::random_source& random) {
    const auto text = fuzz::choose_case(op, random);
    if (!fuzz::is_legal(text) || !fuzz::is_cheap(text)) return;
    const auto inputs = oracle::detail::inputs_of(op, text);
    std::vector<const_tensor_ref> input_refs;
    std::vector<tensor_desc> outputs;
    for (std::size_t i = 0; i < text.tensors.size(); ++i)
      if (i < text.desc.description().input_count(text.tensors.size()))
        input_refs.push_back(text.tensors[i] ? inputs[i].ref() : const_tensor_ref());
      else
        outputs.push_back(text.tensors[i].value_or(tensor_desc()));
    std::vector<const_tensor_ref> initial;
    for (std::size_t i = input_refs.size(); i < inputs.size(); ++i) initial.push_back(inputs[i].ref());
    oracle::golden golden;
    try {
      golden = oracle::expect(text.desc, std::span<const const_tensor_ref>(input_refs),
                              std::span<const tensor_desc>(outputs), std::span<const const_tensor_ref>(initial));
    } catch (const error& refusal) {  // by a rule that depends on data
      require_one_line(refusal);
      return;
    }
    fuzz::tally::reached_kernel();

    std::vector<oracle::watched_output> actual;
    for (const oracle::golden_output& output : golden.answers.front()) actual.push_back(answer(random, output));
    const oracle::compare_options options = to_the_bit();
    const auto right = oracle::compare(golden, actual, options);
    require(right.result.agrees() || right.result.compared() == 0);
    require(!right.result.mismatched() && right.result.differing() == 0 && !right.result.wrote_outside());
    require(oracle::compare(golden, actual).result.differing() == 0);  // the golden output agrees

    // One bit of an element.
    std::size_t chosen = random.below(actual.size());
    while (golden.answers.front()[chosen].values.omitted()) chosen = (chosen + 1) % actual.size();
    const oracle::golden_output& wanted = golden.answers.front()[chosen];
    const std::size_t element = random.below(wanted.verdicts.size());
    const tensor_ref target = actual[chosen].ref();
    const coordinate_tuple where = coordinate_at(target.desc().sizes, element);
    const std::uint64_t width = element_size_in_bits(target.desc().data_type);
    const std::uint64_t bit = offset_of(where, effective_strides(target.desc())) * width + random.below(width);
    std::byte& changed = static_cast<std::byte*>(target.data())[bit / 8];
    const auto flip = static_cast<std::byte>(1U << bit % 8);
    changed ^= flip;
    const bool agrees = oracle::compare(golden, actual, options).result.agrees();
    if (wanted.verdicts[element] == verdict::exact) require(!agrees);
    changed ^= flip;

    // One byte outside.
    std::vector<std::byte>& bytes = actual[chosen].bytes();
    const std::uint64_t outside = random.below(2 * oracle::watched_output::guard_in_bytes);
    const std::size_t place =
        outside < oracle::watched_output::guard_in_bytes ? outside : bytes.size() - 1 - outside / 2;
    bytes[place] ^= std::byte{0x20};
    require(oracle::compare(golden, actual, options).result.wrote_outside());

    judge_anything(random, golden, options);
  });
  return 0;
}
