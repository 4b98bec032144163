// d3d12 with buffers larger than one view: 512 MiB of words, 2 GiB of vectors. Software adapters get buffers just
// above the first limit, hardware ones above both; GOLDML_D3D12_LARGE_MIB sets another size. Ends with status 77,
// skipped, if there is no driver or too little memory.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#ifndef _WIN32
#include <unistd.h>
#endif

#include <goldml/d3d12/d3d12.hpp>

namespace {

using namespace goldml;

int checks = 0;
int failures = 0;

void check(const std::string& what, bool right) {
  ++checks;
  failures += right ? 0 : 1;
  std::printf("%s: %s\n", right ? "ok" : "FAILED", what.c_str());
  std::fflush(stdout);
}

// A tensor in its own resource, which ends with the tensor.
class big_tensor {
 public:
  big_tensor(const d3d12::device& gpu, data_type type, const dimensions& sizes, const dimensions& strides = {})
      : gpu_(&gpu), desc_{.data_type = type, .sizes = sizes, .strides = strides},
        resource_(gpu.memory().take({d3d12::heap::device, buffer_tensor_size_in_bytes(desc_)})) {}

  // Another tensor in the same bytes.
  d3d12::resident_tensor as(const tensor_desc& desc) const {
    return {resource_.get(), 0, desc, D3D12_RESOURCE_STATE_COMMON};
  }
  operator d3d12::resident_tensor() const { return as(desc_); }
  std::uint64_t words() const { return buffer_tensor_size_in_bytes(desc_) / 4; }

  // Sets word i of the buffer to word(i).
  void fill(const std::function<std::uint32_t(std::uint64_t)>& word) const {
    each_chunk(d3d12::heap::upload, [&](const d3d12::buffer& staging, std::uint64_t first, std::uint64_t count) {
      staging.map([&](std::byte* data) {
        for (std::uint64_t i = 0; i < count; ++i) {
          const std::uint32_t value = word(first + i);
          std::memcpy(data + i * 4, &value, 4);
        }
      });
      copy(staging.range().part(0, count * 4), range(first, count));
    });
  }

  // Whether every word that has an expected value is equal to it.
  bool holds(const std::function<std::optional<std::uint32_t>(std::uint64_t)>& wanted) const {
    bool right = true;
    each_chunk(d3d12::heap::readback, [&](const d3d12::buffer& staging, std::uint64_t first, std::uint64_t count) {
      if (!right) return;
      copy(range(first, count), staging.range().part(0, count * 4));
      staging.map([&](const std::byte* data) {
        for (std::uint64_t i = 0; i < count && right; ++i) {
          std::uint32_t value = 0;
          std::memcpy(&value, data + i * 4, 4);
          const std::optional<std::uint32_t> want = wanted(first + i);
          right = !want || value == *want;
          if (!right) fmt::print("word {} is {:08x}, wanted {:08x}\n", first + i, value, *want);
        }
      });
    });
    return right;
  }

 private:
  template <class F>
  void each_chunk(d3d12::heap kind, F&& f) const {
    constexpr std::uint64_t chunk = std::uint64_t{4} << 20;  // words
    const d3d12::buffer staging(gpu_->memory(), kind, chunk * 4);
    for (std::uint64_t at = 0; at < words(); at += chunk) f(staging, at, (std::min)(chunk, words() - at));
  }
  d3d12::buffer_range range(std::uint64_t first, std::uint64_t count) const {
    return {resource_.get(), first * 4, count * 4};
  }
  void copy(const d3d12::buffer_range& from, const d3d12::buffer_range& to) const {
    d3d12::command_list list = gpu_->take_list();
    d3d12::recorder work(*gpu_, list.list.get());
    work.use(resource_.get(), D3D12_RESOURCE_STATE_COMMON);
    work.copy(from, to);
    work.close();
    gpu_->run(std::move(list));
  }

