// Workloads of DIAGONAL_MATRIX1: bands and triangles, over zeros and over an input.
#include <limits>

#include <goldml/cpu/diagonal_matrix1.hpp>
#include <goldml/reference/diagonal_matrix1.hpp>

#include "workloads.hpp"

namespace benchmarks {
namespace {

using namespace goldml;

constexpr std::int32_t lowest_diagonal = (std::numeric_limits<std::int32_t>::min)();

struct diagonal_data {
  dimensions sizes;
  diagonal_matrix1_desc desc;
  std::vector<float> input;  // empty if there is no input
  judged_output<float> output;

  diagonal_data(const dimensions& s, const diagonal_matrix1_desc& d, bool keep)
      : sizes(s), desc(d), input(random_elements<float>(keep ? element_count(s) : 0)), output(element_count(s)) {}

  template <class Backend>
  void call(const Backend& backend) {
    if (input.empty())
      diagonal_matrix1(backend, tensor_view{output.elements(), sizes}, desc);
    else
      diagonal_matrix1(backend, tensor_view{input, sizes}, tensor_view{output.elements(), sizes}, desc);
  }
  void spoil() { output.spoil(); }
  void keep_as_golden() { output.keep_as_golden(); }
  std::string difference() const { return output.difference(); }

  // The number of input elements that are kept.
  std::uint64_t kept() const {
    if (input.empty()) return 0;
    const std::int64_t height = sizes[1];
    const std::int64_t width = sizes[2];
    std::uint64_t filled = 0;
    for (std::int64_t y = 0; y < height; ++y) {
      const std::int64_t first = std::max<std::int64_t>(0, y + desc.diagonal_fill_begin);
      const std::int64_t end = std::min<std::int64_t>(width, y + desc.diagonal_fill_end);
      if (first < end) filled += static_cast<std::uint64_t>(end - first);
    }
    return input.size() - sizes[0] * filled;
  }
};

workload make(std::string name, std::string title, bars bar, const dimensions& sizes, diagonal_matrix1_desc desc,
              bool keep) {
  return {std::move(name), std::move(title), bar, [=] {
            const auto data = std::make_shared<diagonal_data>(sizes, desc, keep);
            prepared_workload p;
            p.contenders = goldml_contenders(data);
            p.least = {data->kept() * sizeof(float), bytes_of(data->output.golden())};
            return p;
          }};
}

}  // namespace

std::vector<workload> diagonal_matrix1_workloads(scale how) {
  const std::uint32_t side = scaled(4096, how);
  const dimensions sizes{how == scale::full ? 8u : 2u, side, side};
  const diagonal_matrix1_desc band{.value = 1.0f, .diagonal_fill_begin = -1, .diagonal_fill_end = 2};
  const diagonal_matrix1_desc lower{.value = 1.0f, .diagonal_fill_begin = lowest_diagonal, .diagonal_fill_end = 1};
  const diagonal_matrix1_desc clear_below{.value = 0.0f, .diagonal_fill_begin = lowest_diagonal, .diagonal_fill_end = 0};
  return {
      make("diagonal_zeros_band", "diagonal_matrix1 {8,4096,4096}, zeros + band", {},
           sizes, band, false),
      make("diagonal_zeros_triangle", "diagonal_matrix1, zeros + triangle", {}, sizes,
           lower, false),
      make("diagonal_keep_upper", "diagonal_matrix1, keep the upper triangle", {},
           sizes, clear_below, true),
      make("diagonal_keep_band", "diagonal_matrix1, keep + band", {}, sizes, band,
           true),
      make("diagonal_16x16", "diagonal_matrix1 f32 16x16, keep the upper triangle", small_call, {1, 16, 16},
           clear_below, true),
      make("diagonal_128x128", "diagonal_matrix1 f32 128x128, keep the upper triangle", {},
           {1, 128, 128}, clear_below, true),
  };
}

}  // namespace benchmarks
