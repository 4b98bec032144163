// The rules 3 to 12 of CONVOLUTION (CV) and CONVOLUTION_INTEGER (QC); 1 and 2, on data types and numbers of dimensions,
// are derived from their descriptions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <goldml/core/shape_rules.hpp>
#include <goldml/operators/convolution_desc.hpp>
#include <goldml/operators/fused_activation.hpp>

namespace goldml::detail {

// The codes of the rules, by number, and whether the tensors may have different data types.
struct convolution_codes {
  std::array<std::string_view, 13> rules;
  bool mixed_types;
};
inline constexpr convolution_codes convolution_cv{
    {"", "", "", "CV3", "CV4", "CV5", "CV6", "CV7", "CV8", "CV9", "CV10", "CV11", "CV12"}, false};
inline constexpr convolution_codes convolution_qc{
    {"", "", "", "QC3", "QC4", "QC5", "QC6", "QC7", "QC8", "QC9", "QC10", "", ""}, true};

class convolution_check {
 public:
  // `rows`: Mode, Direction, the five lists and GroupCount.
  convolution_check(const convolution_desc& desc, std::span<const attribute> rows, const std::array<operand, 4>& t,
                    const rule_report& report, const convolution_codes& codes = convolution_cv)
      : desc_(desc),
        rows_(rows),
        input_(t[0]),
        filter_(t[1]),
        bias_(t[2]),
        output_(t[3]),
        report_(report),
        codes_(codes) {}

  // Causes before consequences: 3, 4, 5, 11 and 12 before 6 to 10.
  void run() {
    const bool counted = input_.legal && check_counts();
    const bool stepped = check_steps();
    const bool grouped = check_groups();
    const bool directed = check_enumerators();
    if (directed && desc_.output_padding.size() == desc_.strides.size() &&
        desc_.output_padding.size() == desc_.dilations.size())
      check_output_padding();
    if (directed) {
      if (grouped && input_.legal && output_.legal) check_filter();
      if (comparable(input_, output_) && input_.desc->sizes[0] != output_.desc->sizes[0])
        report_(codes_.rules[7], "OutputTensor", "Sizes", violation_text("{}", output_.desc->sizes[0]),
                violation_text("{}", input_.desc->sizes[0]), violation_text("the input's batch size"), 0);
      if (counted && stepped) check_spatial_sizes();
    }
    check_bias();
    check_fused("FusedActivation", desc_.fused_activation, fusing_operator::convolution, desc_.feature_level, report_);
  }

 private:
  static constexpr std::size_t strides_row = 2, groups_row = 7;  // Mode and Direction come first

  static std::size_t rank(const operand& t) { return t.desc->sizes.size(); }
  // Whether the sizes of two tensors may be compared: rules 1 and 2 hold.
  bool comparable(const operand& a, const operand& b) const {
    return a.legal && b.legal && (codes_.mixed_types || a.desc->data_type == b.desc->data_type) && rank(a) == rank(b);
  }
  bool backward() const { return desc_.direction == convolution_direction::backward; }

  bool check_counts() const {
    const std::span<const attribute> rows = rows_.subspan(strides_row, 5);
    for (const attribute& row : rows)
      if (row.get<dimensions>(desc_).is_null()) {
        report_(codes_.rules[4], "", row.name, violation_text("null"), violation_text("a pointer"));
        return false;
      }
    for (const attribute& row : rows)  // the first wrong one: they share their count
      if (!check_per_dimension(row, row.get<dimensions>(desc_), rank(input_) - 2, report_)) return false;
    return true;
  }

  bool check_steps() const {
    const bool legal = check_at_least_1(rows_[strides_row], desc_.strides, report_);
    return check_at_least_1(rows_[strides_row + 1], desc_.dilations, report_) && legal;
  }

  bool check_groups() const {
    if (!check_at_least_1(rows_[groups_row], desc_.group_count, report_)) return false;
    const auto check = [&](const operand& t, std::string_view whose) {
      if (!t.legal || t.desc->sizes[1] % desc_.group_count == 0) return true;
      report_(codes_.rules[5], "", "GroupCount", violation_text("{}", desc_.group_count),
              violation_text("a divisor of {}", t.desc->sizes[1]), violation_text("the channels of {}", whose));
      return false;
    };
    const bool divides_input = check(input_, "the input");
    return check(output_, "the output") && divides_input;
  }

