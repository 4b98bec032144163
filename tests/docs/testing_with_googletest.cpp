// Runs the GoogleTest code of docs/testing-your-kernel.md.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/report.hpp>

namespace my_device {

std::vector<goldml::host_tensor> scatter_nd(const goldml::scatter_nd_desc& desc,
                                            const std::vector<goldml::const_tensor_ref>& inputs,
                                            const std::vector<goldml::tensor_desc>& outputs) {
  std::vector<goldml::host_tensor> results{goldml::host_tensor(outputs[0])};
  goldml::scatter_nd(goldml::reference, inputs[0], inputs[1], inputs[2], results[0].ref(), desc);
  return results;
}

}  // namespace my_device

template <class Desc>
testing::AssertionResult agrees_with(const goldml::oracle::generated_case<Desc>& test,
                                     const std::vector<goldml::host_tensor>& outputs) {
  std::vector<goldml::const_tensor_ref> actual;
  for (const goldml::host_tensor& output : outputs) actual.push_back(output.ref());
  using goldml::oracle::outcome;
  const auto judged = goldml::oracle::compare(test.expected, actual);
  if (judged.outcome() == outcome::agrees) return testing::AssertionSuccess();
  const std::string report =
      goldml::oracle::report(test.expected, actual, judged, {}, goldml::oracle::names_of(test), test.line());
  if (judged.outcome() == outcome::differs) return testing::AssertionFailure() << report;
  std::cerr << report;  // nothing is defined, or the answer is tolerated and flagged
  return testing::AssertionSuccess();
}

TEST(ScatterNd, AgreesWithGoldml) {
  for (const auto& test : goldml::oracle::cases<goldml::scatter_nd_desc>({.count = 500, .seed = 1}))
    ASSERT_TRUE(agrees_with(test, my_device::scatter_nd(test.text.desc, test.input_refs(), test.outputs)));
}
