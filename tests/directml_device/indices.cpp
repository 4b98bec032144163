// The gathers, SCATTER_ELEMENTS and ROI_ALIGN on directml::device: the host reads their indices first. Only that is
// tested here, so no device is needed.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <goldml/directml/directml.hpp>
#include <goldml/directml/structures.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

// "none", text(the violation), or the policy that is refused.
template <class Check, class Text>
std::string answer_of(const Check& check, const Text& text) {
  try {
    check();
    return "none";
  } catch (const error& refusal) {
    return text(refusal.violation());
  } catch (const std::exception& problem) {
    const std::string what = problem.what();
    return what.substr(0, what.find(" failed"));
  }
}

// "none", the violated rule, or the policy that is refused, for indices into {4} or {1,4}.
template <class Desc>
std::string answer(const Desc& desc, const std::vector<std::int32_t>& list) {
  const tensor<float> input({1, 4});
  const tensor<std::int32_t> indices({1, static_cast<std::uint32_t>(list.size())}, list);
  const std::vector<const_tensor_ref> inputs{const_tensor_ref(input.view()), const_tensor_ref(indices.view())};
  return answer_of([&] { directml::detail::require_plain_indices(desc, std::span<const const_tensor_ref>(inputs)); },
                   [](const violation& broken) { return std::string(broken.rule); });
}

}  // namespace

TEST_CASE("directml: indices of gathers out of range; a policy is refused only if they need it", "[directml]") {
  constexpr range_policy clamp = range_policy::clamp;
  CHECK(answer(gather_desc{.axis = 1}, {3, -4}) == "none");
  CHECK(answer(gather_desc{.axis = 1}, {3, 4}) == "GA9");
  CHECK(answer(gather_desc{.axis = 1, .range_policy = range_policy::drop}, {3, 4}) == "GA9");
  CHECK(answer(gather_desc{.axis = 1, .range_policy = clamp}, {3, -4}) == "none");
  CHECK(answer(gather_desc{.axis = 1, .range_policy = clamp}, {3, 4}) == "d3d12: GATHER with range_policy=clamp");
  CHECK(answer(gather_elements_desc{.axis = 1}, {-5}) == "GE7");
  CHECK(answer(gather_elements_desc{.axis = 1, .range_policy = clamp}, {-5}) ==
        "d3d12: GATHER_ELEMENTS with range_policy=clamp");
  CHECK(answer(gather_nd_desc{2, 1}, {0, 4}) == "GN11");
  CHECK(answer(gather_nd_desc{2, 1}, {0, 3}) == "none");
  CHECK(answer(gather_nd1_desc{2, 1, 0, clamp}, {1, 3}) == "d3d12: GATHER_ND1 with range_policy=clamp");
}

TEST_CASE("directml: indices of SCATTER_ELEMENTS out of range or equal", "[directml]") {
  const scatter_elements_desc plain{.axis = 1};
  CHECK(answer(plain, {3, -4}) == "none");
  CHECK(answer(plain, {0, 4}) == "SE8");
  CHECK(answer(plain, {3, -1}) == "SE9");
  scatter_elements_desc clamp = plain;
  clamp.range_policy = range_policy::clamp;
  CHECK(answer(clamp, {0, 3}) == "none");
  CHECK(answer(clamp, {3, 9}) == "SE9");
  CHECK(answer(clamp, {0, 9}) == "d3d12: SCATTER_ELEMENTS with range_policy=clamp");
  scatter_elements_desc last_wins = plain;
  last_wins.duplicates = duplicates::last_wins;
  CHECK(answer(last_wins, {0, 3}) == "none");
  CHECK(answer(last_wins, {0, 9}) == "SE8");
  CHECK(answer(last_wins, {1, -3}) == "d3d12: SCATTER_ELEMENTS with duplicates=last_wins");
}

TEST_CASE("directml: batch indices of ROI_ALIGN that are no image", "[directml]") {
  const auto of = [](range_policy policy, const std::vector<std::uint32_t>& list) -> std::string {
    const tensor<float> input({2, 1, 4, 4}), regions({2, 4});
    const tensor<std::uint32_t> batches({2}, list);
    const std::vector<const_tensor_ref> inputs{input.view(), regions.view(), batches.view()};
    roi_align1_desc desc;
    desc.range_policy = policy;
    return answer_of([&] { directml::detail::require_images(desc, "RA9", inputs[2], 2); },
                     [](const violation& broken) { return to_string(broken); });
  };
  CHECK(of(range_policy::refuse, {0, 1}) == "none");
  CHECK(
      of(range_policy::refuse, {0, 2}) ==
      "ROI_ALIGN1 RA9: BatchIndicesTensor.element[1] is 2, wanted below 2 (the images; range_policy clamp accepts it)");
  CHECK(of(range_policy::clamp, {1, 0}) == "none");
  CHECK(of(range_policy::clamp, {7, 0}) == "d3d12: ROI_ALIGN1 with range_policy=clamp");
}

TEST_CASE("directml: batch indices of ROI_ALIGN_GRAD that are no image", "[directml]") {
  const auto of = [](range_policy policy, const std::vector<std::uint32_t>& list) -> std::string {
    const tensor<std::uint32_t> batches({2}, list);
    roi_align_grad_desc desc;
    desc.range_policy = policy;
    return answer_of([&] { directml::detail::require_images(desc, "RG11", const_tensor_ref(batches.view()), 2); },
                     [](const violation& broken) { return to_string(broken); });
  };
  CHECK(of(range_policy::refuse, {0, 1}) == "none");
  CHECK(of(range_policy::refuse, {0, 2}) ==
        "ROI_ALIGN_GRAD RG11: BatchIndicesTensor.element[1] is 2, wanted below 2 (the images; range_policy clamp "
        "accepts it)");
  CHECK(of(range_policy::clamp, {7, 0}) == "d3d12: ROI_ALIGN_GRAD with range_policy=clamp");
}
