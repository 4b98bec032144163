// directml::device: creation, properties, refused calls, and the failure of each call of DirectML.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/operators/element_wise.hpp>
#include <goldml/oracle/generate.hpp>

#include "catch.hpp"
#include "d3d12/gpu.hpp"
#include "mock_directml.hpp"

using namespace goldml;
using directml_mock::over_mock;
using directml_mock::settings;
using directml_mock::world;
using strings = std::vector<std::string>;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The text of a call's device_error, or "none".
std::string failure_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const directml::device_error& problem) {
    return problem.what();
  }
  return "none";
}

const std::vector<float> x{0, 7, 0, 5};
const std::vector<std::uint32_t> untouched(8, 0xA5A5'A5A5);

// Calls NONZERO_COORDINATES, which has two outputs.
void find_nonzero(const directml::device& dml, std::vector<std::uint32_t>& count, std::vector<std::uint32_t>& rows) {
  nonzero_coordinates(dml, tensor_view{x, {2, 2}}, tensor_view{count, {1}}, tensor_view{rows, {4, 2}});
}

// Calls NONZERO_COORDINATES repeatedly; settings::*which is 0, 1, ... in turn. Checks that nothing leaks, that the
// outputs are unchanged, and, by `check`, the error. Ends when no call fails any more; returns the names of those that
// failed.
template <class Number>
strings each_failing_call(Number settings::*which, const std::function<void(const std::string&, const world&)>& check) {
  const d3d12::device gpu = gpus::open();
  settings set;
  set.executing = {5, 64, 32};
  set.initializing = {2, 16, 0};
  strings failed;
  for (std::uint64_t call = 0; call < 100; ++call) {
    set.*which = call;
    world w(gpu, set);
    std::vector<std::uint32_t> count(untouched), rows = untouched;
    const std::string text = failure_of([&] { find_nonzero(over_mock(w), count, rows); });
    w.settle(0);
    CHECK(w.found.complaints == strings{});
    if (w.failed_call.empty()) {
      CHECK(text == "none");
      CHECK(count[0] == 2);
      break;
    }
    CAPTURE(text, w.failed_call);
    check(text, w);
    CHECK(count == untouched);
    CHECK(rows == untouched);
    failed.push_back(w.failed_call);
  }
  return failed;
}

}  // namespace

TEST_CASE("directml: typed calls, owning tensors; rows past the count are unchanged") {
  const d3d12::device gpu = gpus::open();
  world w(gpu, {});
  const directml::device dml = over_mock(w);
  std::vector<std::uint32_t> count(1), rows = untouched, least(2);
  find_nonzero(dml, count, rows);
  CHECK(count == std::vector<std::uint32_t>{2});
  CHECK(rows == std::vector<std::uint32_t>{0, 1, 1, 1, 0xA5A5'A5A5, 0xA5A5'A5A5, 0xA5A5'A5A5, 0xA5A5'A5A5});
  argmin(dml, tensor_view{x, {2, 2}}, tensor_view{least, {2, 1}}, {.axes = {1}});
  CHECK(least == std::vector<std::uint32_t>{0, 0});
  const tensor<float> matrix({2, 2}, x);
  CHECK(diagonal_matrix1(dml, matrix, {.value = 5.0f, .diagonal_fill_begin = 1, .diagonal_fill_end = 2}).elements() ==
        std::vector<float>{0, 5, 0, 5});
  tensor<std::int16_t> zeros({2, 2});
  diagonal_matrix1(dml, zeros.view(), {.value = std::int16_t{3}, .diagonal_fill_begin = 0, .diagonal_fill_end = 1});
  CHECK(zeros.elements() == std::vector<std::int16_t>{3, 0, 0, 3});
  tensor<float> in_place({4}, x);
  scatter_nd(dml, in_place, tensor<std::int32_t>({1}, {-1}), tensor<float>({1}, {9}), in_place, {.in_place = true});
  CHECK(in_place.elements() == std::vector<float>{0, 7, 0, 9});
  w.settle();
  CHECK(w.found.complaints == strings{});
  CHECK(w.found.dispatches == 5);
}