  bool check_enumerators() const {
    const bool mode = check_enumerator(rows_[0], desc_.mode, report_);
    return check_enumerator(rows_[1], desc_.direction, report_) && mode;
  }

  void check_output_padding() const {
    for (std::size_t i = 0; i < desc_.output_padding.size(); ++i) {
      const std::uint32_t padding = desc_.output_padding[i];
      const std::uint32_t end = (std::max)(desc_.strides[i], desc_.dilations[i]);
      if (!backward() && padding != 0)
        report_(codes_.rules[12], "", "OutputPadding", violation_text("{}", padding), violation_text("0"),
                violation_text("Direction FORWARD"), i);
      if (backward() && padding >= end && end != 0)
        report_(codes_.rules[12], "", "OutputPadding", violation_text("{}", padding), violation_text("less than {}", end),
                violation_text("the greater of the stride and the dilation"), i);
    }
  }

  // 6: filter {O, C / groups, ...}; BACKWARD {C, O / groups, ...}.
  void check_filter() const {
    const auto check = [&](const operand& t, std::size_t i, std::uint64_t got, std::string_view whose) {
      if (!comparable(filter_, t) || got == t.desc->sizes[1]) return;
      const std::uint32_t channels = t.desc->sizes[1];
      report_(codes_.rules[6], "FilterTensor", "Sizes", violation_text("{}", filter_.desc->sizes[i]),
              violation_text("{}", i == 0 ? channels : channels / desc_.group_count),
              violation_text("{} channels of {}, {} groups", channels, whose, desc_.group_count), i);
    };
    if (!filter_.legal) return;
    const std::uint64_t first = filter_.desc->sizes[0];
    const std::uint64_t second = std::uint64_t{filter_.desc->sizes[1]} * desc_.group_count;
    check(backward() ? input_ : output_, 0, first, backward() ? "the input" : "the output");
    check(backward() ? output_ : input_, 1, second, backward() ? "the output" : "the input");
  }

  void check_spatial_sizes() const {
    if (!comparable(input_, filter_)) return;
    for (std::size_t i = 0; i + 2 < rank(input_); ++i) {
      const std::uint32_t input = input_.desc->sizes[2 + i];
      const std::uint32_t filter = filter_.desc->sizes[2 + i];
      const std::int64_t least = convolution_output_size(desc_, i, input, filter);
      violation_text why("input {}, filter {}, ", input, filter);
      why.append(violation_text("stride {}, dilation {}, ", desc_.strides[i], desc_.dilations[i]).view());
      why.append(violation_text("padding {} and {}", desc_.start_padding[i], desc_.end_padding[i]).view());
      if (least < 1) {
        report_(codes_.rules[8], "FilterTensor", "Sizes", violation_text("{}", filter),
                backward() ? violation_text("an output size of at least 1")
                           : violation_text("a window inside the padded input"),
                why, 2 + i);
        continue;
      }
      if (!comparable(input_, output_)) continue;
      const std::int64_t most = least + (backward() ? std::int64_t{desc_.strides[i]} - 1 : 0);
      const std::int64_t got = output_.desc->sizes[2 + i];
      if (got < least || got > most)
        report_(codes_.rules[9], "OutputTensor", "Sizes", violation_text("{}", got),
                least == most ? violation_text("{}", least) : violation_text("{} to {}", least, most), why, 2 + i);
    }
  }

  // 10: bias {1, O, 1, ...}.
  void check_bias() const {
    if (!bias_.desc || !comparable(bias_, output_)) return;
    dimensions wanted = dimensions::filled(rank(bias_), 1);
    wanted[1] = output_.desc->sizes[1];
    if (bias_.desc->sizes != wanted)
      report_(codes_.rules[10], "BiasTensor", "Sizes", violation_text("{}", bias_.desc->sizes), violation_text("{}", wanted),
              violation_text("a number for each channel of the output"));
  }

  const convolution_desc& desc_;
  std::span<const attribute> rows_;
  const operand& input_;
  const operand& filter_;
  const operand& bias_;
  const operand& output_;
  const rule_report& report_;
  const convolution_codes& codes_;
};

}  // namespace goldml::detail
