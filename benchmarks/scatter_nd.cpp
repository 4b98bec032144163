// Workloads of SCATTER_ND: whole rows and single elements at distinct random places.
#include <algorithm>
#include <numeric>
#include <random>

#include <goldml/cpu/scatter_nd.hpp>
#include <goldml/reference/scatter_nd.hpp>

#include "workloads.hpp"

namespace benchmarks {
namespace {

using namespace goldml;

// `count` distinct numbers below `places`, in random order.
std::vector<std::uint32_t> random_places(std::uint32_t places, std::uint32_t count) {
  std::vector<std::uint32_t> all(places);
  std::iota(all.begin(), all.end(), std::uint32_t{0});
  std::shuffle(all.begin(), all.end(), std::mt19937_64(places));
  all.resize(count);
  return all;
}

struct scatter_data {
  dimensions sizes;
  dimensions update_sizes;
  scatter_nd_desc desc;
  std::vector<float> input;
  std::vector<std::uint32_t> indices;
  std::vector<float> updates;
  judged_output<float> output;

  scatter_data(std::uint32_t places, std::uint32_t slice, std::uint32_t tuples, goldml::duplicates duplicates)
      : sizes(slice == 1 ? dimensions{1, places} : dimensions{places, slice}),
        update_sizes(slice == 1 ? dimensions{1, tuples} : dimensions{tuples, slice}),
        desc{.input_dimension_count = slice == 1 ? 1u : 2u, .indices_dimension_count = 2, .duplicates = duplicates},
        input(random_elements<float>(std::size_t{places} * slice)),
        indices(random_places(places, tuples)),
        updates(random_elements<float>(std::size_t{tuples} * slice)),
        output(input.size()) {}

  template <class Backend>
  void call(const Backend& backend) {
    scatter_nd(backend, tensor_view{input, sizes}, tensor_view{indices, {indices.size(), 1}},
               tensor_view{updates, update_sizes}, tensor_view{output.elements(), sizes}, desc);
  }
  void spoil() { output.spoil(); }
  void keep_as_golden() { output.keep_as_golden(); }
  std::string difference() const { return output.difference(); }
};

workload make(std::string name, std::string title, bars bar, std::uint32_t places, std::uint32_t slice,
              std::uint32_t tuples, duplicates rule = duplicates::last_wins) {
  return {std::move(name), std::move(title), bar, [=] {
            const auto data = std::make_shared<scatter_data>(places, slice, tuples, rule);
            prepared_workload p;
            p.contenders = goldml_contenders(data);
            // Each element of the output comes either from the input or from an update.
            p.least = {bytes_of(data->input) + bytes_of(data->indices), bytes_of(data->output.golden())};
            return p;
          }};
}

}  // namespace

std::vector<workload> scatter_nd_workloads(scale how) {
  const std::uint32_t rows = scaled(std::uint32_t{1} << 20, how);
  const std::uint32_t elements = scaled(std::uint32_t{1} << 24, how);
  return {
      make("scatter_rows", "scatter_nd f32 {1 Mi, 64}, 256 Ki rows", random_access, rows, 64,
           rows / 4),
      make("scatter_elements", "scatter_nd f32 {16 Mi}, 4 Mi elements", random_access, elements,
           1, elements / 4),
      // The cost of the default, which searches for duplicate places. No peer does this.
      make("scatter_rows_refuse", "scatter_nd, the rows, duplicates refused", random_access, rows, 64, rows / 4,
           duplicates::refuse),
      make("scatter_elements_refuse", "scatter_nd, the elements, duplicates refused", random_access, elements, 1, elements / 4,
           duplicates::refuse),
      make("scatter_16x16", "scatter_nd f32 16x16, 4 rows", small_call, 16, 16, 4),
      make("scatter_128x128", "scatter_nd f32 128x128, 32 rows", {}, 128, 128, 32),
  };
}

}  // namespace benchmarks
