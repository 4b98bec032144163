// The cases of vectors.json (format: README.md): reads a case and runs it with evaluate(), by the operators' own
// descriptions. Nothing here depends on a particular operator.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#define RAPIDJSON_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : throw std::runtime_error("vectors.json: not " #condition))
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/istreamwrapper.h>

#include <goldml/core/number.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/reference/reference.hpp>

namespace published {

using namespace goldml;
using json = rapidjson::Value;
using bytes = std::vector<std::byte>;

constexpr std::byte sentinel{0xA5};

[[noreturn]] inline void malformed(const std::string& what) { throw std::runtime_error("vectors.json: " + what); }

inline std::string_view text_of(const json& value) { return {value.GetString(), value.GetStringLength()}; }

inline rapidjson::Document read_vectors() {
  std::ifstream file(GOLDML_PUBLISHED_VECTORS, std::ios::binary);
  if (!file) malformed("cannot open " GOLDML_PUBLISHED_VECTORS);
  rapidjson::IStreamWrapper stream(file);
  rapidjson::Document document;
  document.ParseStream<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(stream);
  if (document.HasParseError())
    malformed(fmt::format("{} at offset {}", rapidjson::GetParseError_En(document.GetParseError()),
                          document.GetErrorOffset()));
  return document;
}

inline bool has_tag(const json& one, std::string_view tag) {
  const auto& tags = one["tags"];
  return std::any_of(tags.Begin(), tags.End(), [&](const json& each) { return text_of(each) == tag; });
}

// A number of the file as an element. Integers are exact; decimals must be exact in the type.
template <class T>
T element_from(const json& value) {
  if constexpr (is_floating_type<T>) {
    const double number = value.IsString() && text_of(value) == "NaN"         ? std::numeric_limits<double>::quiet_NaN()
                          : value.IsString() && text_of(value) == "Infinity"  ? std::numeric_limits<double>::infinity()
                          : value.IsString() && text_of(value) == "-Infinity" ? -std::numeric_limits<double>::infinity()
                                                                              : value.GetDouble();
    const auto result = static_cast<T>(number);
    if (static_cast<double>(result) != number && !value.IsString()) malformed(fmt::format("{} is not exact", number));
    return result;
  } else {
    const bool fits = value.IsInt64() ? std::in_range<T>(value.GetInt64()) : std::in_range<T>(value.GetUint64());
    if (!fits) malformed("an integer does not fit its data type");
    return value.IsInt64() ? static_cast<T>(value.GetInt64()) : static_cast<T>(value.GetUint64());
  }
}

inline data_type data_type_from(const json& value) {
  std::string name(text_of(value));
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  const auto type = data_type_from_name(name);
  if (!type || element_size_in_bits(*type) == 0) malformed("no data type: " + name);
  return *type;
}

inline dimensions dimensions_from(const json& list) {
  dimensions result;
  for (const json& value : list.GetArray()) result.push_back(value.GetUint());
  if (result.overlong()) malformed("a list of more than 8");
  return result;
}

inline tensor_desc desc_from(const json& tensor) {
  return {.data_type = data_type_from(tensor["dtype"]), .sizes = dimensions_from(tensor["sizes"])};
}

// The elements in "data": all of them, or the defined rows; those of 4 bits as bytes. One that is null, which the
// source does not print, is 0.
inline bytes data_from(const json& tensor) {
  const tensor_desc desc = desc_from(tensor);
  std::uint64_t count = element_count(desc.sizes);
  if (tensor.HasMember("defined_rows")) count = std::uint64_t{tensor["defined_rows"].GetUint()} * desc.sizes.back();
  if (tensor["data"].Size() != count) malformed("as many numbers are wanted as the sizes say");
  bytes data;
  visit_data_type(all_types{}, unpacked_type(desc.data_type), [&]<class T>(std::type_identity<T>) {
    for (const json& value : tensor["data"].GetArray()) {
      const T x = value.IsNull() ? T{} : element_from<T>(value);
      if (is_4_bit(desc.data_type) && (x > T(15) || (desc.data_type == data_type::int4 && (x < T(-8) || x > T(7)))))
        malformed("an integer does not fit its data type");
      data.resize(data.size() + sizeof x);
      std::memcpy(data.data() + data.size() - sizeof x, &x, sizeof x);
    }
  });
  return data;
}

inline float float_from(const json& value) { return element_from<float>(value); }

// {"Type": "DML_OPERATOR_ACTIVATION_...", parameters}
inline activation activation_from(const json& value) {
  const activation_info* info =
      find_activation(text_of(value["Type"]).substr(std::string_view("DML_OPERATOR_").size()));
  if (info == nullptr) malformed("no activation");
  activation result{info->operator_type};
  for (std::size_t i = 0; i < info->parameter_count(); ++i)
    result.parameters[i] = float_from(value[std::string(info->parameters[i]).c_str()]);
  return result;
}

// Reads an attribute of the C structure, and its companion, into `desc`. Adds the number of members read to `count`; a
// shared companion counts once.
inline void read_attribute(const json& attributes, const attribute& row, bool introduces_companion, void* desc,
                           std::size_t& count) {
  const auto member = [&](std::string_view name) -> const json& { return attributes[std::string(name).c_str()]; };
  if (is_optional(row.kind) && !attributes.HasMember(std::string(row.name).c_str())) return;
  const json& value = member(row.name);
  void* target = row.address(desc);
  count += introduces_companion ? 2 : 1;
  if (is_list(row.kind) && member(row.companion).GetUint() != value.Size())
    malformed("a list is not as long as its count says");
  switch (row.kind) {
    case attribute_kind::uint32:
      *static_cast<std::uint32_t*>(target) = value.GetUint();
      return;
    case attribute_kind::int32:
      *static_cast<std::int32_t*>(target) = value.GetInt();
      return;
    case attribute_kind::uint64:
      *static_cast<std::uint64_t*>(target) = value.GetUint64();
      return;
    case attribute_kind::float32:
      *static_cast<float*>(target) = float_from(value);
      return;
    case attribute_kind::boolean:
      *static_cast<bool*>(target) = value.GetInt() != 0;
      return;
    case attribute_kind::enumeration:
      store_enumerator(target, row.names.value_of(text_of(value)).value());
      return;
    case attribute_kind::list_of_uint32:
      *static_cast<dimensions*>(target) = dimensions_from(value);
      return;
    case attribute_kind::list_of_int32:
      for (const json& entry : value.GetArray()) static_cast<int32_list*>(target)->push_back(entry.GetInt());
      return;
    case attribute_kind::list_of_float32:
      for (const json& entry : value.GetArray()) static_cast<float32_list*>(target)->push_back(float_from(entry));
      return;
    case attribute_kind::scalar:
      visit_data_type(all_types{}, data_type_from(member(row.companion)),
                      [&]<class T>(std::type_identity<T>) { *static_cast<scalar*>(target) = element_from<T>(value); });
      return;
    case attribute_kind::size_2d:
      *static_cast<size_2d*>(target) = {value["Width"].GetUint(), value["Height"].GetUint()};
      return;
    case attribute_kind::scale_bias:
      *static_cast<std::optional<scale_bias>*>(target) =
          scale_bias{float_from(value["Scale"]), float_from(value["Bias"])};
      return;
    case attribute_kind::list_of_activation:
      for (const json& entry : value.GetArray())
        static_cast<activation_list*>(target)->push_back(activation_from(entry));
      return;
    case attribute_kind::activation:
      malformed("an operator that fuses an activation: teach cases.hpp to read it");
  }
}

// Reads the attributes, and checks the counts of arrays of tensors.
template <class Desc>
Desc desc_of_case(const json& one) {
  const json& attributes = one["attributes"];
  Desc desc;
  std::size_t read_count = 0;
  constexpr auto& rows = operator_traits<Desc>::attributes;
  for (std::size_t i = 0; i < rows.size(); ++i)
    read_attribute(attributes, rows[i], introduces_companion(rows, i), &desc, read_count);
  for (const operand_info& info : operator_traits<Desc>::operands) {
    if (!info.is_array()) continue;
    const json& tensors = one[info.role == operand_role::input ? "inputs" : "outputs"][std::string(info.name).c_str()];
    if (attributes[std::string(info.count).c_str()].GetUint() != tensors.Size())
      malformed("an array of tensors is not as long as its count says");
    ++read_count;
  }
  if (read_count != attributes.MemberCount()) malformed("an attribute that the operator has not");
  return desc;
}

// Sets the policy of that name. Returns whether the operator has it.
template <class Desc>
bool set_policy(Desc& desc, std::string_view policy, std::string_view value) {
  for (const attribute& row : operator_traits<Desc>::policies)
    if (row.kind == attribute_kind::enumeration && row.name == policy) {
      store_enumerator(row.address(&desc), row.names.value_of(value).value());
      return true;
    }
  return false;
}

// The elements of `got` that are wrong: their bits differ (all NaNs are equal) or, past the expected elements, they are
// not the sentinel.
inline std::vector<std::size_t> differences(data_type type, const bytes& expected, const bytes& got) {
  std::vector<std::size_t> indices;
  visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
    const bytes untouched(sizeof(T), sentinel);
    for (std::size_t at = 0; at < (std::max)(got.size(), expected.size()); at += sizeof(T)) {
      bool same = at < got.size() &&
                  std::memcmp(&got[at], at < expected.size() ? &expected[at] : untouched.data(), sizeof(T)) == 0;
      if (!same && at < got.size() && at < expected.size()) {
        T a;
        T b;
        std::memcpy(static_cast<void*>(&a), &expected[at], sizeof a);
        std::memcpy(static_cast<void*>(&b), &got[at], sizeof b);
        same = is_nan(a) && is_nan(b);
      }
      if (!same) indices.push_back(at / sizeof(T));
    }
  });
  return indices;
}

