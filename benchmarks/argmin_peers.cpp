// ARGMIN with Eigen Tensor and xtensor, in the same program as goldml.
#include <algorithm>
#include <array>
#include <utility>

#include <unsupported/Eigen/CXX11/Tensor>

#if __has_include(<xtensor/xsort.hpp>)
#include <xtensor/xadapt.hpp>
#include <xtensor/xsort.hpp>
#endif

#include "argmin.hpp"

namespace benchmarks {
namespace {

using goldml::float16;

// `call` writes indices of the library's own type.
template <class T, class Index, class Call>
contender peer(std::string name, const std::shared_ptr<argmin_data<T>>& data, Call call) {
  const auto indices = std::make_shared<std::vector<Index>>(data->output.golden().size());
  return {std::move(name), [=] { call(*data, *indices); },
          [=] {
            indices->assign(indices->size(), static_cast<Index>(-1));
            call(*data, *indices);
            const auto same = [](Index a, std::uint32_t b) { return a == static_cast<Index>(b); };
            const auto& golden = data->output.golden();
            return std::equal(indices->begin(), indices->end(), golden.begin(), same) ? "" : "indices differ";
          }};
}

// Eigen's index type, for sizes and results.
using eigen_index = Eigen::DenseIndex;
using eigen_indices = std::vector<eigen_index>;

const std::string eigen_name =
    fmt::format("Eigen Tensor {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);

template <class T, class... Sizes>
auto eigen_view(const argmin_data<T>& data, Sizes... sizes) {
  return Eigen::TensorMap<const Eigen::Tensor<T, sizeof...(Sizes), Eigen::RowMajor>>(
      data.elements.data(), static_cast<eigen_index>(sizes)...);
}

template <class Input>
void eigen_whole(const Input& input, eigen_indices& to) {
  Eigen::TensorMap<Eigen::Tensor<eigen_index, 0, Eigen::RowMajor>>(to.data()) = input.argmin();
}

template <class Input, class... Sizes>
void eigen_axis(const Input& input, int axis, eigen_indices& to, Sizes... left) {
  Eigen::TensorMap<Eigen::Tensor<eigen_index, sizeof...(Sizes), Eigen::RowMajor>>(
      to.data(), static_cast<eigen_index>(left)...) = input.argmin(axis);
}

// All elements of a packed vector, or an axis of a packed matrix.
template <class T>
void eigen_packed(const argmin_data<T>& data, eigen_indices& to) {
  if (data.sizes.size() == 1) return eigen_whole(eigen_view(data, data.sizes[0]), to);
  const int axis = static_cast<int>(data.desc.axes[0]);
  eigen_axis(eigen_view(data, data.sizes[0], data.sizes[1]), axis, to, data.sizes[axis == 0 ? 1 : 0]);
}

void eigen_middle(const argmin_data<float>& data, eigen_indices& to) {
  eigen_axis(eigen_view(data, data.sizes[0], data.sizes[1], data.sizes[2]), 1, to, data.sizes[0], data.sizes[2]);
}

// The three strided views.
void eigen_transposed(const argmin_data<float>& data, eigen_indices& to) {
  eigen_axis(eigen_view(data, data.sizes[1], data.sizes[0]).shuffle(std::array{1, 0}), 1, to, data.sizes[0]);
}
void eigen_every_second(const argmin_data<float>& data, eigen_indices& to) {
  eigen_whole(eigen_view(data, data.elements.size()).stride(std::array<eigen_index, 1>{2}), to);
}
void eigen_broadcast(const argmin_data<float>& data, eigen_indices& to) {
  eigen_whole(eigen_view(data, 1, data.sizes[1]).broadcast(std::array<eigen_index, 2>{data.sizes[0], 1}), to);
}

// An axis of a packed matrix.
template <class T>
void add_xtensor([[maybe_unused]] std::vector<contender>& peers,
                 [[maybe_unused]] const std::shared_ptr<argmin_data<T>>& data) {
#if __has_include(<xtensor/xsort.hpp>)
  using indices = std::vector<std::size_t>;
  const std::string name =
      fmt::format("xtensor {}.{}.{}", XTENSOR_VERSION_MAJOR, XTENSOR_VERSION_MINOR, XTENSOR_VERSION_PATCH);
  peers.push_back(peer<T, std::size_t>(name, data, [](const argmin_data<T>& d, indices& to) {
    const std::array<std::size_t, 2> shape{d.sizes[0], d.sizes[1]};
    const auto input = xt::adapt(d.elements.data(), d.elements.size(), xt::no_ownership(), shape);
    const auto result = xt::argmin(input, d.desc.axes[0]);
    std::copy(result.begin(), result.end(), to.begin());
  }));
#endif
}

template <class T>
std::vector<contender> packed_peers(const std::shared_ptr<argmin_data<T>>& data) {
  std::vector<contender> peers{peer<T, eigen_index>(eigen_name, data, eigen_packed<T>)};
  if (data->sizes.size() == 2) add_xtensor(peers, data);
  return peers;
}

}  // namespace

std::vector<contender> argmin_peers(const std::shared_ptr<argmin_data<float>>& data) {
  const auto eigen = [&](auto call) { return std::vector{peer<float, eigen_index>(eigen_name, data, call)}; };
  if (data->sizes.size() == 3) return eigen(eigen_middle);
  if (data->strides.empty()) return packed_peers(data);
  if (data->strides.size() == 1) return eigen(eigen_every_second);
  return eigen(data->strides[0] == 0 ? eigen_broadcast : eigen_transposed);
}
std::vector<contender> argmin_peers(const std::shared_ptr<argmin_data<float16>>& data) {
  return packed_peers(data);
}
std::vector<contender> argmin_peers(const std::shared_ptr<argmin_data<std::int8_t>>& data) {
  return packed_peers(data);
}
std::vector<contender> argmin_peers(const std::shared_ptr<argmin_data<std::int64_t>>& data) {
  return packed_peers(data);
}

}  // namespace benchmarks
