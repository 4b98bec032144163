// What shrinking keeps of the options by which a case was drawn, so that the callable gets no case that it was not
// written for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <goldml/oracle/any_operator.hpp>
#include <goldml/oracle/case.hpp>
#include <goldml/oracle/generate_options.hpp>
#include <goldml/oracle/selection.hpp>
#include <goldml/oracle/shrink_values.hpp>
#include <goldml/oracle/stride_pattern.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle::detail {

// Keeps nothing of a case that was not drawn, but read from a line.
class kept_selection {
 public:
  kept_selection(const any_operator& op, const test_case<any_desc>& given) : op_(&op), given_(&given) {
    if (given.selection) selection_.emplace(op, *given.selection);
  }

  // The elements and the golden answer of the given case, with which the others are compared.
  void remember(const std::vector<host_tensor>& inputs, const golden& expected) {
    if (!selection_) return;
    answers_ = kinds_of(expected);
    for (const host_tensor& input : inputs) {
      ranges_.emplace_back();
      if (input.omitted()) continue;
      for (const scalar& value : elements_of(input.ref())) ranges_.back().add(number_of(value));
    }
  }

  // Whether a legal case is one that was asked for. Strides that have none of the patterns any more get one.
  bool fit(test_case<any_desc>& c) const {
    return !selection_ || (c.desc.level() == options().feature_level && selection_->is_as_wanted(c) &&
                           has_attributes(c) && has_sizes(c) && fit_strides(c));
  }

  // Whether the elements are of the classes of data: all are if the usual ones were asked for; otherwise no number is
  // beyond those of the given tensor.
  bool has_values(const test_case<any_desc>& c) const {
    if (!selection_ || std::all_of(usual_data_classes.begin(), usual_data_classes.end(),
                                   [&](data_class usual) { return is_wanted(options().data, usual); }))
      return true;
    range all;
    for (const range& one : ranges_) all.add(one);
    const bool same_tensors = c.tensors.size() == given_->tensors.size();
    for (std::size_t i = 0; i < c.elements.size(); ++i)
      for (const scalar& value : c.elements[i])
        if (!(same_tensors && i < ranges_.size() ? ranges_[i] : all).contains(number_of(value))) return false;
    return true;
  }

  // Whether the golden answer has no element that the pages leave open, unless that of the given case has such: an
  // index that is out of range, a collision of indices, unsorted axes.
  bool has_answers(const golden& expected) const {
    if (!selection_) return true;
    const open_answers found = kinds_of(expected);
    return found.undefined <= answers_.undefined && found.choices <= answers_.choices &&
           found.orders <= answers_.orders;
  }

 private:
  struct range {
    double least = std::numeric_limits<double>::infinity();
    double greatest = -std::numeric_limits<double>::infinity();
    bool nan = false, infinite = false;

    void add(double number) {
      if (std::isnan(number)) {
        nan = true;
      } else if (std::isinf(number)) {
        infinite = true;
      } else {
        least = (std::min)(least, number);
        greatest = (std::max)(greatest, number);
      }
    }
    void add(const range& other) {
      least = (std::min)(least, other.least);
      greatest = (std::max)(greatest, other.greatest);
      nan = nan || other.nan;
      infinite = infinite || other.infinite;
    }
    bool contains(double number) const {
      return std::isnan(number) ? nan : std::isinf(number) ? infinite : number >= least && number <= greatest;
    }
  };

  struct open_answers {
    bool undefined = false, choices = false, orders = false;
  };
  open_answers kinds_of(const golden& expected) const {
    open_answers found;
    for (const golden_outputs& answer : expected.answers) {
      found.orders = found.orders || deviation_of(answer) == deviation::listing_order;
      for (const golden_output& output : answer) {
        if (output.values.omitted()) continue;
        const std::uint64_t count = element_count(output.values.desc().sizes);
        for (std::size_t i = 0; i < count; ++i) {
          const verdict v = output.verdicts[i];
          // Rows beyond a count are undefined of any case.
          found.undefined = found.undefined || (v == verdict::undefined && !output.counted_by);
          found.choices = found.choices || (op_->description->moves && v != verdict::exact);
        }
      }
    }
    return found;
  }

  const generate_options& options() const { return *given_->selection; }

  bool has_attributes(const test_case<any_desc>& c) const {
    if (options().attributes.empty()) return true;
    any_desc wanted = c.desc;
    for (const std::string& text : options().attributes) set_attribute(wanted, text);
    for (const auto rows : {op_->attributes(), op_->policies()})
      for (const attribute& a : rows)
        if (attribute_text(a, wanted.get()) != attribute_text(a, c.desc.get())) return false;
    return true;
  }

  const dimensions& main_sizes(const test_case<any_desc>& c) const { return main_tensor_of(*op_, c)->sizes; }

  // No more elements than were asked for; of tiles a size from 15 on, as the least is 16 less one; of small ones none
  // above 64. Only where the given case is so.
  bool has_sizes(const test_case<any_desc>& c) const {
    const dimensions& sizes = main_sizes(c);
    const dimensions& given = main_sizes(*given_);
    const auto greatest = [](const dimensions& of) { return *std::max_element(of.begin(), of.end()); };
    if (element_count(sizes) > (std::max)(options().drawn_elements(), element_count(given))) return false;
    switch (options().sizes.empty() ? options().sizes_class : sizes_class::mixed) {
      case sizes_class::tiles:
        return greatest(sizes) >= (std::min)(greatest(given), std::uint32_t{15});
      case sizes_class::small_sizes:
        return greatest(sizes) <= (std::max)(greatest(given), std::uint32_t{64});
      default:
        return true;
    }
  }

  bool fit_strides(test_case<any_desc>& c) const {
    const std::size_t inputs = op_->description->input_count(c.tensors.size());
    for (std::size_t i = 0; i < c.tensors.size(); ++i) {
      if (!c.tensors[i]) continue;
      tensor_desc& tensor = *c.tensors[i];
      const bool shares = i < inputs && i != op_->unshared_input;
      const auto is_asked_for = [&](const dimensions& strides) {
        return std::any_of(options().strides.begin(), options().strides.end(), [&](stride_pattern pattern) {
          return has_pattern(tensor.sizes, strides,
                             shares_addresses(pattern) && !shares ? stride_pattern::packed : pattern);
        });
      };
      const dimensions packed = packed_strides(tensor.sizes);
      if (is_asked_for(tensor.strides.empty() ? packed : tensor.strides)) continue;
      const bool as_given = c.tensors.size() == given_->tensors.size() && given_->tensors[i] &&
                            given_->tensors[i]->sizes == tensor.sizes && given_->tensors[i]->strides == tensor.strides;
      if (as_given) continue;
      const dimensions close = tensor.strides.empty() ? packed : without_gaps(tensor.sizes, tensor.strides);
      if (is_asked_for(close))
        tensor.strides = close;
      else if (is_asked_for(packed))
        tensor.strides = {};
      else
        return false;
      tensor.total_tensor_size_in_bytes = std::nullopt;
    }
    return true;
  }

  const any_operator* op_;
  const test_case<any_desc>* given_;
  std::optional<selection> selection_;
  open_answers answers_;
  std::vector<range> ranges_;  // of the numbers of the given inputs
};

}  // namespace goldml::oracle::detail
