// The workloads, each with its data, least traffic, targets and contenders. Only one workload is in memory at a
// time; the largest takes about 2 GiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <unsupported/Eigen/CXX11/ThreadPool>

#include <fmt/format.h>

#include <goldml/core/data_type.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/reference/backend.hpp>

namespace benchmarks {

// An implementation of a workload.
struct contender {
  std::string name;
  std::function<void()> run;
  // Overwrites the output, runs, and compares all defined bytes with those of `reference`. Returns the difference, or
  // an empty text.
  std::function<std::string()> verify;
};

// The least traffic from and to memory: each byte of the input that the result depends on (whole cache lines),
// and each byte of output.
struct traffic {
  std::uint64_t read = 0;
  std::uint64_t written = 0;

  std::uint64_t bytes() const { return read + written; }
};

// The targets. nullopt: no target. One of two: a time of at most half of the best peer's meets the target of the limit, too.
// Those of two threads are the limit's own with two threads, and a tenth: results.py.
struct bars {
  std::optional<double> of_peer = 1.05;           // time with one thread / the best peer's, at most
  std::optional<double> of_limit = 0.80;          // the limit's time / time with one thread, at least
  std::optional<double> seconds = std::nullopt;   // one thread, at most
};
// Streaming is no limit for single elements and short rows at random places.
inline constexpr bars random_access{.of_limit = std::nullopt};
// A call whose cost is that of the call itself.
inline constexpr bars small_call{.of_peer = std::nullopt, .of_limit = std::nullopt, .seconds = 0.5e-6};

struct prepared_workload {
  traffic least;
  std::vector<contender> contenders;  // goldml with one thread, goldml with two, others
};

struct workload {
  std::string name;   // argmin_f32_all
  std::string title;  // argmin f32, all of 64 Mi
  bars bar;
  std::function<prepared_workload()> prepare;  // creates the data and the expected output of `reference`
};

// full: the sizes of docs/performance.md. quick: the same shapes with small sizes, to test in seconds that the
// benchmarks work.
enum class scale { full, quick };

// A size of a workload.
inline std::uint32_t scaled(std::uint32_t size, scale how) {
  if (how == scale::full || size <= 128) return size;
  return size > 65536 ? 16384 : 128;
}

std::vector<workload> argmin_workloads(scale how);
std::vector<workload> nonzero_coordinates_workloads(scale how);
std::vector<workload> scatter_nd_workloads(scale how);
std::vector<workload> diagonal_matrix1_workloads(scale how);
std::vector<workload> convolution_workloads(scale how);
std::vector<workload> gemm_workloads(scale how);
std::vector<workload> integer_product_workloads(scale how);
std::vector<workload> move_workloads(scale how);
std::vector<workload> layer_workloads(scale how);

inline std::vector<workload> all_workloads(scale how) {
  std::vector<workload> all;
  for (const auto& make : {argmin_workloads, nonzero_coordinates_workloads, scatter_nd_workloads,
                           diagonal_matrix1_workloads, convolution_workloads, gemm_workloads, integer_product_workloads,
                           move_workloads, layer_workloads})
    for (workload& w : make(how)) all.push_back(std::move(w));
  return all;
}

// An output, and the expected output of `reference`.
template <class T>
class judged_output {
 public:
  explicit judged_output(std::size_t count) : actual_(count) { spoil(); }

  T* data() { return actual_.data(); }
  std::vector<T>& elements() { return actual_; }
  const std::vector<T>& golden() const { return golden_; }

  // Operators do not give this value in a workload, except by chance in a few elements.
  void spoil() { std::memset(static_cast<void*>(actual_.data()), 0xA5, actual_.size() * sizeof(T)); }
  // Takes the first `defined` elements as the expected output.
  void keep_as_golden(std::size_t defined) {
    golden_.assign(actual_.begin(), actual_.begin() + static_cast<std::ptrdiff_t>(defined));
  }
  void keep_as_golden() { keep_as_golden(actual_.size()); }
  // Empty if the defined elements are those of `reference`, byte for byte.
  std::string difference() const {
    if (golden_.empty()) return "nothing was compared";
    if (std::memcmp(actual_.data(), golden_.data(), golden_.size() * sizeof(T)) == 0) return {};
    for (std::size_t i = 0; i < golden_.size(); ++i)
      if (std::memcmp(&actual_[i], &golden_[i], sizeof(T)) != 0)
        return fmt::format("element {} of {} differs from reference", i, golden_.size());
    return "memcmp contradicts itself";
  }

 private:
  std::vector<T> actual_;
  std::vector<T> golden_;
};

// The backend with two threads. The pool is started once and is idle otherwise.
inline goldml::cpu_backend two_threads() {
  static Eigen::ThreadPool pool(2);
  return goldml::cpu.on(pool);
}

// `cpu` with one and with two threads. Data has call(backend), spoil() and difference().
template <class Data>
std::vector<contender> cpu_contenders(const std::shared_ptr<Data>& data) {
  const auto with = [&](std::string name, const goldml::cpu_backend& backend) {
    return contender{std::move(name), [data, backend] { data->call(backend); },
                     [data, backend] {
                       data->spoil();
                       data->call(backend);
                       return data->difference();
                     }};
  };
  return {with("goldml", goldml::cpu), with("goldml, 2 threads", two_threads())};
}

// The same, with the output of `reference` as what is right. Data has keep_as_golden() too.
template <class Data>
std::vector<contender> goldml_contenders(const std::shared_ptr<Data>& data) {
  data->spoil();
  data->call(goldml::reference);
  data->keep_as_golden();
  return cpu_contenders(data);
}

// Numbers between -1 and 1, or arbitrary integers. No NaN.
template <class T>
std::vector<T> random_elements(std::size_t count) {
  std::mt19937_64 engine(count);
  std::vector<T> elements(count);
  for (T& element : elements) {
    const auto bits = static_cast<std::int32_t>(engine() >> 32);
    if constexpr (std::is_integral_v<T>)
      element = static_cast<T>(sizeof(T) == 8 ? static_cast<std::int64_t>(engine()) : bits);
    else
      element = static_cast<T>(static_cast<float>(bits) * 0x1p-31f);
  }
  return elements;
}

// The bytes of the elements.
template <class T>
std::uint64_t bytes_of(const std::vector<T>& elements) {
  return elements.size() * sizeof(T);
}

}  // namespace benchmarks
