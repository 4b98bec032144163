// The "resources" of a model: buffers with initial values, in DxDispatch's five forms.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/io/json.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_numbers.hpp>
#include <goldml/io/npy.hpp>
#include <goldml/io/safe_path.hpp>

namespace goldml::io {

// A description of a resource, before anything is allocated for it.
class resource_plan {
 public:
  // Reads the member `name` of "resources", which is `definition`. Its files are searched in `model_folder`. `budget`
  // is the maximum number of bytes that it may take. Throws error M2, M4, M5, M6, M7, M8, M9, or an error of the .npy
  // file.
  resource_plan(std::string_view name, const json& definition, const std::filesystem::path& model_folder,
                const model_options& options, std::uint64_t budget)
      : name_(name), where_(fmt::format("resource {}", in_quotes(name))), budget_(budget), definition_(&definition) {
    if (!definition.IsObject()) refuse(definition, "M2", "resource", description(definition), "an object", where_);
    warn_unknown(definition,
                 {"initialValuesDataType", "initialValues", "sizeInBytes", "initialValuesOffsetInBytes", "resampleSize",
                  "resampleMode"},
                 where_, options.warn);
    if (const json* type = find_member(definition, "initialValuesDataType"))
      type_ = to_data_type(*type, "initialValuesDataType", where_);
    values_ = &required_member(definition, "initialValues", where_);
    if (values_->IsString() && text_of(*values_) == "deferred")
      refuse(*values_, "M5", "initialValues", "'deferred'", "values (goldml has no deferred resources)", where_);
    for (const std::string_view image : {"resampleSize", "resampleMode"})
      if (find_member(definition, image) != nullptr)
        refuse(definition, "M5", "resource", in_quotes(image), "values or a file of values (goldml reads no images)",
               where_);
    values_size_ = at_value(*values_, [&] { return size_of_values(model_folder, options); });
    offset_ = integer_or<std::uint64_t>(definition, "initialValuesOffsetInBytes", 0, where_);
    const std::uint64_t end = saturating_add(values_size_, offset_);
    size_ = integer_or<std::uint64_t>(definition, "sizeInBytes", round_up_to_4(end), where_);
    const json* const size_member = find_member(definition, "sizeInBytes");
    const json& size_place = size_member == nullptr ? definition : *size_member;
    if (end > size_)
      refuse(size_place, "M6", "sizeInBytes", fmt::format("{}", size_), fmt::format("at least {}", end),
             fmt::format("{} bytes of values at offset {}; {}", values_size_, offset_, where_));
    if (size_ > budget_)
      refuse(size_place, "M8", "sizeInBytes", fmt::format("{}", size_), fmt::format("at most {}", budget_),
             fmt::format("what --max-memory {} leaves; {}", options.max_memory, where_));
  }

  std::uint64_t size_in_bytes() const { return size_; }  // of the whole buffer
  std::uint64_t values_size_in_bytes() const { return values_size_; }

  // Allocates and fills the buffer. Bytes without a value are 0.
  model_resource fill() && {
    if (is_npy_ && offset_ == 0) {
      array_.bytes.resize(static_cast<std::size_t>(size_));
      return {name_, type_, size_, std::move(array_.bytes)};
    }
    model_resource resource{name_, type_, size_, std::vector<std::byte>(static_cast<std::size_t>(size_))};
    std::byte* const target = resource.bytes.data() + offset_;
    if (!file_.name.empty())
      fill_from_file(target);
    else if (values_->IsArray())
      write_list([next = target](std::uint32_t size) mutable { return std::exchange(next, next + size); });
    else
      fill_from_sequence(target);
    return resource;
  }

  // The same without a buffer. Checks the values in the JSON text, but of a floating-point sequence only the first
  // `most_bytes` bytes, which it subtracts. The contents of files are not read.
  model_resource check(std::uint64_t& most_bytes) && {
    std::array<std::byte, 8> scratch;
    if (file_.name.empty() && values_->IsArray())
      write_list([&](std::uint32_t) { return scratch.data(); });
    else if (file_.name.empty())
      check_sequence(most_bytes);
    return {name_, type_, size_, {}};
  }

