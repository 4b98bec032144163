// Shrinking for every operator: kernels that are wrong only under a condition, and the smallest case that is found for
// each.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/shrink.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "../support/refusals.hpp"
#include "../support/run_case.hpp"

using namespace goldml;
using oracle::generated_case;

namespace {

const tensor_desc& main_tensor(const auto& text) {
  return **std::find_if(text.tensors.begin(), text.tensors.end(), [](const auto& t) { return t; });
}

// The elements of the first input; empty if there is no input.
template <class Desc>
std::vector<double> first_input(const generated_case<Desc>& c) {
  std::vector<double> numbers;
  if (c.inputs.empty() || !c.text.tensors[0]) return numbers;
  for (const scalar& value : oracle::detail::elements_of(c.inputs[0].ref()))
    numbers.push_back(oracle::detail::number_of(value));
  return numbers;
}

// A kernel that returns the golden answer or, if `wrong` is true for the case, one that differs in every element.
template <class Desc>
std::vector<host_tensor> wrong_where(const generated_case<Desc>& c, bool wrong) {
  std::vector<host_tensor> outputs;
  for (const oracle::golden_output& output : c.expected.answers.front()) {
    outputs.push_back(oracle::stored_values(output));
    for (std::byte& b : outputs.back().bytes())
      if (wrong) b ^= std::byte{0x55};
  }
  return outputs;
}

// Shrinks the first generated case for which the kernel fails, and passes it to `smallest`; does nothing if none of
// 3000 cases fails.
template <class Desc, class Wrong>
void shrink_first_failure(const oracle::any_operator& op, const char* what, const Wrong& wrong,
                          const std::function<void(const generated_case<Desc>&)>& smallest) {
  // The calls for a desc whose type is known are other ones.
  constexpr bool typed = !std::is_same_v<Desc, any_desc>;
  INFO(op.name() << ", wrong where " << what);
  for (std::uint64_t number = 0; number < 3000; ++number) {
    const oracle::generate_options options{.seed = 71, .most_elements = 200};
    oracle::test_case<Desc> text = [&] {
      if constexpr (typed)
        return oracle::sample_case<Desc>(options, number);
      else
        return oracle::sample_case(op, options, number);
    }();
    std::uint64_t runs = 0;
    std::uint64_t illegal = 0;
    const auto run = [&](const generated_case<Desc>& c) {
      ++runs;
      if (!goldml_test::violations_of(c.text.desc, c.text.tensors).empty()) ++illegal;
      const std::vector<host_tensor> outputs = wrong_where(c, wrong(c));
      std::vector<const_tensor_ref> refs;
      for (const host_tensor& output : outputs) refs.push_back(output.ref());
      return oracle::compare(c.expected, refs);
    };
    const auto shrink = [&](const oracle::test_case<Desc>& failing) {
      if constexpr (typed)
        return oracle::shrink(failing, run);
      else
        return oracle::shrink(op, failing, run);
    };
    const auto shrunk = shrink(text);
    CHECK(shrunk.runs == runs);
    CHECK(illegal == 0);
    if (!shrunk.fails) {
      CHECK(runs == 1);
      CHECK(to_string(shrunk.text) == to_string(text));
      continue;
    }
    CHECK(runs <= 2000);
    const std::string line = to_string(shrunk.text);
    INFO(to_string(text) << "\nbecame, after " << runs << " runs,\n" << line);
    // The line reproduces the case, it still fails, and it cannot be reduced further.
    const auto made = [&] {
      if constexpr (typed)
        return oracle::make_case(oracle::parse_case<Desc>(line));
      else
        return oracle::make_case(op, oracle::parse_case(*op.description, line));
    }();
    CHECK(wrong(made));
    auto asked_for = made.text;
    asked_for.selection = text.selection;  // so that no element becomes undefined
    const auto again = shrink(asked_for);
    CHECK(to_string(again.text) == line);
    CHECK(to_string(shrink(text).text) == line);
    smallest(made);
    std::cout << fmt::format("shrink: wrong where {:<32} {:>4} runs: {}\n", what, shrunk.runs, line);
    return;
  }
  FAIL_CHECK("no case fails");
}

bool ever_takes(const operand_info& operand, data_type type) {
  return std::any_of(operand.limits.begin(), operand.limits.end(),
                     [&](const operand_limits& limits) { return limits.data_types.contains(type); });
}

feature_level level_of(const any_desc& desc) { return desc.level(); }
template <class Desc>
feature_level level_of(const Desc& desc) {
  return desc.feature_level;
}

// Whether a case is as simple as possible, except for the data types that `most_type` allows.
template <class Desc>
void check_plain(const generated_case<Desc>& c) {
  for (const auto& tensor : c.text.tensors) {
    if (!tensor) continue;
    CHECK((tensor->strides.empty() && !tensor->total_tensor_size_in_bytes));
  }
  CHECK(level_of(c.text.desc) == feature_level::latest);
  CHECK(c.text.seed == 0);
}

// The fewest elements of a tensor: 1, 2 values of ONE_HOT, in the weights of LSTM and GRU a row for each of their
// gates, the 6 of a state of RANDOM_GENERATOR, and the numbers of a region of ROI_POOLING
// and of ROI_ALIGN.
void check_fewest_elements(const generated_case<any_desc>& c) {
  const std::string_view name = c.text.desc.description().name;
  for (std::size_t i = 0; i < c.text.tensors.size(); ++i) {
    const std::uint64_t fewest = name == "ONE_HOT" && i == 1               ? 2
                                 : name == "LSTM" && (i == 1 || i == 2)    ? 4
                                 : name == "GRU" && (i == 1 || i == 2)     ? 3
                                 : name == "RANDOM_GENERATOR" && i != 1    ? 6
                                 : name == "ROI_POOLING" && i == 1         ? 5
                                 : name == "ROI_ALIGN_GRAD"                ? (i == 2 || i == 5 ? 4 : 1)
                                 : name.starts_with("ROI_ALIGN") && i == 1 ? 4
                                                                           : 1;
    if (c.text.tensors[i]) CHECK(element_count(c.text.tensors[i]->sizes) == fewest);
  }
}

// The last output; the first of DYNAMIC_QUANTIZE_LINEAR and ROI_ALIGN_GRAD, whose last ones have 1 element, or 4 of
// each region.
std::size_t place_of_output(const generated_case<any_desc>& c) {
  const std::string_view name = c.text.desc.description().name;
  return name == "DYNAMIC_QUANTIZE_LINEAR" || name == "ROI_ALIGN_GRAD" ? 0 : c.outputs.size() - 1;
}
const tensor_desc& main_output(const generated_case<any_desc>& c) { return c.outputs[place_of_output(c)]; }

// RANDOM_GENERATOR's first tensor and its last are states, which have 6 elements.
bool has_states(const oracle::any_operator& op) { return op.name() == "RANDOM_GENERATOR"; }

// The simplest data type of the first tensor: FLOAT32, otherwise UINT32, otherwise UINT8.
data_type simplest_type(const oracle::any_operator& op) {
  const data_type_set types = op.operands()[0].limits.back().data_types;
  for (const data_type type : {data_type::float32, data_type::uint32})
    if (types.contains(type)) return type;
  return data_type::uint8;
}

}  // namespace

