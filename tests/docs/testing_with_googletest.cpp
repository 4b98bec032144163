// Runs the GoogleTest code of docs/testing-your-kernel.md.
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <goldml/oracle/googletest.hpp>

namespace my_device {

std::vector<goldml::host_tensor> scatter_nd(const goldml::scatter_nd_desc& desc,
                                            const std::vector<goldml::const_tensor_ref>& inputs,
                                            const std::vector<goldml::tensor_desc>& outputs) {
  std::vector<goldml::host_tensor> results{goldml::host_tensor(outputs[0])};
  goldml::scatter_nd(goldml::reference, inputs[0], inputs[1], inputs[2], results[0].ref(), desc);
  return results;
}

}  // namespace my_device

TEST(ScatterNd, AgreesWithGoldml) {
  for (const auto& test : goldml::oracle::cases<goldml::scatter_nd_desc>({.count = 500, .seed = 1}))
    ASSERT_TRUE(goldml::oracle::agrees(test, my_device::scatter_nd(test.text.desc, test.input_refs(), test.outputs)));
}

TEST(ScatterNd, WrongAnswersFailWithTheReport) {
  const auto wrong = [](const goldml::oracle::generated_case<goldml::scatter_nd_desc>& c) {
    auto outputs = my_device::scatter_nd(c.text.desc, c.input_refs(), c.outputs);
    for (std::byte& b : outputs[0].bytes()) b ^= std::byte{1};
    return outputs;
  };
  const auto test = *goldml::oracle::cases<goldml::scatter_nd_desc>({.count = 1, .seed = 1}).begin();
  const auto result = goldml::oracle::agrees(test, wrong(test));
  EXPECT_FALSE(result);
  EXPECT_NE(std::string(result.message()).find("SCATTER_ND: differs"), std::string::npos);
  const auto shrunk = goldml::oracle::agrees_when_run(test, wrong);
  EXPECT_FALSE(shrunk);
  EXPECT_NE(std::string(shrunk.message()).find("the smallest case that still fails"), std::string::npos);
}