TEST_CASE("directml: each failing call is named, nothing leaks, and outputs are unchanged") {
  const strings failed = each_failing_call(&settings::fails_at, [](const std::string& text, const world& w) {
    CHECK(has(text, w.failed_call));
    CHECK(has(text, "failed: 0x8007000e E_OUTOFMEMORY"));
  });
  CHECK(failed == strings{"IDMLDevice::CheckFeatureSupport", "IDMLDevice::CheckFeatureSupport",
                          "IDMLDevice::CheckFeatureSupport", "IDMLDevice::CheckFeatureSupport",
                          "IDMLDevice::CreateOperator", "IDMLDevice::CompileOperator",
                          "IDMLDevice::CreateOperatorInitializer", "IDMLDevice::CreateCommandRecorder",
                          "IDMLDevice::CreateBindingTable", "IDMLBindingTable::Reset"});
}

TEST_CASE("directml: a removed device is detected after each call without a result") {
  const strings removed = each_failing_call(&settings::removed_at, [](const std::string& text, const world&) {
    CHECK(has(text, "RecordDispatch(NONZERO_COORDINATES"));
    CHECK(has(text, "the device was removed: 0x887a0006 DXGI_ERROR_DEVICE_HUNG"));
  });
  CHECK(removed == strings{"BindInputs", "BindOutputs", "BindTemporaryResource", "RecordDispatch", "BindInputs",
                           "BindOutputs", "BindTemporaryResource", "BindPersistentResource", "RecordDispatch"});
}

TEST_CASE("directml: the error for what DirectML's feature level lacks") {
  const d3d12::device gpu = gpus::open();
  settings set;
  set.level = feature_level::level_4_0;
  world w(gpu, set);
  const directml::device dml = over_mock(w);
  CHECK(dml.feature_level() == feature_level::level_4_0);
  tensor<float> output({2, 2});
  CHECK(failure_of([&] { diagonal_matrix1(dml, output.view(), {}); }) ==
        "d3d12: DIAGONAL_MATRIX1 on DirectML of feature level 4_0 failed: 0x887a0004 DXGI_ERROR_UNSUPPORTED, "
        "DIAGONAL_MATRIX1 T11: feature level is 4_0, wanted at least 5_1 (the operator does not exist below it)");
  CHECK(has(failure_of([&] { (void)argmin(dml, tensor<std::uint64_t>({2}), {.axes = {0}}); }), "ARGMIN T3: "));
  CHECK(argmin(dml, tensor<float>({2}, {2, 1}), {.axes = {0}}).elements()[0] == 1);
  // A violation at the level of the desc is reported first.
  CHECK(refusal_of([&] { (void)argmin(dml, tensor<float>({2}), {.axes = {1}}); }) == "A4");
  CHECK(w.found.complaints == strings{});
}

TEST_CASE("directml: the first DirectML has no feature levels") {
  const d3d12::device gpu = gpus::open();
  settings set;
  set.knows_levels = false;
  world w(gpu, set);
  const directml::device dml = over_mock(w);
  CHECK(dml.feature_level() == feature_level::level_1_0);
  CHECK(has(failure_of([&] { (void)argmin(dml, tensor<float>({2}), {.axes = {0}}); }), "of feature level 1_0"));
}

TEST_CASE("directml: the error for a data type that the adapter lacks names it") {
  const d3d12::device gpu = gpus::open();
  settings set;
  set.unsupported_type = data_type::int64;
  world w(gpu, set);
  const directml::device dml = over_mock(w);
  CHECK(dml.supports(data_type::float32));
  const std::string text = failure_of([&] { (void)argmin<std::int64_t>(dml, tensor<float>({2}), {.axes = {0}}); });
  CHECK(has(text, "ARGMIN of INT64 failed: 0x887a0004 DXGI_ERROR_UNSUPPORTED"));
  CHECK(has(text, "does not support the type of OutputTensor on the adapter"));
}

TEST_CASE("directml: if DirectML refuses a valid desc, the error has its HRESULT") {
  const d3d12::device gpu = gpus::open();
  settings set;
  set.refuses = [](std::string_view) { return true; };
  world w(gpu, set);
  const directml::device dml = over_mock(w);
  CHECK(failure_of([&] { (void)argmin(dml, tensor<float>({2}), {.axes = {0}}); }) ==
        "d3d12: IDMLDevice::CreateOperator(ARGMIN) failed: 0x80070057 E_INVALIDARG");
}