TEST_CASE("shrink: sizes and dimensions", "[registry]") {
  goldml_test::for_every_implementation([](const oracle::any_operator& op) {
    using test = generated_case<any_desc>;
    // Sizes of attention are products of others: its cases are small, but not always the smallest.
    if (op.name().starts_with("MULTIHEAD_ATTENTION")) {
      shrink_first_failure<any_desc>(
          op, "always", [](const test&) { return true; },
          [&](const test& c) {
            check_plain(c);
            for (const auto& tensor : c.text.tensors) CHECK((!tensor || element_count(tensor->sizes) <= 64));
          });
      return;
    }
    // Convolutions of integers take fewer only with a policy.
    const std::uint32_t fewest = op.name() == "CONVOLUTION_INTEGER" || op.name() == "QUANTIZED_LINEAR_CONVOLUTION"
                                     ? 4
                                     : limits_at(op.operands()[0], feature_level::latest)->fewest_dimensions;
    shrink_first_failure<any_desc>(
        op, "always", [](const test&) { return true; },
        [&](const test& c) {
          check_plain(c);
          check_fewest_elements(c);
          CHECK(main_tensor(c.text).sizes.size() == fewest);
          CHECK(main_tensor(c.text).data_type == simplest_type(op));
        });
    shrink_first_failure<any_desc>(
        op, "a first tensor has a size of 4",
        [](const test& c) {
          const dimensions& sizes = main_tensor(c.text).sizes;
          return std::any_of(sizes.begin(), sizes.end(), [](std::uint32_t size) { return size >= 4; });
        },
        [&](const test& c) {
          check_plain(c);
          CHECK(element_count(main_tensor(c.text).sizes) == (has_states(op) ? 6 : 4));
          CHECK(main_tensor(c.text).sizes.size() == (op.name() == "ONE_HOT" ? 2 : fewest));  // one of them is 1
        });
    shrink_first_failure<any_desc>(
        op, "an output has 5 elements", [](const test& c) { return element_count(main_output(c).sizes) >= 5; },
        [](const test& c) {
          check_plain(c);
          CHECK(element_count(main_output(c).sizes) <= 6);  // 6 where sizes are multiples, as those of TILE
        });
    shrink_first_failure<any_desc>(
        op, "an output has 3 dimensions", [](const test& c) { return main_output(c).sizes.size() >= 3; },
        [&](const test& c) {
          check_plain(c);
          CHECK(main_output(c).sizes.size() == (std::max)(fewest, 3u));
          check_fewest_elements(c);
        });
  });
}

