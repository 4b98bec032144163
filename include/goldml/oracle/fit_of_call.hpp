// The fit of what a device answered to a call, beside its verdicts.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/oracle/compare_options.hpp>
#include <goldml/oracle/fit/fit.hpp>
#include <goldml/oracle/fit/result.hpp>
#include <goldml/oracle/golden.hpp>
#include <goldml/oracle/golden_calls.hpp>

namespace goldml::oracle {

namespace detail {

// Reads elements of a tensor by their number, in row-major order.
template <class T>
class numbered_elements {
 public:
  explicit numbered_elements(const tensor_view<const T>& view)
      : view_(view), packed_(packed_strides(view.sizes()) == view.strides()) {}
  T operator[](std::uint64_t i) const { return packed_ ? view_.data()[i] : T(view_[coordinate_at(view_.sizes(), i)]); }

 private:
  tensor_view<const T> view_;
  bool packed_;
};

// Z of a transform, at most.
inline constexpr double most_of_transform = 8;

// Of sums that no order rounds: the arithmetic that explains what differs, or nothing.
template <class Differs>
fit_result named_differences(fit_sums& sums, const fit_answers& got, const Differs& differs) {
  bool any = false;
  for (std::uint64_t e = 0; e < sums.elements() && !any; ++e) any = differs(e);
  if (!any) return {};
  sums.with_exact = true;
  fit_result result = fit_of(sums, got);
  if (result.independent < 16) return {};  // too few to tell
  result.outcome = fit_outcome::coarser;
  const bool is_winograd = result.explained_by == winograd_name;
  if ((result.explained_by.empty() || is_winograd) && sums.may_transform && result.rms < most_of_transform) {
    result.explained_by = transform_name;
    if (is_winograd) result.explained_by.append(", ").append(winograd_name);
    result.rest = result.rms;
  }
  return result;
}

template <class T>
fit_result fit_of_output(fit_sums& sums, const golden_output& golden, const tensor_view<const T>& actual,
                         const compare_options& options) {
  const numbered_elements<T> got(actual);
  const auto number_of = [&sums](std::uint64_t e) { return sums.output_of ? sums.output_of(e) : e; };
  if (golden.sample)  // without what is expected of the others, outliers are sought in the measured elements only
    return fit_of(sums, [&](std::uint64_t e) { return exact_double(got[number_of(e)]); });
  const numbered_elements<T> expected(golden.values.ref().template as<T>());
  const fit_answers answers = [&](std::uint64_t e) {
    const std::uint64_t number = number_of(e);
    const verdict v = golden.verdicts[static_cast<std::size_t>(number)];
    const double wanted = exact_double(expected[number]);
    const bool defined = v != verdict::undefined && v != verdict::depends;
    return defined && goldml::detail::is_finite_double(wanted) ? exact_double(got[number])
                                                               : std::numeric_limits<double>::quiet_NaN();
  };
  // The magnitude of the terms, in some unit: the width of the interval is the product of this, and of their number.
  const bool averages = sums.model.finish == fit_finish::average, is_root = sums.model.finish == fit_finish::root;
  sums.totals_of = [&, refused = options.refused()](std::uint64_t e) {
    const std::uint64_t number = number_of(e);
    const double y = exact_double(expected[number]);
    const auto* allowed = golden.verdicts.interval_of<interval_number<T>>(static_cast<std::size_t>(number), refused);
    const double width =
        allowed == nullptr ? 0 : static_cast<double>(allowed->high) - static_cast<double>(allowed->low);
    const auto count = static_cast<double>(sums.place_of(e).count);
    return fit_sums::totals{averages  ? y * count
                            : is_root ? y * y
                                      : y,
                            averages  ? width
                            : is_root ? width * y / count
                                      : width / count};
  };
  const fit_result result = fit_of(sums, answers);
  if (result.outcome != fit_outcome::none || result.is_too_long || sums.elements() == 0) return result;
  const fit_result of_differences = named_differences(sums, answers, [&](std::uint64_t e) {
    const double x = answers(e);
    return goldml::detail::is_finite_double(x) && x != exact_double(expected[number_of(e)]);
  });
  return of_differences.explained_by.empty() ? result : of_differences;
}

// Nothing is said of an operator that does not sum, or if there is no model of its sums. The inputs are those of the
// call; `actual` has the type and sizes of the output.
template <class Any>
fit_result fit_of_call(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs,
                       const golden_output& output, const const_tensor_ref& actual, const compare_options& options) {
  fit_sums sums;
  fit_result result;
  if (calls.sums == nullptr || !calls.sums(desc, inputs, output.whole(), sums)) {
    result.silent_because = "there is no model of its sums";
    return result;
  }
  sums.model.refuses_reciprocals = options.reciprocals == reciprocal_errors::refuse;
  visit_data_type(type_list<float, float16>{}, output.whole().data_type, [&]<class T>(std::type_identity<T>) {
    result = fit_of_output<T>(sums, output, actual.as<T>(), options);
  });
  const bool is_transform = result.explained_by.empty() || result.explained_by == winograd_name ||
                            result.explained_by.starts_with(transform_name);
  if (sums.accepts_transform && is_transform && result.misfits() && result.rms < most_of_transform)
    result.outcome = fit_outcome::fits;
  if (sums.output_of)
    for (std::uint64_t& e : result.outliers) e = sums.output_of(e);
  return result;
}

}  // namespace detail

}  // namespace goldml::oracle

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template oracle::fit_result oracle::detail::fit_of_call<any_desc>(const oracle::detail::golden_calls&, const void*, std::span<const const_tensor_ref>, const oracle::golden_output&, const const_tensor_ref&, const oracle::compare_options&);
// clang-format on
}  // namespace goldml
#endif
