// validate and violations: why DirectML would return E_INVALIDARG. Needs only descs, no data.
#include <cstdio>

#include <goldml/goldml.hpp>

int main() {
  using namespace goldml;
  const tensor_desc input{.data_type = data_type::float64, .sizes = {3, 4}};
  const tensor_desc output{.data_type = data_type::uint32, .sizes = {3, 4}, .strides = {4, 0}};
  const argmin_desc desc{.axes = {1, 1}};
  for (const violation& broken : violations(desc, input, output)) std::printf("%s\n", to_string(broken).c_str());

  const scatter_nd_desc scatter{.feature_level = feature_level::level_2_0};
  const tensor_desc any{.data_type = data_type::float32, .sizes = {1, 1, 1, 8}};
  if (const auto first = validate(scatter, any, any, any, any)) std::printf("%s\n", to_string(*first).c_str());
}