  const d3d12::device* gpu_;
  tensor_desc desc_;
  d3d12::com_ptr<ID3D12Resource> resource_;
};

template <class Desc>
void run(const d3d12::device& gpu, const Desc& desc, std::initializer_list<d3d12::resident_tensor> inputs,
         std::initializer_list<d3d12::resident_tensor> outputs) {
  d3d12::command_list list = gpu.take_list();
  d3d12::recording work(gpu, list.list.get());
  work.add(desc, inputs, outputs);
  gpu.run(std::move(list));
  work.finish();
}

constexpr auto u8 = data_type::uint8, u32 = data_type::uint32, f32 = data_type::float32, f64 = data_type::float64;

void check_argmin(const d3d12::device& gpu, std::uint64_t bytes) {
  const auto count = static_cast<std::uint32_t>((std::min)(bytes, std::uint64_t{0xFFFF'FFF0}));
  const big_tensor x(gpu, u8, {count}), index(gpu, u32, {1});
  // 9 everywhere, except 3 at two odd positions near the end and 5 at an even one.
  const std::uint32_t first = count - 103, last = count - 3, even = count - 50;
  x.fill([&](std::uint64_t word) {
    std::uint32_t value = 0x0909'0909;
    for (const auto& [at, byte] : {std::pair{first, 3u}, {last, 3u}, {even, 5u}})
      if (at / 4 == word) value = (value & ~(0xFFu << at % 4 * 8)) | byte << at % 4 * 8;
    return value;
  });
  run(gpu, argmin_desc{.axes = {0}}, {x}, {index});
  check("argmin of bytes", index.holds([&](std::uint64_t) { return first; }));
  run(gpu, argmin_desc{.axes = {0}, .axis_direction = axis_direction::decreasing}, {x}, {index});
  check("argmin of bytes, the last of equals", index.holds([&](std::uint64_t) { return last; }));
  run(gpu, argmin_desc{.axes = {0}}, {x.as({.data_type = u8, .sizes = {count / 2}, .strides = {2}})}, {index});
  check("argmin of every second byte", index.holds([&](std::uint64_t) { return even / 2; }));

  // Rows and columns of numbers: -i on the diagonal of each square, 0 elsewhere.
  const std::uint32_t width = 4096, height = static_cast<std::uint32_t>(bytes / 4 / width);
  const big_tensor m(gpu, f32, {height, width}), rows(gpu, u32, {height, 1}), columns(gpu, u32, {1, width});
  m.fill([&](std::uint64_t i) {
    const float value = i % width == i / width % width ? -static_cast<float>(i / width + 1) : 0.0f;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    return bits;
  });
  run(gpu, argmin_desc{.axes = {1}}, {m}, {rows});
  check("argmin of rows", rows.holds([&](std::uint64_t row) { return static_cast<std::uint32_t>(row % width); }));
  run(gpu, argmin_desc{.axes = {0}}, {m}, {columns});
  check("argmin of columns", columns.holds([&](std::uint64_t column) {
    return static_cast<std::uint32_t>((height - 1 - column) / width * width + column);
  }));
}

void check_diagonal(const d3d12::device& gpu, std::uint64_t bytes) {
  const std::uint32_t width = 4000, height = static_cast<std::uint32_t>(bytes / 4 / width);
  const auto value = scalar(2.0f);
  const std::uint32_t two = 0x4000'0000;
  for (const std::uint32_t gap : {0u, 3u}) {
    const big_tensor y(gpu, f32, {height, width}, {width + gap, 1});
    y.fill([](std::uint64_t) { return 77; });
    run(gpu, diagonal_matrix1_desc{.value = value, .diagonal_fill_begin = -1, .diagonal_fill_end = 2}, {{}}, {y});
    check(gap == 0 ? "band in zeros" : "band in zeros, padded rows", y.holds([&](std::uint64_t i) {
      const auto row = static_cast<std::int64_t>(i / (width + gap));
      const auto column = static_cast<std::int64_t>(i % (width + gap));
      return column >= width ? 77u : column - row >= -1 && column - row < 2 ? two : 0u;
    }));
  }
  // A matrix and its transpose, of pairs of words.
  const std::uint32_t tall = static_cast<std::uint32_t>(bytes / 8 / 1000);
  const big_tensor x(gpu, f64, {tall, 1000}), y(gpu, f64, {1000, tall});
  x.fill([](std::uint64_t i) { return static_cast<std::uint32_t>(i); });
  run(gpu, diagonal_matrix1_desc{.value = scalar(0.0), .diagonal_fill_begin = 0, .diagonal_fill_end = 0},
      {x.as({.data_type = f64, .sizes = {1000, tall}, .strides = {1, 1000}})}, {y});
  check("transpose", y.holds([&](std::uint64_t i) {
    const std::uint64_t element = i / 2, row = element / tall, column = element % tall;
    return static_cast<std::uint32_t>((column * 1000 + row) * 2 + i % 2);
  }));
}

void check_scatter(const d3d12::device& gpu, std::uint64_t bytes) {
  const std::uint32_t width = 64, places = static_cast<std::uint32_t>(bytes / 4 / width), count = 1000;
  const std::uint32_t step = places / count;  // update i goes to the last place of step i
  const big_tensor x(gpu, f32, {places, width}), indices(gpu, u32, {count, 1}), updates(gpu, f32, {count, width});
  x.fill([](std::uint64_t i) { return static_cast<std::uint32_t>(i); });
  indices.fill([&](std::uint64_t i) { return static_cast<std::uint32_t>((i + 1) * step - 1); });
  updates.fill([](std::uint64_t i) { return ~static_cast<std::uint32_t>(i); });
  for (const std::uint32_t gap : {0u, 1u})
    for (const auto duplicates : {duplicates::last_wins, duplicates::refuse}) {
      const big_tensor y(gpu, f32, {places, width}, {width + gap, 1});
      y.fill([](std::uint64_t) { return 77; });
      run(gpu, scatter_nd_desc{.input_dimension_count = 2, .indices_dimension_count = 2, .duplicates = duplicates},
          {x, indices, updates}, {y});
      check(gap == 0 ? "rows scattered" : "rows scattered, padded", y.holds([&](std::uint64_t i) {
        const std::uint64_t row = i / (width + gap), column = i % (width + gap);
        const bool replaced = row % step == step - 1 && row / step < count;
        return column >= width ? 77u
               : replaced      ? ~static_cast<std::uint32_t>(row / step * width + column)
                               : static_cast<std::uint32_t>(row * width + column);
      }));
    }
}

void check_nonzero(const d3d12::device& gpu, std::uint64_t bytes) {
  const std::uint32_t width = 1000, height = static_cast<std::uint32_t>(bytes / 8 / width), step = 999'983;
  const std::uint32_t elements = width * height;
  const big_tensor x(gpu, u8, {height, width}), count(gpu, u32, {1}), coordinates(gpu, u32, {elements, 2});
  // Every element, and then few of them: those whose number is a multiple of `step`.
  x.fill([](std::uint64_t) { return 0x0101'0101; });
  run(gpu, nonzero_coordinates_desc{}, {x}, {count, coordinates});
  check("count of all", count.holds([&](std::uint64_t) { return elements; }));
  check("coordinates of all", coordinates.holds([&](std::uint64_t i) {
    return static_cast<std::uint32_t>(i % 2 == 0 ? i / 2 / width : i / 2 % width);
  }));
  x.fill([&](std::uint64_t word) {
    const std::uint64_t next = (word * 4 + step - 1) / step * step;
    return next < word * 4 + 4 ? 1u << next % 4 * 8 : 0u;
  });
  coordinates.fill([](std::uint64_t) { return 77; });
  run(gpu, nonzero_coordinates_desc{}, {x}, {count, coordinates});
  const std::uint32_t few = (elements + step - 1) / step;
  check("count of few", count.holds([&](std::uint64_t) { return few; }));
  check("coordinates of few", coordinates.holds([&](std::uint64_t i) -> std::optional<std::uint32_t> {
    const std::uint64_t at = i / 2 * step;
    return i / 2 >= few ? 77u : static_cast<std::uint32_t>(i % 2 == 0 ? at / width : at % width);
  }));
}

// Copies that must be divided: forwards, backwards, and of columns.
void check_moves(const d3d12::device& gpu, std::uint64_t bytes) {
  const std::uint32_t width = 4001, height = static_cast<std::uint32_t>(bytes / 4 / width);
  const big_tensor x(gpu, f32, {height, width}), y(gpu, f32, {height, width});
  const auto number = [&](std::uint64_t row, std::uint64_t column) {
    return static_cast<std::uint32_t>(row * width + column);
  };
  x.fill([](std::uint64_t i) { return static_cast<std::uint32_t>(i); });
  run(gpu, element_wise_identity_desc{}, {x}, {y});
  check("copy", y.holds([](std::uint64_t i) { return static_cast<std::uint32_t>(i); }));
  run(gpu,
      slice1_desc{.input_window_offsets = {0, 0},
                  .input_window_sizes = {height, width},
                  .input_window_strides = {-1, -1}},
      {x}, {y});
  check("slice1, backwards in both dimensions",
        y.holds([&](std::uint64_t i) { return number(height - 1 - i / width, width - 1 - i % width); }));
  run(gpu, fill_value_constant_desc{.value = scalar(2.0f)}, {}, {y});
  check("fill", y.holds([](std::uint64_t) { return 0x4000'0000u; }));
  // Three quarters of the columns, and the others.
  const std::uint32_t left = width / 4 * 3;
  const big_tensor a(gpu, f32, {height, left}), b(gpu, f32, {height, width - left});
  run(gpu, split_desc{.axis = 1}, {x}, {a, b});
  check("split", a.holds([&](std::uint64_t i) { return number(i / left, i % left); }) &&
                     b.holds([&](std::uint64_t i) { return number(i / (width - left), left + i % (width - left)); }));
}

std::uint64_t free_memory() {
#ifdef _WIN32
  return ~std::uint64_t{0};
#else
  return static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
#endif
}

int skip(const std::string& why) {
  const char* const required = std::getenv("GOLDML_REQUIRE_GPU");
  const bool failure = required != nullptr && std::string(required) == "1";
  std::printf("%s: no large buffer on d3d12: %s\n", failure ? "FAILED" : "SKIPPED", why.c_str());
  return failure ? 1 : 77;
}

}  // namespace

int main() {
  try {
    if (d3d12::adapters().empty()) return skip("no adapter is listed");
  } catch (const d3d12::device_error& problem) {
    return skip(problem.what());
  }
  try {
    const char* const name = std::getenv("GOLDML_D3D12_ADAPTER");
    const d3d12::device gpu({.adapter = name == nullptr ? "" : name, .bindings = d3d12::bindings::tables});
    std::vector<std::uint64_t> sizes{std::uint64_t{560} << 20};
    if (!gpu.adapter().software) sizes.push_back(std::uint64_t{2500} << 20);
    if (const char* const mebibytes = std::getenv("GOLDML_D3D12_LARGE_MIB"))
      sizes = {std::strtoull(mebibytes, nullptr, 10) << 20};
    for (const std::uint64_t bytes : sizes) {
      if (gpu.adapter().software && free_memory() < 3 * bytes)
        return skip("less memory is free than three such buffers");
      fmt::print("large buffers on {}: {} MiB\n", gpu.adapter().name, bytes >> 20);
      for (const auto part : {check_argmin, check_diagonal, check_scatter, check_nonzero, check_moves}) try {
          part(gpu, bytes);
        } catch (const std::exception& problem) {
          check(problem.what(), false);
        }
    }
  } catch (const std::exception& problem) {
    check(problem.what(), false);
  }
  std::printf("large buffers: %d checks, %d failed\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
