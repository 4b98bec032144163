// scatter_nd: updates replace the elements that index tuples point to. Two tuples that point to the same place are
// refused unless the policy determines which one is stored.
#include <cstdint>
#include <cstdio>

#include <goldml/goldml.hpp>

int main() {
  using namespace goldml;
  const tensor<float> data({1, 8}, {1, 2, 3, 4, 5, 6, 7, 8});
  const tensor<std::int64_t> indices({4, 1}, {4, 3, 1, -1});  // -1 is the last place
  const tensor<float> updates({1, 4}, {9, 10, 11, 12});
  const scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2};
  for (const float value : scatter_nd(reference, data, indices, updates, desc)) std::printf("%g ", value);
  std::printf("\n");

  const tensor<std::int64_t> twice({4, 1}, {4, 3, 1, 3});
  try {
    (void)scatter_nd(reference, data, twice, updates, desc);
  } catch (const error& refusal) {
    std::printf("%s\n", refusal.what());
  }
  scatter_nd_desc last_wins = desc;
  last_wins.duplicates = duplicates::last_wins;
  for (const float value : scatter_nd(reference, data, twice, updates, last_wins)) std::printf("%g ", value);
  std::printf("\n");
}