// The same for figures that the source does not round correctly: elements that differ by more than its tolerance,
// either
// {"ulp"} or {"absolute", "relative"}.
inline std::vector<std::size_t> differences_beyond(data_type type, const json& tolerance, const bytes& expected,
                                                   const bytes& got) {
  const oracle::compare_options options =
      tolerance.HasMember("ulp")
          ? oracle::compare_options{.floats = oracle::float_match::ulp, .ulp = tolerance["ulp"].GetUint64()}
          : oracle::compare_options{.floats = oracle::float_match::tolerance,
                                    .zeros = oracle::zero_match::either_sign,  // they differ by 0
                                    .absolute = tolerance["absolute"].GetDouble(),
                                    .relative = tolerance["relative"].GetDouble()};
  if (expected.size() != got.size()) return {0};
  std::vector<std::size_t> indices;
  using types = type_list<float, float16, std::int8_t, std::uint8_t>;
  const bool known = visit_data_type(types{}, type, [&]<class T>(std::type_identity<T>) {
    for (std::size_t at = 0; at < got.size(); at += sizeof(T)) {
      T a{}, b{};
      std::memcpy(static_cast<void*>(&a), &expected[at], sizeof a);
      std::memcpy(static_cast<void*>(&b), &got[at], sizeof b);
      bool same = false;
      if constexpr (std::is_integral_v<T>)
        same = std::abs(int{a} - int{b}) <= options.absolute + options.relative * std::abs(int{a});
      else
        same = oracle::matches(a, b, options);
      if (!same) indices.push_back(at / sizeof(T));
    }
  });
  if (!known) malformed("a tolerance of another type than FLOAT32, FLOAT16, INT8 and UINT8");
  return indices;
}