TEST_CASE("shrink: layouts and data types", "[registry]") {
  goldml_test::for_every_implementation([](const oracle::any_operator& op) {
    using test = generated_case<any_desc>;
    shrink_first_failure<any_desc>(
        op, "an output is not packed",
        [](const test& c) {
          const tensor_desc& t = main_output(c);
          return element_count(t.sizes) > 1 && effective_strides(t) != packed_strides(t.sizes);
        },
        [&](const test& c) {
          CHECK(element_count(main_output(c).sizes) == (has_states(op) ? 6 : 2));
          const std::size_t of_output = c.text.tensors.size() - c.outputs.size() + place_of_output(c);
          for (std::size_t i = 0; i < c.text.tensors.size(); ++i)
            if (c.text.tensors[i] && i != of_output) CHECK(c.text.tensors[i]->strides.empty());
        });
    if (ever_takes(op.operands().back(), data_type::uint64))
      shrink_first_failure<any_desc>(
          op, "an output's elements have 8 bytes",
          [](const test& c) { return element_size_in_bytes(main_output(c).data_type) == 8; },
          [&](const test& c) {
            check_plain(c);
            const data_type type = main_output(c).data_type;
            CHECK((type == data_type::float64 ||
                   (type == data_type::uint64 && !ever_takes(op.operands().back(), data_type::float64))));
            CHECK(element_count(main_output(c).sizes) == 1);
          });
  });
}