TEST_CASE("directml: policies that DirectML does not guarantee are refused by name if they matter") {
  const d3d12::device gpu = gpus::open();
  world w(gpu, {});
  const directml::device dml = over_mock(w);
  const argmin_desc propagate{.axes = {0}, .nan_policy = nan_policy::propagate};
  CHECK(failure_of([&] { (void)argmin(dml, tensor<float>({2}), propagate); }) ==
        "d3d12: ARGMIN with nan_policy=propagate failed: 0x887a0004 DXGI_ERROR_UNSUPPORTED, DirectML passes over NaN");
  CHECK(argmin(dml, tensor<std::int32_t>({2}, {5, 4}), propagate).elements()[0] == 1);

  const auto scatter = [&](std::vector<std::int32_t> indices, scatter_nd_desc desc) {
    desc.indices_dimension_count = 2;
    const tensor<float> input({1, 4}), updates({1, 2}, {1, 2});
    return scatter_nd(dml, input, tensor<std::int32_t>({2, 1}, indices), updates, desc).elements();
  };
  const scatter_nd_desc clamp{.range_policy = range_policy::clamp}, last_wins{.duplicates = duplicates::last_wins};
  CHECK(refusal_of([&] { scatter({0, 4}, {}); }) == "S10");
  CHECK(refusal_of([&] { scatter({3, -1}, {}); }) == "S11");
  CHECK(refusal_of([&] { scatter({3, 9}, clamp); }) == "S11");
  CHECK(has(failure_of([&] { scatter({0, 4}, clamp); }), "SCATTER_ND with range_policy=clamp failed: 0x887a0004"));
  CHECK(has(failure_of([&] { scatter({1, 1}, last_wins); }), "SCATTER_ND with duplicates=last_wins failed"));
  CHECK(w.found.dispatches == 1);  // the one with integers
  CHECK(scatter({3, 0}, clamp) == std::vector<float>{2, 0, 0, 1});
  CHECK(scatter({3, 0}, last_wins) == std::vector<float>{2, 0, 0, 1});
  w.settle();
  CHECK(w.found.complaints == strings{});
}

TEST_CASE("directml: policies of element-wise operators are refused if they can change the result") {
  const auto refused = [](const auto& desc, const std::vector<host_tensor>& inputs) {
    std::vector<const_tensor_ref> refs;
    for (const host_tensor& input : inputs) refs.push_back(input.ref());
    return failure_of([&] {
      directml::detail::require_default_policies(description_of<std::remove_cvref_t<decltype(desc)>>(), &desc, refs);
    });
  };
  const auto filled = [](data_type type, std::byte value) {
    return host_tensor({.data_type = type, .sizes = {2}}, value);
  };
  const std::string text = ", DirectML promises only the default";
  const std::vector<host_tensor> floats(2, filled(data_type::float16, std::byte{1}));
  const std::vector<host_tensor> integers(2, filled(data_type::int16, std::byte{1}));
  CHECK(refused(element_wise_min_desc{}, floats) == "none");
  CHECK(refused(element_wise_min_desc{.nan_policy = nan_policy::propagate}, floats) ==
        "d3d12: ELEMENT_WISE_MIN with nan_policy=propagate failed: 0x887a0004 DXGI_ERROR_UNSUPPORTED" + text);
  CHECK(refused(element_wise_min_desc{.nan_policy = nan_policy::propagate}, integers) == "none");
  CHECK(has(refused(element_wise_clip_desc{.nan_policy = nan_policy::propagate}, {floats[0]}), "nan_policy=propagate"));
  // What makes a call illegal, or legal, changes no result.
  CHECK(refused(element_wise_clip1_desc{.inverted_range = inverted_range::refuse}, {floats[0]}) == "none");
  CHECK(refused(element_wise_abs_desc{.same_resource = same_resource::disjoint}, {floats[0]}) == "none");

  // Counts of the width and more.
  constexpr element_wise_bit_shift_left_desc mask{.shift_policy = shift_policy::mask};
  const host_tensor bytes = filled(data_type::uint8, std::byte{1});
  CHECK(refused(mask, {bytes, filled(data_type::uint8, std::byte{7})}) == "none");
  CHECK(has(refused(mask, {bytes, filled(data_type::uint8, std::byte{8})}),
            "ELEMENT_WISE_BIT_SHIFT_LEFT with shift_policy=mask failed: 0x887a0004"));
  CHECK(refused(element_wise_bit_shift_left_desc{}, {bytes, filled(data_type::uint8, std::byte{8})}) == "none");
  const host_tensor words = filled(data_type::uint64, std::byte{0});
  CHECK(refused(mask, {words, words}) == "none");
  CHECK(has(refused(mask, {words, filled(data_type::uint64, std::byte{1})}), "shift_policy=mask"));
}