struct output {
  std::string_view name;
  data_type type;
  bytes expected;
  bytes got;                        // the bytes of the output, initialised with the sentinel; of 4 bits one each
  const json* data = nullptr;       // the numbers of `expected` in the file
  const json* tolerance = nullptr;  // of FLOAT32 or FLOAT16
  bool omitted = false;
  bytes packed = {};  // the memory of an output of 4 bits

  // Whether the source prints no value of the element.
  bool is_open(std::size_t element) const {
    const auto i = static_cast<rapidjson::SizeType>(element);
    return data != nullptr && i < data->Size() && (*data)[i].IsNull();
  }

  std::vector<std::size_t> wrong() const {
    std::vector<std::size_t> found =
        tolerance == nullptr ? differences(type, expected, got) : differences_beyond(type, *tolerance, expected, got);
    std::erase_if(found, [&](std::size_t i) { return is_open(i); });
    return found;
  }
  bool right() const { return omitted || (!got.empty() && wrong().empty()); }
  bool untouched() const {
    return std::all_of(got.begin(), got.end(), [](std::byte b) { return b == sentinel; });
  }
};

// Sets the policies that the tags of a case ask for beside those that are refused or right by default: an element in the
// middle between two (ledger RM-R1).
template <class Desc>
void suit_policies(const json& one, Desc& desc) {
  if (has_tag(one, "nearest-tie")) set_policy(desc, "nearest_ties", "down");
}

struct outcome {
  std::optional<violation> refusal;
  std::vector<output> outputs;