TEST_CASE("shrink: values of the input", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    using test = generated_case<any_desc>;
    if (op.operands()[0].role == operand_role::input) {
      // VALUE_SCALE_2D may keep three channels, as each has a bias, GRU two steps of two inputs, ROI_POOLING two images
      // of two rows, as a channel is between these dimensions, and attention heads; what else is there is 0.
      const bool keeps_channels = op.name() == "VALUE_SCALE_2D",
                 is_attention = op.name().starts_with("MULTIHEAD_ATTENTION"),
                 keeps_zeros = keeps_channels || is_attention || op.name() == "GRU" || op.name().starts_with("ROI_");
      const auto kept = [&](const test& c) {
        std::vector<double> x = first_input(c);
        if (keeps_zeros) std::erase(x, 0.0);
        return x;
      };
      const auto any = [](const test& c, auto condition) {
        const std::vector<double> x = first_input(c);
        return std::any_of(x.begin(), x.end(), condition);
      };
      const auto takes = [&](std::initializer_list<data_type> types) {
        return std::any_of(types.begin(), types.end(),
                           [&](data_type type) { return ever_takes(op.operands()[0], type); });
      };
      if (takes({data_type::int32, data_type::float32}))
        shrink_first_failure<any_desc>(
            op, "an element is negative", [&](const test& c) { return any(c, [](double x) { return x < 0; }); },
            [&](const test& c) {
              check_plain(c);
              CHECK(kept(c) == std::vector<double>{-1});
            });
      // TOP_K leaves the answer to a NaN that is alone open, as QUANTIZE_LINEAR and QUANTIZE do: this kernel is right
      // then.
      const bool is_open =
          op.name().starts_with("TOP_K") || op.name() == "ELEMENT_WISE_QUANTIZE_LINEAR" || op.name() == "QUANTIZE";
      const std::size_t wanted = is_open ? 2 : 1;
      if (takes({data_type::float32}))
        shrink_first_failure<any_desc>(
            op, "an element is NaN", [&](const test& c) { return any(c, [](double x) { return std::isnan(x); }); },
            [&](const test& c) {
              check_plain(c);
              const std::size_t size = c.text.elements[0].size();
              REQUIRE((size == wanted || is_attention || (keeps_channels && size == 3)));
              CHECK(std::any_of(c.text.elements[0].begin(), c.text.elements[0].end(), oracle::detail::is_plain_nan));
            });
      shrink_first_failure<any_desc>(
          op, "two elements of 9 or more are equal",
          [](const test& c) {
            std::multiset<double> seen;
            for (const double x : first_input(c))
              if (x >= 9 && std::isfinite(x)) seen.insert(x);
            return std::adjacent_find(seen.begin(), seen.end()) != seen.end();
          },
          [&](const test& c) {
            check_plain(c);
            CHECK(kept(c) == (has_states(op) ? std::vector<double>{9, 9, 0, 0, 0, 0} : std::vector<double>{9, 9}));
          });
    }
  });
}

TEST_CASE("shrink: attributes, policies and levels", "[registry]") {
  using reduce = generated_case<argmin_desc>;
  shrink_first_failure<argmin_desc>(
      oracle::any_operator_of<argmin_desc>(), "the last of two axes is DECREASING",
      [](const reduce& c) {
        return c.text.desc.axes.size() >= 2 && c.text.desc.axis_direction == axis_direction::decreasing;
      },
      [](const reduce& c) {
        CHECK(c.text.desc.axes == dimensions{0, 1});
        CHECK(main_tensor(c.text).sizes == dimensions{1, 1});
      });
  using slice = generated_case<slice1_desc>;
  shrink_first_failure<slice1_desc>(
      oracle::any_operator_of<slice1_desc>(), "a window begins at 2 and runs back",
      [](const slice& c) {
        const slice1_desc& d = c.text.desc;
        for (std::size_t i = 0; i < d.input_window_offsets.size(); ++i)
          if (d.input_window_offsets[i] >= 2 && d.input_window_strides[i] < 0) return true;
        return false;
      },
      [](const slice& c) {
        CHECK(main_tensor(c.text).sizes == dimensions{3});
        CHECK(c.text.desc.input_window_offsets == dimensions{2});
        CHECK(c.text.desc.input_window_sizes == dimensions{1});
        CHECK(c.text.desc.input_window_strides == int32_list{-1});
      });
  using scatter = generated_case<scatter_nd_desc>;
  shrink_first_failure<scatter_nd_desc>(
      oracle::any_operator_of<scatter_nd_desc>(), "a tuple has 2 coordinates",
      [](const scatter& c) { return c.text.tensors[1]->sizes.back() >= 2; },
      [](const scatter& c) {
        check_plain(c);
        CHECK(main_tensor(c.text).sizes == dimensions{1, 1});
        CHECK(c.text.tensors[1]->sizes == dimensions{1, 2});
      });

  // A non-default value is kept only if the failure depends on it.
  const auto text = oracle::parse_case<argmin_desc>(
      "ARGMIN InputTensor=INT32{2,3}@64 OutputTensor=UINT32{2,1} Axes={1} nan_policy=propagate empty_axes=refuse "
      "feature_level=3_0 data=ties seed=4");
  const auto shrunk = oracle::shrink(text, [](const reduce& c) {
    return c.text.desc.feature_level == feature_level::level_3_0 && c.text.desc.nan_policy == nan_policy::propagate;
  });
  CHECK(to_string(shrunk.text) ==
        "ARGMIN InputTensor=FLOAT32{1}:{0} OutputTensor=UINT32{1} Axes={} AxisDirection=INCREASING "
        "nan_policy=propagate empty_axes=allow same_resource=refuse feature_level=3_0 data=uniform seed=0");
}