 private:
  std::uint64_t size_of_values(const std::filesystem::path& model_folder, const model_options& options) {
    if (values_->IsArray()) {
      if (values_->Empty()) refuse(*values_, "M2", "initialValues", "an empty array", "at least one value", where_);
      if (type_ != data_type::unknown) return std::uint64_t{values_->Size()} * element_size();
      std::uint64_t size = 0;
      for (const json& constant : values_->GetArray()) {
        size += element_size_in_bytes(type_of_constant(constant));
        warn_unknown(constant, {"name", "type", "value"}, where_, options.warn);
      }
      return size;
    }
    if (!values_->IsObject())
      refuse(*values_, "M2", "initialValues", description(*values_), "an array or an object", where_);
    warn_unknown(*values_, {"valueCount", "value", "valueStart", "valueDelta", "sourcePath"}, where_, options.warn);
    const bool constant = find_member(*values_, "value") != nullptr;
    const bool sequence = find_member(*values_, "valueStart") != nullptr;
    const bool file = find_member(*values_, "sourcePath") != nullptr;
    if (constant + sequence + file == 0 || (constant && (sequence || file)))
      refuse(*values_, "M2", "initialValues", "an object", "exactly one of value, valueStart and sourcePath in it",
             where_);
    if (sequence && file && options.warn)
      options.warn(fmt::format("sourcePath of {} is ignored: valueStart is there", where_));
    if (!constant && !sequence)
      return at_value(*find_member(*values_, "sourcePath"), [&] { return size_of_file(model_folder, options); });
    const auto count = to_integer<std::uint64_t>(required_member(*values_, "valueCount", where_), "valueCount", where_);
    if (count == 0) refuse(*find_member(*values_, "valueCount"), "M4", "valueCount", "0", "at least 1", where_);
    return saturating_multiply(count, element_size());
  }

  std::uint32_t element_size() const {
    if (type_ == data_type::unknown)
      refuse(*definition_, "M2", "initialValuesDataType", "missing or UNKNOWN", "the data type of the values", where_);
    return element_size_in_bytes(type_);
  }

  std::uint64_t size_of_file(const std::filesystem::path& model_folder, const model_options& options) {
    const std::string_view name = required_text(*values_, "sourcePath", where_);
    file_ = path_from(model_folder, name, options.allow_outside, "sourcePath", where_);
    const input_file file(file_);
    if (!file.is_open())
      refuse("M9", "sourcePath", in_quotes(name), "a file below the model's folder",
             fmt::format("{}; {}", file.problem(), where_));
    is_npy_ = is_npy_file(file_, name, "sourcePath", options.allow_outside, where_);
    const std::uint64_t size = file.size();
    if (!is_npy_) {
      if (size == 0) refuse("M4", "sourcePath", "an empty file", "at least one element", where_);
      if (size % element_size() != 0)
        refuse("M4", "sourcePath", fmt::format("{} bytes", size),
               fmt::format("a multiple of {} ({})", element_size(), name_of(type_)), where_);
      return size;
    }
    array_ = read_npy(file_, budget_, [&](data_type, const auto&) { return !options.validate_only; });
    const std::uint64_t data_size = detail::npy_data_size(array_.shape, array_.type);
    if (data_size == 0) refuse("M4", "sourcePath", "an array without elements", "at least one", where_);
    if (type_ != data_type::unknown && type_ != array_.type)
      refuse(*find_member(*definition_, "initialValuesDataType"), "M4", "initialValuesDataType", name_of(type_),
             name_of(array_.type), fmt::format("the type in the .npy file; {}", where_));
    type_ = array_.type;
    return data_size;
  }

  data_type type_of_constant(const json& constant) const {
    if (!constant.IsObject())
      refuse(constant, "M2", "initialValues", description(constant),
             "objects with type and value, or an initialValuesDataType", where_);
    const data_type type = to_data_type(required_member(constant, "type", where_), "type", where_);
    if (type == data_type::unknown)
      refuse(*find_member(constant, "type"), "M2", "type", "UNKNOWN", list_of_names(names_of_data_types()), where_);
    return type;
  }

  // Writes each value of the list to room(size of it in bytes).
  template <class Room>
  void write_list(Room&& room) const {
    for (const json& value : values_->GetArray()) {
      const data_type type = type_ == data_type::unknown ? type_of_constant(value) : type_;
      const json& number = type_ == data_type::unknown ? required_member(value, "value", where_) : value;
      write_element(number, type, room(element_size_in_bytes(type)), "initialValues", where_);
    }
  }

  [[noreturn]] void refuse_element(std::uint64_t i, data_type type) const {
    const json& delta = *find_member(*values_, "valueDelta");
    refuse(delta, "M4", "valueDelta", description(delta), fmt::format("a sequence in the range of {}", name_of(type)),
           fmt::format("value {} of it is not; {}", i, where_));
  }

  // The first value and the step of a sequence.
  template <class T>
  struct number_sequence {
    T first;
    T step;  // not used for integers, whose difference may be negative even if the values may not
    std::uint64_t integer_step;
    std::uint64_t last;  // for integers: the last element in the range of T
  };