  bool right() const {
    return !refusal && !outputs.empty() &&
           std::all_of(outputs.begin(), outputs.end(), [](const output& o) { return o.right(); });
  }
  bool refused_with(std::string_view rule) const {
    return refusal && refusal->rule == rule &&
           std::all_of(outputs.begin(), outputs.end(), [](const output& o) { return o.untouched(); });
  }
};

// The tensors of a case, in the order of the C structure.
struct case_tensors {
  std::vector<bytes> input_data;
  std::vector<const_tensor_ref> inputs;  // of input_data
  std::vector<output> outputs;
  std::vector<tensor_ref> output_refs;  // of `got` of the outputs
};

template <class Desc>
case_tensors tensors_of_case(const json& one) {
  case_tensors result;
  std::size_t known = 0;
  for (const operand_info& info : operator_traits<Desc>::operands) {
    const bool is_input = info.role == operand_role::input;
    const json& tensors = one[is_input ? "inputs" : "outputs"];
    const auto found = tensors.FindMember(std::string(info.name).c_str());
    if (found == tensors.MemberEnd()) {
      if (!info.optional) malformed("no " + std::string(info.name));
      if (is_input) {
        result.inputs.emplace_back();
      } else {
        result.output_refs.emplace_back();
        result.outputs.push_back(
            {.name = info.name, .type = data_type::float32, .expected = {}, .got = {}, .omitted = true});
      }
      continue;
    }
    ++known;
    const auto add = [&](const json& given) {
      const tensor_desc tensor = desc_from(given);
      bytes data = data_from(given);
      if (is_input && is_4_bit(tensor.data_type)) {
        host_tensor packed(tensor);
        pack(const_tensor_ref(unpacked_desc(tensor), data.data(), data.size()), packed.ref());
        data = packed.bytes();
      }
      if (is_input) {
        result.input_data.push_back(std::move(data));  // the bytes do not move when the vector of vectors grows
        result.inputs.emplace_back(tensor, result.input_data.back().data(), result.input_data.back().size());
      } else {
        const data_type type = unpacked_type(tensor.data_type);
        const auto size = element_count(tensor.sizes) * element_size_in_bytes(type);
        result.outputs.push_back({info.name, type, std::move(data), bytes(static_cast<std::size_t>(size), sentinel),
                                  &given["data"], one.HasMember("tolerance") ? &one["tolerance"] : nullptr});
        output& o = result.outputs.back();
        bytes& memory = is_4_bit(tensor.data_type) ? o.packed : o.got;
        if (is_4_bit(tensor.data_type)) memory.assign(size_in_bytes_of(tensor.data_type, size), sentinel);
        result.output_refs.emplace_back(tensor, memory.data(), memory.size());
      }
    };
    if (info.is_array())
      for (const json& each : found->value.GetArray()) add(each);
    else
      add(found->value);
  }
  if (known != one["inputs"].MemberCount() + one["outputs"].MemberCount()) malformed("a tensor of another operator");
  return result;
}

template <class Desc>
outcome play(const json& one, const Desc& desc) {
  case_tensors tensors = tensors_of_case<Desc>(one);
  outcome result;
  const std::vector<bytes> before = tensors.input_data;
  try {
    evaluate(reference, desc, std::span<const const_tensor_ref>(tensors.inputs),
             std::span<const tensor_ref>(tensors.output_refs));
  } catch (const error& refusal) {
    result.refusal = refusal.violation();
  }
  if (tensors.input_data != before) throw std::logic_error("an input was modified");
  for (std::size_t i = 0; i < tensors.outputs.size(); ++i)
    if (!tensors.outputs[i].packed.empty() && !result.refusal) {
      const host_tensor elements = unpacked(tensors.output_refs[i]);
      const auto count = static_cast<std::ptrdiff_t>(tensors.outputs[i].got.size());
      tensors.outputs[i].got.assign(elements.bytes().begin(), elements.bytes().begin() + count);
    }
  result.outputs = std::move(tensors.outputs);
  return result;
}

// Whether the figures are the answer of a device: they must be accepted or refused, and need not be golden values.
inline bool is_answer(const json& one) { return one.HasMember("device"); }

// Calls f(desc, name of the operator) with the case's desc under the default policies.
template <class F>
void with_desc(const json& one, F&& f) {
  const std::string_view name = text_of(one["op"]);
  const auto run = [&]<class Desc>(std::type_identity<Desc>) {
    f(desc_of_case<Desc>(one), operator_traits<Desc>::name);
  };
  if (!visit_operator(name, run)) malformed("no operator " + std::string(name));
}

}  // namespace published
