// What `goldml run --explain` prints: each dispatch of a model as DirectML C++ source to paste, and in its comments
// what the rules make of it. Generic over operator_traits, but for the facts that only one operator has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/dxdispatch.hpp>

#include "directml_source.hpp"

namespace goldml::tool {

namespace detail {

// A stranger's text for a // comment: without control characters, bidirectional ones and backslashes, so that the
// comment ends where it seems to.
inline std::string in_comment(std::string_view text) {
  std::string result;
  for (const char c : io::in_quotes(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) result += byte < 0x80 && c != '\\' ? c : '?';  // one mark for a UTF-8 character
  }
  return result;
}

// 1 matrix, 2 matrices.
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

template <class Desc, class Member>
std::string policy_text(const Desc& desc, const attribute<Desc, Member>& policy) {
  if constexpr (std::is_same_v<Member, bool>)
    return fmt::format(" {}={}", policy.name, desc.*policy.member);
  else
    return fmt::format(" {}={}", policy.name, enumerator_name(desc.*policy.member));
}

// Of a sound tensor whose elements have a size: "the last element is at 1*3 + 2*1 = 5; (5 + 1) * 4 = 24 bytes".
inline std::string size_text(const operand& t) {
  const tensor_desc& desc = *t.desc;
  const dimensions strides = effective_strides(desc);
  std::string terms;
  for (std::size_t i = 0; i < desc.sizes.size(); ++i)
    if (desc.sizes[i] > 1) terms += fmt::format("{}{}*{}", terms.empty() ? "" : " + ", desc.sizes[i] - 1, strides[i]);
  const std::uint64_t element_bytes = element_size_in_bytes(desc.data_type);
  const std::uint64_t bytes = t.span * element_bytes;
  const std::uint64_t implied = round_up_to_4(bytes);
  return fmt::format("the last element is at {}{}; ({} + 1) * {} = {} bytes{}{}", terms.empty() ? terms : terms + " = ",
                     t.span - 1, t.span - 1, element_bytes, bytes,
                     implied == bytes ? "" : fmt::format(", rounded up to {}", implied),
                     total_tensor_size_in_bytes(desc) == implied ? "" : "; the model gives another size");
}

// The level from which the operand takes this data type and number of dimensions.
inline std::string operand_level_text(const operand_info& info, const tensor_desc& desc) {
  for (const operand_limits& limits : info.limits)
    if (limits.data_types.contains(desc.data_type) && desc.sizes.size() >= limits.fewest_dimensions &&
        count_of(desc.sizes) <= limits.most_dimensions)
      return fmt::format("from feature level {} on", name_of(limits.from));
  return "at no feature level";
}

// `t` has been checked at the latest level.
inline void explain_tensor(std::ostream& out, const operand_info& info, const operand& t) {
  if (!t.desc) {
    out << fmt::format("  // {}: null{}\n\n", info.name, info.optional ? ", it is optional" : "");
    return;
  }
  const tensor_desc& desc = *t.desc;
  const dimensions packed = packed_strides(desc.sizes);
  const bool is_packed = effective_strides(desc) == packed;
  out << fmt::format("  // {}: {} {}, strides {} ({}), effective rank {}, {}\n", info.name, name_of(desc.data_type),
                     desc.sizes, effective_strides(desc),
                     is_packed ? "packed" : fmt::format("packed would be {}", packed), effective_rank(desc.sizes),
                     operand_level_text(info, desc));
  if (t.sound && element_size_in_bytes(desc.data_type) != 0)
    out << "  // TotalTensorSizeInBytes: " << size_text(t) << "\n";
  out << tensor_source(info.name, desc) << "\n";
}

// What the operator makes of its tensors, a line each: the parts of their shapes, and the sizes that its rules want.
// Operands have been checked at the latest level; of those that are not sound nothing can be said.
template <class Desc>
std::vector<std::string> facts_of(const Desc&, const operands_of<Desc>&) {
  return {};
}

inline std::vector<std::string> facts_of(const argmin_desc& desc, const operands_of<argmin_desc>& t) {
  if (!t[0].sound) return {};
  const dimensions& input = t[0].desc->sizes;
  const dimensions box = argmin_reduced_sizes(input, desc.axes);
  const dimensions output = argmin_output_sizes(input, desc.axes);
  return {fmt::format("{}: each the index, 0 to {}, of the least of {} in the box {}",
                      counted(element_count(output), "output element", "output elements"), element_count(box) - 1,
                      counted(element_count(box), "candidate", "candidates"), box),
          fmt::format("implied sizes of OutputTensor: {}, InputTensor's with 1 on each axis of {}", output, desc.axes)};
}

inline std::vector<std::string> facts_of(const nonzero_coordinates_desc&,
                                         const operands_of<nonzero_coordinates_desc>& t) {
  if (!t[0].sound) return {};
  const dimensions& input = t[0].desc->sizes;
  const std::size_t fewest = std::max<std::size_t>(1, effective_rank(input));
  const std::size_t count_size = t[1].sound ? t[1].desc->sizes.size() : 1;
  const std::size_t rows_size = t[2].sound ? t[2].desc->sizes.size() : 2;
  std::string rows = fmt::format("{}", left_pad({element_count(input)}, rows_size - 1, 1));
  rows.pop_back();
  std::vector<std::string> facts{
      fmt::format("M = {}, a row for each element of InputTensor", element_count(input)),
      fmt::format("N = {} to {}, a column for each coordinate: at least max(1, effective rank), at most DimensionCount",
                  fewest, input.size()),
      fmt::format("implied sizes of OutputCountTensor: {}", dimensions::filled(count_size, 1)),
      fmt::format("implied sizes of OutputCoordinatesTensor: {},N}}", rows)};
  if (t[2].sound) facts.back() += fmt::format(", of which N is {}", t[2].desc->sizes.back());
  return facts;
}

inline std::vector<std::string> facts_of(const scatter_nd_desc& desc, const operands_of<scatter_nd_desc>& t) {
  if (!t[0].sound || !t[1].sound) return {};
  const dimensions& input = t[0].desc->sizes;
  const dimensions& indices = t[1].desc->sizes;
  const auto counts = [&](std::uint32_t count) { return count >= 1 && count <= input.size(); };
  if (indices.size() != input.size() || !counts(desc.input_dimension_count) || !counts(desc.indices_dimension_count) ||
      indices.back() > desc.input_dimension_count)
    return {};  // S1, S4 or S6: no tuples to speak of
  const scatter_nd_shape shape(desc, input, indices);
  const bool fits = shape.tuples.size() + shape.slice.size() <= shape.dimension_count;  // S9
  return {fmt::format("{}, shape {}, of {} each", counted(element_count(shape.tuples), "index tuple", "index tuples"),
                      shape.tuples, counted(shape.tuple_size, "coordinate", "coordinates")),
          fmt::format("a tuple points into {} and replaces a slice of shape {}, {}", shape.places, shape.slice,
                      counted(element_count(shape.slice), "element", "elements")),
          fmt::format("implied sizes of UpdatesTensor: {}, tuples {} ++ slice {}",
                      fits ? fmt::format("{}", shape.updates_sizes()) : "none", shape.tuples, shape.slice),
          fmt::format("implied sizes of OutputTensor: {}, InputTensor's", input),
          "the indices themselves are not read: S10 and S11 are found when the model is played"};
}

inline std::vector<std::string> facts_of(const diagonal_matrix1_desc& desc,
                                         const operands_of<diagonal_matrix1_desc>& t) {
  if (!t[1].sound) return {};
  const dimensions& sizes = t[1].desc->sizes;
  const std::size_t rank = sizes.size();
  const std::int64_t height = sizes[rank - 2];
  const std::int64_t width = sizes[rank - 1];
  const std::int64_t begin = desc.diagonal_fill_begin;
  const std::int64_t end = desc.diagonal_fill_end;
  std::string band = fmt::format("{} <= t < {}", begin, end);
  if (begin == end) band = "none";
  if (begin > end) band = fmt::format("all but {} <= t < {}", end, begin);
  const std::int64_t within =
      std::max<std::int64_t>(0, std::min(std::max(begin, end), width) - std::max(std::min(begin, end), 1 - height));
  const std::int64_t all = height + width - 1;
  std::string implied = "any, as InputTensor is null: zero where nothing is filled";
  if (t[0].desc) implied = fmt::format("{}, InputTensor's", t[0].desc->sizes);
  return {fmt::format("{} of height {} and width {}",
                      counted(element_count(sizes.slice(0, rank - 2)), "matrix", "matrices"), height, width),
          fmt::format("filled diagonals t = x - y: {}; {} of {}, which run from {} to {}", band,
                      begin > end ? all - within : within, all, 1 - height, width - 1),
          "implied sizes of OutputTensor: " + implied};
}

// The first level at which the desc is legal, its memory left aside.
template <class Desc>
std::optional<feature_level> first_legal_level(Desc desc, operands_of<Desc> operands) {
  for (operand& t : operands) t.memory.reset();
  for (const auto& level : feature_levels) {
    desc.feature_level = level.value;
    violation_sink sink;
    check(desc, operands, sink);
    if (!sink.first()) return level.value;
  }
  return std::nullopt;
}

template <class Desc>
void explain_desc(std::ostream& out, const Desc& desc, const std::vector<violation>& broken,
                  operands_of<Desc> operands) {
  using traits = operator_traits<Desc>;
  if (const auto level = first_legal_level(desc, operands))
    out << fmt::format("// the desc is legal from feature level {} on (DML_TARGET_VERSION 0x{:x})\n", name_of(*level),
                       static_cast<std::uint32_t>(*level));
  else
    out << "// the desc is legal at no feature level\n";
  for (const violation& v : broken)
    out << fmt::format("// refused at {}: {}\n", name_of(desc.feature_level), to_string(v));
  Desc latest = desc;
  latest.feature_level = feature_level::latest;
  std::vector<violation> unused;
  violation_sink sink(&unused);  // with a list the check does not stop at the first violation
  check(latest, operands, sink);
  for (const std::string& fact : facts_of(desc, operands)) out << "// " << fact << "\n";
  std::string policies;
  std::apply([&](const auto&... policy) { ((policies += policy_text(desc, policy)), ...); }, traits::policies);
  if (!policies.empty()) out << "// policies, which are goldml's and not DirectML's:" << policies << "\n";

  out << "{\n";
  for (std::size_t i = 0; i < operands.size(); ++i) explain_tensor(out, traits::operands[i], operands[i]);
  out << operator_source(desc, operands) << "  // device->CreateOperator(&operatorDesc, ...)\n}\n";
}

}  // namespace detail

// Explains each dispatch, then each dispatchable that no command dispatches. Nothing is played. Returns the violation
// with which play() would refuse the model.
inline std::optional<violation> explain_model(io::model& m, std::ostream& out) {
  std::optional<violation> first;
  const auto dispatches = std::count_if(m.commands.begin(), m.commands.end(), [](const io::model_command& command) {
    return std::holds_alternative<io::dispatch_command>(command);
  });
  std::ptrdiff_t number = 0;
  io::detail::for_each_dispatch(
      m, [&]<class Desc>(const io::model_dispatchable& dispatchable, const Desc& desc, operands_of<Desc> operands) {
        std::vector<violation> broken;
        violation_sink sink(&broken);
        check(desc, operands, sink);
        if (!first) first = sink.first();
        out << (number == 0 ? "" : "\n") << "// "
            << (number < dispatches ? fmt::format("dispatch {}", number) : "not dispatched")
            << fmt::format(": {}, {}\n", detail::in_comment(dispatchable.name), operator_traits<Desc>::name);
        ++number;
        detail::explain_desc(out, desc, broken, operands);
      });
  return first;
}

}  // namespace goldml::tool
