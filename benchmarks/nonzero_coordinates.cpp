// Workloads of NONZERO_COORDINATES: densities, element sizes, a transposed view.
#include <random>

#include <goldml/cpu/nonzero_coordinates.hpp>
#include <goldml/reference/nonzero_coordinates.hpp>

#include "workloads.hpp"

namespace benchmarks {
namespace {

using namespace goldml;

template <class T>
struct nonzero_data {
  std::vector<T> elements;
  dimensions sizes;
  dimensions strides;
  judged_output<std::uint32_t> count{1};
  judged_output<std::uint32_t> rows;

  // Four dimensions {1, 1, side, side}, with `percent` of the elements nonzero.
  nonzero_data(std::uint32_t side, std::uint32_t percent, bool transposed)
      : elements(std::size_t{side} * side), sizes{1, 1, side, side}, rows(elements.size() * 4) {
    if (transposed) strides = {elements.size(), elements.size(), 1, side};
    std::mt19937_64 engine(percent);
    for (T& element : elements) element = static_cast<T>(engine() % 100 < percent ? 1 : 0);
  }

  template <class Backend>
  void call(const Backend& backend) {
    nonzero_coordinates(backend, tensor_view{elements, sizes, strides}, tensor_view{count.elements(), {1}},
                        tensor_view{rows.elements(), {elements.size(), 4}});
  }
  void spoil() {
    count.spoil();
    rows.spoil();
  }
  void keep_as_golden() {
    count.keep_as_golden();
    rows.keep_as_golden(std::size_t{count.golden().front()} * 4);
  }
  std::string difference() const { return count.difference() + rows.difference(); }
};

template <class T>
workload make(std::string name, std::string title, bars bar, std::uint32_t side, std::uint32_t percent,
              bool transposed = false) {
  return {std::move(name), std::move(title), bar, [=] {
            const auto data = std::make_shared<nonzero_data<T>>(side, percent, transposed);
            prepared_workload p;
            p.contenders = goldml_contenders(data);
            p.least = {bytes_of(data->elements), bytes_of(data->rows.golden()) + bytes_of(data->count.golden())};
            return p;
          }};
}

}  // namespace

std::vector<workload> nonzero_coordinates_workloads(scale how) {
  const std::uint32_t side = scaled(4096, how);
  return {
      make<float>("nonzero_f32_1", "nonzero f32, 1 % of 4096x4096", {}, side, 1),
      make<float>("nonzero_f32_50", "nonzero f32, 50 %", {}, side, 50),
      make<float>("nonzero_f32_100", "nonzero f32, 100 %", {}, side, 100),
      make<std::uint8_t>("nonzero_u8_1", "nonzero u8, 1 %", {}, side, 1),
      make<std::uint8_t>("nonzero_u8_50", "nonzero u8, 50 %", {}, side, 50),
      make<float>("nonzero_f32_50_transposed", "nonzero f32, 50 %, transposed view", {},
                  side, 50, true),
      make<float>("nonzero_16x16", "nonzero f32, 50 % of 16x16", small_call, 16, 50),
      make<float>("nonzero_128x128", "nonzero f32, 50 % of 128x128", {}, 128, 50),
  };
}

}  // namespace benchmarks