TEST_CASE("directml: integer_scale_bias is refused for integers, which DirectML may not scale") {
  constexpr element_wise_clip_desc cast{.integer_scale_bias = integer_scale_bias::cast};
  const auto refused = [&](const std::vector<const_tensor_ref>& inputs) {
    return failure_of(
        [&] { directml::detail::require_default_policies(description_of<element_wise_clip_desc>(), &cast, inputs); });
  };
  const auto of = [&](data_type type) {
    const host_tensor input({.data_type = type, .sizes = {2}});
    return refused({input.ref()});
  };
  CHECK(of(data_type::int16) ==
        "d3d12: ELEMENT_WISE_CLIP with integer_scale_bias=cast failed: 0x887a0004 DXGI_ERROR_UNSUPPORTED, DirectML "
        "promises only the default");
  for (const data_type type : {data_type::float32, data_type::float16, data_type::float64}) CHECK(of(type) == "none");
  CHECK(has(refused({const_tensor_ref()}), "integer_scale_bias=cast"));  // an omitted input is no float
}

TEST_CASE("directml: half precision is permitted by the policy `accumulation` only") {
  const auto flags_of = [](const reduce_desc& desc) {
    return directml::execution_flags_of(description_of<reduce_desc>(), &desc);
  };
  CHECK(flags_of({}) == DML_EXECUTION_FLAG_NONE);
  CHECK(flags_of({.accumulation = accumulation::single}) == DML_EXECUTION_FLAG_NONE);
  CHECK(flags_of({.accumulation = accumulation::half}) == DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION);
  const argmin_desc without{};
  CHECK(directml::execution_flags_of(description_of<argmin_desc>(), &without) == DML_EXECUTION_FLAG_NONE);
}

TEST_CASE("directml: places and values that DirectML does not guarantee are refused before it is called") {
  const d3d12::device gpu = gpus::open();
  world w(gpu, {});
  const directml::device dml = over_mock(w);
  const auto diagonal = [&](float value, value_conversion conversion) {
    tensor<std::uint8_t> output({1, 1, 2, 2});
    diagonal_matrix(dml, output.view(), {.value = value, .value_conversion = conversion});
    return output.elements();
  };
  CHECK(failure_of([&] { diagonal(300, value_conversion::saturate); }) ==
        "d3d12: DIAGONAL_MATRIX with value_conversion=saturate failed: 0x887a0004 DXGI_ERROR_UNSUPPORTED, DirectML "
        "promises nothing for a Value that does not fit");
  const auto unpool = [&](const std::vector<std::uint32_t>& indices, duplicates policy) {
    const tensor<float> input({1, 1, 1, 2}, {5, 6});
    tensor<float> output({1, 1, 2, 2});
    max_unpooling(dml, input, tensor<std::uint32_t>({1, 1, 1, 2}, indices), output.view(), {.duplicates = policy});
    return output.elements();
  };
  CHECK(refusal_of([&] { unpool({3, 3}, duplicates::refuse); }) == "MU4");
  CHECK(failure_of([&] {
          unpool({3, 3}, duplicates::last_wins);
        })
            .starts_with("d3d12: MAX_UNPOOLING with duplicates=last_wins failed: 0x887a0004 DXGI_ERROR_UNSUPPORTED, "
                         "DirectML promises nothing for these indices: MAX_UNPOOLING MU4: "));
  CHECK(w.found.dispatches == 0);
  CHECK(diagonal(3, value_conversion::saturate) == std::vector<std::uint8_t>{3, 0, 0, 3});
  CHECK(unpool({3, 0}, duplicates::last_wins) == std::vector<float>{6, 0, 0, 5});
  w.settle();
  CHECK(w.found.complaints == strings{});
}