  template <class T>
  number_sequence<T> read_sequence() const {
    const T first = to_element<T>(*find_member(*values_, "valueStart"), "valueStart", where_);
    const json& delta = required_member(*values_, "valueDelta", where_);
    if constexpr (is_floating_type<T>) {
      return {first, to_element<T>(delta, "valueDelta", where_), 0, 0};
    } else {
      // In unsigned 64-bit arithmetic, no value in the range of the type overflows.
      const auto as_unsigned = [](auto value) { return static_cast<std::uint64_t>(value); };
      const auto step = to_integer<std::int64_t>(delta, "valueDelta", where_);
      const std::uint64_t room = step < 0 ? as_unsigned(first) - as_unsigned(std::numeric_limits<T>::lowest())
                                          : as_unsigned((std::numeric_limits<T>::max)()) - as_unsigned(first);
      const std::uint64_t step_size = step < 0 ? 0 - as_unsigned(step) : as_unsigned(step);
      return {first, T{}, as_unsigned(step), step_size == 0 ? saturated : room / step_size};
    }
  }

  // The next element of a floating-point sequence, accumulated in the element type, as in DxDispatch. FLOAT32 is
  // precise enough for the sum of two FLOAT16 to be rounded only once.
  template <class T>
  static T next_of(T value, T step) {
    if constexpr (std::is_same_v<T, float16>)
      return static_cast<float16>(static_cast<float>(value) + static_cast<float>(step));
    else
      return value + step;
  }

  // Whether element i of a sequence exceeds the range of its type.
  template <class T>
  static bool has_overflowed(const number_sequence<T>& given, T value) {
    return detail::is_infinite(value) && !detail::is_infinite(given.first) && !detail::is_infinite(given.step);
  }

  // Fills with a repeated value, or with a sequence.
  void fill_from_sequence(std::byte* target) const {
    visit_data_type(all_types{}, type_, [&]<class T>(std::type_identity<T>) {
      const std::uint64_t count = values_size_ / sizeof(T);
      const auto put = [&](std::uint64_t i, T element) { std::memcpy(target + i * sizeof(T), &element, sizeof(T)); };
      if (const json* constant = find_member(*values_, "value")) {
        const T element = to_element<T>(*constant, "value", where_);
        for (std::uint64_t i = 0; i < count; ++i) put(i, element);
        return;
      }
      const number_sequence<T> given = read_sequence<T>();
      T value = given.first;
      for (std::uint64_t i = 0; i < count; ++i) {
        if constexpr (is_floating_type<T>) {
          if (i > 0) value = next_of(value, given.step);
          if (has_overflowed(given, value)) refuse_element(i, type_);
        } else {
          if (i > given.last) refuse_element(i, type_);
          value = static_cast<T>(static_cast<std::uint64_t>(given.first) + given.integer_step * i);
        }
        put(i, value);
      }
    });
  }

  void check_sequence(std::uint64_t& most_bytes) const {
    visit_data_type(all_types{}, type_, [&]<class T>(std::type_identity<T>) {
      if (const json* constant = find_member(*values_, "value")) {
        static_cast<void>(to_element<T>(*constant, "value", where_));
        return;
      }
      const number_sequence<T> given = read_sequence<T>();
      const std::uint64_t count = values_size_ / sizeof(T);
      if constexpr (is_floating_type<T>) {
        T value = given.first;
        for (std::uint64_t i = 0; i < count && most_bytes >= sizeof(T); ++i) {
          most_bytes -= sizeof(T);
          if (i == 0) continue;
          const T next = next_of(value, given.step);
          if (has_overflowed(given, next)) refuse_element(i, type_);
          if (!(next > value) && !(next < value)) break;  // it no longer changes
          value = next;
        }
      } else if (count - 1 > given.last) {
        refuse_element(given.last + 1, type_);
      }
    });
  }

  void fill_from_file(std::byte* target) const {
    if (is_npy_) {
      std::memcpy(target, array_.bytes.data(), array_.bytes.size());
      return;
    }
    input_file file(file_);
    if (!file.is_open() || !file.read_all({target, static_cast<std::size_t>(values_size_)}))
      refuse(*find_member(*values_, "sourcePath"), "M9", "sourcePath", in_quotes(path_text(file_.name.filename())),
             fmt::format("a file of {} bytes that can be read", values_size_),
             fmt::format("{}; {}", file.problem(), where_));
  }

  std::string name_;
  std::string where_;  // for messages
  std::uint64_t budget_;
  const json* definition_;
  data_type type_ = data_type::unknown;
  const json* values_ = nullptr;
  file_place file_;
  bool is_npy_ = false;
  npy_array array_;
  std::uint64_t values_size_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace goldml::io