TEST_CASE("shrink: a kernel with a classic bug", "[registry]") {
  // A running minimum that starts from the first element keeps a leading NaN forever.
  const auto text = oracle::parse_case<argmin_desc>(
      "ARGMIN InputTensor=FLOAT16{4,6,3}/{2,9,60} OutputTensor=INT64{4,1,3} Axes={1} data=special seed=1");
  const auto shrunk = oracle::shrink(text, [](const generated_case<argmin_desc>& c) {
    tensor<std::uint64_t> got(c.outputs[0].sizes);
    const std::vector<double> x = first_input(c);
    const dimensions box = candidate_box(c.inputs[0].desc().sizes, c.text.desc.axes);
    for (const coordinate_tuple& o : coordinates_of(got.sizes())) {
      double least = 0;
      std::uint64_t number = 0;
      for (const coordinate_tuple& r : coordinates_of(box)) {
        const double value =
            x[static_cast<std::size_t>(offset_of(reduction_candidate(o, r), packed_strides(c.inputs[0].desc().sizes)))];
        if (number == 0 || value < least) got[o] = number, least = value;
        ++number;
      }
    }
    const auto wanted = c.expected.answers[0][0].values;
    std::size_t element = 0;
    for (const coordinate_tuple& o : coordinates_of(got.sizes())) {
      if (c.expected.answers[0][0].verdicts[element] == verdict::exact &&
          oracle::detail::number_of(oracle::detail::elements_of(wanted.ref())[element]) != static_cast<double>(got[o]))
        return true;
      ++element;
    }
    return false;
  });
  CHECK(shrunk.fails);
  CHECK(to_string(shrunk.text) ==
        "ARGMIN InputTensor=FLOAT32{2}:{0x7FC00000,0} OutputTensor=UINT32{1} Axes={0} AxisDirection=INCREASING "
        "nan_policy=skip empty_axes=allow same_resource=refuse feature_level=6_4 data=uniform seed=0");
}

TEST_CASE("shrink: bounds and refusals", "[registry]") {
  const auto text = oracle::sample_case<slice1_desc>({.seed = 5}, 3);
  for (const std::uint64_t most : {0U, 1U, 2U, 7U}) {
    std::uint64_t runs = 0;
    const auto shrunk = oracle::shrink(text, [&](const auto&) { return ++runs, true; }, {.most_runs = most});
    CHECK(runs == most);
    CHECK(shrunk.runs == most);
    CHECK(shrunk.fails == (most > 0));
  }
  auto illegal = text;
  illegal.tensors[0]->sizes[0] = 0;
  CHECK_THROWS_AS(oracle::shrink(illegal, [](const auto&) { return true; }), error);
  CHECK_THROWS_AS(oracle::shrink(text, [](const auto&) -> bool { throw std::runtime_error("device lost"); }),
                  std::runtime_error);
  // Inputs that are too large for explicit elements are reduced by their class of data.
  auto large = oracle::sample_case<nonzero_coordinates_desc>({.most_elements = 20000, .sizes = {90, 100}}, 0);
  large.selection = nullptr;  // as of a line: the sizes need not be kept
  const auto shrunk =
      oracle::shrink(large, [](const auto& c) { return element_count(c.inputs[0].desc().sizes) >= 4500; });
  CHECK(element_count(shrunk.text.tensors[0]->sizes) == 4500);
  CHECK(shrunk.text.elements[0].empty());
  CHECK(shrunk.text.seed == large.seed);
}