// With Strides null, TotalTensorSizeInBytes above the implied minimum, and a guaranteed alignment.
TEST_CASE("directml: DirectML gets the descs of a run-time call unchanged") {
  const d3d12::device gpu = gpus::open();
  world w(gpu, {});
  const directml::device dml = over_mock(w);
  const auto evaluate_on = [&](const auto& desc, const std::vector<tensor_desc>& input_descs,
                               const std::vector<tensor_desc>& output_descs) {
    using desc_type = std::remove_cvref_t<decltype(desc)>;
    static_assert(detail::runs_on_refs<directml::device, desc_type> && detail::runs_on_refs<d3d12::device, desc_type>);
    std::vector<host_tensor> inputs(input_descs.begin(), input_descs.end());
    std::vector<host_tensor> outputs(output_descs.begin(), output_descs.end());
    std::vector<const_tensor_ref> input_refs;
    std::vector<tensor_ref> output_refs;
    for (const host_tensor& input : inputs) input_refs.push_back(input.ref());
    for (host_tensor& output : outputs) output_refs.push_back(output.ref());
    evaluate(dml, desc, std::span<const const_tensor_ref>(input_refs), std::span<const tensor_ref>(output_refs));
    w.settle();
    CHECK(w.found.complaints == strings{});
    std::vector<std::optional<tensor_desc>> given(input_descs.begin(), input_descs.end());
    given.insert(given.end(), output_descs.begin(), output_descs.end());
    CHECK(w.described == given);
  };
  const auto described = [](data_type type, const dimensions& sizes, std::uint64_t total_size) {
    return tensor_desc{.data_type = type,
                       .sizes = sizes,
                       .total_tensor_size_in_bytes = total_size,
                       .guaranteed_base_offset_alignment = 16};
  };
  constexpr auto f32 = data_type::float32, u32 = data_type::uint32;
  evaluate_on(argmin_desc{.axes = {1}}, {described(f32, {2, 3}, 40)}, {described(u32, {2, 1}, 12)});
  evaluate_on(nonzero_coordinates_desc{}, {described(f32, {2, 3}, 24)},
              {described(u32, {1}, 8), described(u32, {6, 2}, 64)});
  evaluate_on(scatter_nd_desc{.input_dimension_count = 1, .indices_dimension_count = 2},
              {described(f32, {1, 4}, 32), described(u32, {1, 1}, 8), described(f32, {1, 1}, 4)},
              {described(f32, {1, 4}, 20)});
  evaluate_on(diagonal_matrix1_desc{.value = 1.0f}, {described(f32, {2, 3}, 28)}, {described(f32, {2, 3}, 32)});
}

TEST_CASE("directml: a bound resource without a host address is refused") {
  const d3d12::device gpu = gpus::open();
  world w(gpu, {});
  const directml::device dml = over_mock(w);
  const int resource = 0;
  const tensor_desc desc{.data_type = data_type::float32, .sizes = {4}};
  std::uint32_t index = 77;
  CHECK_THROWS_AS(
      argmin(dml, const_tensor_ref::bound(desc, &resource, 0, 16, nullptr), tensor_view{&index, {1}}, {.axes = {0}}),
      std::invalid_argument);
  CHECK(index == 77);

  // As an output too.
  const tensor_desc output{.data_type = data_type::uint32, .sizes = {1}};
  const tensor_desc rows{.data_type = data_type::uint32, .sizes = {4, 1}};
  const tensor_ref nowhere = tensor_ref::bound(output, &resource, 0, 16, nullptr);
  const tensor_ref no_rows = tensor_ref::bound(rows, &resource, 0, 16, nullptr);
  CHECK_THROWS_AS(argmin(dml, tensor_view{x, {4}}, nowhere, {.axes = {0}}), std::invalid_argument);
  CHECK_THROWS_AS(nonzero_coordinates(dml, tensor_view{x, {4}}, tensor_view{&index, {1}}, no_rows),
                  std::invalid_argument);
  CHECK_THROWS_AS(nonzero_coordinates(dml, tensor_view{x, {4}}, nowhere, tensor_view{&index, {4, 1}}),
                  std::invalid_argument);
  CHECK(index == 77);
  CHECK(w.found.dispatches == 0);
}

TEST_CASE("directml: destroying a device releases what it holds") {
  d3d12::com_ptr<ID3D12Device> native;
  {
    const d3d12::device gpu = gpus::open();
    native = d3d12::com_ptr<ID3D12Device>::share(gpu.native());
    world w(gpu, {});
    {
      directml::device first = over_mock(w);
      const directml::device second = std::move(first);
      CHECK(argmin(second, tensor<float>({2}, {2, 1}), {.axes = {0}}).elements()[0] == 1);
      w.settle();
    }
    CHECK(w.live_objects == 0);
    CHECK(w.found.complaints == strings{});
  }
  native->AddRef();
  CHECK(native->Release() == 1);
}

TEST_CASE("directml: without DirectML.dll the error says what is missing and where to get it") {
  const std::string text = failure_of([] { const directml::device dml; });
#ifdef _WIN32
  if (LoadLibraryExW(L"DirectML.dll", nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS) == nullptr) {
    CHECK(has(text, "LoadLibrary(DirectML.dll) failed: 0x8007007e"));
    CHECK(has(text, "Microsoft.AI.DirectML"));
  } else {
    CHECK((text == "none" || has(text, "d3d12: ")));
  }
#else
  CHECK(has(text, "loading DirectML.dll failed: 0x80004001 E_NOTIMPL"));
  CHECK(has(text, "DirectML exists on Windows only"));
#endif
}
