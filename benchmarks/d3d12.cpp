// Measures the backend d3d12 on resident buffers with GPU timestamps, and compares it with the card's copy bandwidth.
// Each result is first compared completely with simple loops. Prints a Markdown table.
//   goldml_benchmark_d3d12 [--adapter NAME] [--divide LOG2] [--peer FILE] [--only TEXT]
// --divide makes the tensors 2^LOG2 times smaller, for slow adapters. FILE has lines "name milliseconds", as written by
// d3d12_torch.py.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <goldml/d3d12/d3d12.hpp>

namespace {

using namespace goldml;
using words = std::vector<std::uint32_t>;

// Calls f(first, last) for parts of 0 .. count, each on its own thread.
template <class F>
void in_parallel(std::uint64_t count, F&& f) {
  const std::uint64_t parts = (std::max)(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < parts; ++i)
    threads.emplace_back([&f, first = count * i / parts, last = count * (i + 1) / parts] { f(first, last); });
  for (std::thread& thread : threads) thread.join();
}

std::uint32_t hash(std::uint64_t i) {
  auto x = static_cast<std::uint32_t>(i * 0x9E37'79B9);
  x = (x ^ x >> 16) * 0x7FEB'352D;
  x = (x ^ x >> 15) * 0x846C'A68B;
  return x ^ x >> 16;
}

// Integers from -2^23 to 2^23; some are equal.
float number(std::uint64_t i) { return static_cast<float>(hash(i) >> 8) - 8388608.0f; }

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

template <class F>
words filled(std::uint64_t count, F&& word) {
  words result(count);
  in_parallel(count, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) result[i] = word(i);
  });
  return result;
}

// A packed tensor in its own resource.
struct resident {
  d3d12::buffer memory;
  tensor_desc desc;

  resident(const d3d12::device& gpu, data_type type, const dimensions& sizes)
      : desc{.data_type = type, .sizes = sizes}, gpu_(&gpu) {
    memory = d3d12::buffer(gpu.memory(), d3d12::heap::device, buffer_tensor_size_in_bytes(desc));
  }

  // The states that shaders need. Buffers are promoted to them implicitly, so that only the operator is recorded.
  static constexpr D3D12_RESOURCE_STATES read_state = D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE;
  static constexpr D3D12_RESOURCE_STATES written_state = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
  d3d12::resident_tensor input() const { return {memory.resource(), 0, desc, read_state}; }
  d3d12::resident_tensor output() const { return {memory.resource(), 0, desc, written_state}; }

  void write(const words& values) const {
    each_chunk(values.size() * 4, d3d12::heap::upload, [&](const auto& staging, std::uint64_t at, std::uint64_t size) {
      staging.map([&](std::byte* data) { std::memcpy(data, values.data() + at / 4, size); });
      run_copy({staging.resource(), 0, size}, memory.range().part(at, size));
    });
  }

  // The first `count` words.
  words read(std::uint64_t count) const {
    words values(count);
    each_chunk(count * 4, d3d12::heap::readback, [&](const auto& staging, std::uint64_t at, std::uint64_t size) {
      run_copy(memory.range().part(at, size), {staging.resource(), 0, size});
      staging.map([&](const std::byte* data) { std::memcpy(values.data() + at / 4, data, size); });
    });
    return values;
  }

 private:
  template <class F>
  void each_chunk(std::uint64_t bytes, d3d12::heap kind, F&& f) const {
    constexpr std::uint64_t chunk = std::uint64_t{256} << 20;
    const d3d12::buffer staging(gpu_->memory(), kind, (std::min)(chunk, bytes));
    for (std::uint64_t at = 0; at < bytes; at += chunk) f(staging, at, (std::min)(chunk, bytes - at));
  }

  void run_copy(const d3d12::buffer_range& from, const d3d12::buffer_range& to) const {
    d3d12::command_list list = gpu_->take_list();
    {
      d3d12::recorder work(*gpu_, list.list.get());
      work.use(memory.resource(), D3D12_RESOURCE_STATE_COMMON);
      work.copy(from, to);
      work.close();
    }
    gpu_->run(std::move(list));
  }

  const d3d12::device* gpu_;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

using record_function = std::function<void(d3d12::recording&, ID3D12GraphicsCommandList*)>;

// Seconds per run of what `record` records: the median of nine windows of 20 runs each, because a window costs about
// 8 microseconds. An idle GPU is slow at first, so it is kept busy before.
double typical_seconds(const d3d12::device& gpu, const record_function& record) {
  constexpr UINT repetitions = 20;
  std::vector<double> windows;
  const double start = now();
  while (windows.size() < 9) {
    const bool warm = now() - start > 0.6;
    d3d12::command_list list = gpu.take_list();
    ID3D12GraphicsCommandList* const commands = list.list.get();
    const d3d12::timestamps times(gpu, 2);
    d3d12::recording work(gpu, commands);
    times.mark(commands, 0);
    for (UINT i = 0; i < repetitions; ++i) record(work, commands);
    times.mark(commands, 1);
    times.resolve(commands);
    gpu.run(std::move(list));
    work.finish();
    if (warm) windows.push_back(times.seconds()[0] / repetitions);
  }
  std::sort(windows.begin(), windows.end());
  return windows[windows.size() / 2];
}

struct workload {
  std::string name;
  double bytes;  // the least that must be read and written
  double bar;    // the target: the most of time / peer's time
  record_function record;
  std::function<bool()> right;  // whether the result is correct after one run
};

// Runs the workload and prints its row. Returns whether its result is correct.
bool run(const d3d12::device& gpu, const workload& w, const std::map<std::string, double>& peers, double copy_speed,
         double* speed = nullptr) {
  d3d12::command_list list = gpu.take_list();
  {
    d3d12::recording work(gpu, list.list.get());
    w.record(work, list.list.get());
    gpu.run(std::move(list));
    work.finish();
  }
  const bool right = w.right();
  const double seconds = typical_seconds(gpu, w.record);
  const double per_second = w.bytes / seconds;
  if (speed != nullptr) *speed = per_second;
  const auto peer = peers.find(w.name);
  std::string compared = " | | |";
  if (peer != peers.end()) {
    const double ratio = seconds * 1e3 / peer->second;
    const std::string_view missed = ratio <= w.bar ? "" : " MISSED";
    compared = fmt::format(" {:.3f} | {:.2f} | {:.2f}{} |", peer->second, ratio, w.bar, missed);
  }
  fmt::print("| {} | {:.4f} | {:.0f} | {:.2f} |{} {} |\n", w.name, seconds * 1e3, per_second * 1e-9,
             copy_speed == 0 ? 1.0 : per_second / copy_speed, compared, right ? "yes" : "NO");
  std::fflush(stdout);
  return right;
}

// The index of the least of count numbers, first + i * step.
std::uint32_t least(const words& x, std::uint64_t first, std::uint64_t count, std::uint64_t step) {
  std::uint64_t best = 0;
  float least_value = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    float value = 0;
    std::memcpy(&value, &x[first + i * step], sizeof value);
    if (i == 0 || value < least_value) {
      best = i;
      least_value = value;
    }
  }
  return static_cast<std::uint32_t>(best);
}

bool run_all(const d3d12::device& gpu, unsigned divide, const std::map<std::string, double>& peers,
             std::string_view only) {
  const std::uint32_t side = 16384u >> divide / 2;
  const std::uint64_t elements = std::uint64_t{side} * side;
  const double size = 4.0 * static_cast<double>(elements);
  bool right = true;
  double copy_speed = 0;
  const auto table = [&](const workload& w, double* speed = nullptr) {
    if (speed == nullptr && w.name.find(only) == std::string::npos) return;
    right = run(gpu, w, peers, copy_speed, speed) && right;
  };
  fmt::print("adapter: {}\nmatrices {{{},{}}} of FLOAT32\n\n", gpu.adapter().name, side, side);
  fmt::print("| work | ms | GB/s | of copy | PyTorch ms | ratio | bar | right |\n|---|---|---|---|---|---|---|---|\n");

  {
    resident x(gpu, data_type::float32, {side, side}), y(gpu, data_type::float32, {side, side});
    words values = filled(elements, [](std::uint64_t i) { return bits_of(number(i)); });
    x.write(values);
    const auto diagonal = [&](const diagonal_matrix1_desc& desc) {
      return [&x, &y, desc](d3d12::recording& work, ID3D12GraphicsCommandList*) {
        work.add(desc, {x.input()}, {y.output()});
      };
    };
    const auto zero = scalar(0.0f);
    table({"copy", 2 * size, 1.0,
           [&](d3d12::recording& work, ID3D12GraphicsCommandList*) {
             d3d12::recorder& passes = work.passes();
             passes.use(x.memory.resource(), resident::read_state);
             passes.use(y.memory.resource(), resident::written_state);
             const auto count = static_cast<std::uint32_t>(elements / 4);
             const auto groups = d3d12::grid((count + 255) / 256);
             d3d12::pass copy =
                 d3d12::pass_of<d3d12::shaders::copy_vectors>(groups, {.vectors = count, .groups_x = groups[0]});
             copy.reads = {d3d12::vectors(x.memory.range())};
             copy.writes = {d3d12::vectors(y.memory.range())};
             passes.dispatch(copy);
             passes.close();
           },
           [&] { return y.read(elements) == values; }},
          &copy_speed);
    table({"CopyBufferRegion", 2 * size, 1.0,
           [&](d3d12::recording&, ID3D12GraphicsCommandList* list) {
             list->CopyBufferRegion(y.memory.resource(), 0, x.memory.resource(), 0, elements * 4);
           },
           [&] { return y.read(elements) == values; }});
    table({"triu", 1.5 * size, 0.62,
           diagonal({.value = zero, .diagonal_fill_begin = INT32_MIN, .diagonal_fill_end = 0}), [&] {
             return y.read(elements) == filled(elements, [&](std::uint64_t i) {
                      return i % side >= i / side ? values[i] : 0u;
                    });
           }});
    {
      const std::uint32_t window = side - 16;
      resident part(gpu, data_type::float32, {window, window});
      const double moved = 8.0 * window * window;
      table({"slice", moved, 1.0,
             [&](d3d12::recording& work, ID3D12GraphicsCommandList*) {
               work.add(slice_desc{.offsets = {8, 8}, .sizes = {window, window}, .strides = {1, 1}}, {x.input()},
                        {part.output()});
             },
             [&] {
               const std::uint64_t count = std::uint64_t{window} * window;
               return part.read(count) == filled(count, [&](std::uint64_t i) {
                        return values[(i / window + 8) * side + i % window + 8];
                      });
             }});
      table({"transpose", 2 * size, 1.0,
             [&](d3d12::recording& work, ID3D12GraphicsCommandList*) {
               d3d12::resident_tensor turned = x.input();
               turned.desc.strides = {1, side};
               work.add(element_wise_identity_desc{}, {turned}, {y.output()});
             },
             [&] {
               return y.read(elements) ==
                      filled(elements, [&](std::uint64_t i) { return values[i % side * side + i / side]; });
             }});
    }
    // One output element, and one per row or column.
    resident all(gpu, data_type::uint32, {1, 1}), rows(gpu, data_type::uint32, {side, 1}),
        columns(gpu, data_type::uint32, {1, side});
    const auto argmin_over = [&](const dimensions& axes, const resident& to) {
      return [&x, &to, axes](d3d12::recording& work, ID3D12GraphicsCommandList*) {
        work.add(argmin_desc{.axes = axes}, {x.input()}, {to.output()});
      };
    };
    table({"argmin all", size, 0.88, argmin_over({0, 1}, all),
           [&] { return all.read(1)[0] == least(values, 0, elements, 1); }});
    table({"argmin rows", size, 0.70, argmin_over({1}, rows), [&] {
             return rows.read(side) == filled(side, [&](std::uint64_t i) { return least(values, i * side, side, 1); });
           }});
    table({"argmin columns", size, 0.78, argmin_over({0}, columns), [&] {
             return columns.read(side) == filled(side, [&](std::uint64_t i) { return least(values, i, side, side); });
           }});
  }
  {
    constexpr std::uint32_t width = 64;
    const auto places = static_cast<std::uint32_t>(elements / width), count = places / 4;
    resident x(gpu, data_type::float32, {places, width}), updates(gpu, data_type::float32, {count, width}),
        indices(gpu, data_type::uint32, {count, 1}), y(gpu, data_type::float32, {places, width});
    const words values = filled(elements, [](std::uint64_t i) { return bits_of(number(i)); });
    const words changes = filled(std::uint64_t{count} * width, [](std::uint64_t i) { return bits_of(number(i + 77)); });
    words order(places), update_of(places);
    std::iota(order.begin(), order.end(), 0u);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::swap(order[i], order[i + hash(i) % (places - i)]);
      update_of[order[i]] = i + 1;
    }
    order.resize(count);
    x.write(values);
    updates.write(changes);
    indices.write(order);
    const words wanted = filled(elements, [&](std::uint64_t i) {
      const std::uint32_t update = update_of[i / width];
      return update == 0 ? values[i] : changes[std::uint64_t{update - 1} * width + i % width];
    });
    {
      resident chosen(gpu, data_type::uint32, {1, places});
      const words rows = filled(places, [&](std::uint64_t i) { return hash(i + 5) % places; });
      chosen.write(rows);
      table({"gather rows", 2 * size, 1.0,
             [&](d3d12::recording& work, ID3D12GraphicsCommandList*) {
               work.add(gather_desc{.axis = 0, .index_dimensions = 1}, {x.input(), chosen.input()}, {y.output()});
             },
             [&] {
               return y.read(elements) == filled(elements, [&](std::uint64_t i) {
                        return values[std::uint64_t{rows[i / width]} * width + i % width];
                      });
             }});
      table({"gather rows, indices clamped", 2 * size, 1.0,
             [&](d3d12::recording& work, ID3D12GraphicsCommandList*) {
               work.add(gather_desc{.axis = 0, .index_dimensions = 1, .range_policy = range_policy::clamp}, {x.input(), chosen.input()}, {y.output()});
             },
             [&] {
               return y.read(elements) == filled(elements, [&](std::uint64_t i) {
                        return values[std::uint64_t{rows[i / width]} * width + i % width];
                      });
             }});
    }
    for (const auto duplicates : {duplicates::last_wins, duplicates::refuse})
      table({duplicates == duplicates::last_wins ? "scatter rows" : "scatter rows, duplicates refused", 2 * size, 0.70,
             [&, duplicates](d3d12::recording& work, ID3D12GraphicsCommandList*) {
               const scatter_nd_desc desc{
                   .input_dimension_count = 2, .indices_dimension_count = 2, .duplicates = duplicates};
               work.add(desc, {x.input(), indices.input(), updates.input()}, {y.output()});
             },
             [&] { return y.read(elements) == wanted; }});
  }
  for (const unsigned percent : {1u, 50u, 100u}) {
    const std::uint32_t half = side / 2;
    const std::uint64_t fewer = std::uint64_t{half} * half;
    resident x(gpu, data_type::float32, {half, half}), count(gpu, data_type::uint32, {1}),
        coordinates(gpu, data_type::uint32, {static_cast<std::uint32_t>(fewer), 2});
    const words values = filled(fewer, [&](std::uint64_t i) {
      return percent == 100 || hash(i) % 100 < percent ? bits_of(1.5f)
                                                       : hash(i) << 31;  // otherwise a zero of either sign
    });
    x.write(values);
    words wanted;
    for (std::uint32_t i = 0; i < fewer; ++i)
      if (values[i] << 1 != 0) wanted.insert(wanted.end(), {i / half, i % half});
    table({fmt::format("nonzero {} %", percent), 4.0 * static_cast<double>(fewer + wanted.size()), 0.45,
           [&](d3d12::recording& work, ID3D12GraphicsCommandList*) {
             work.add(nonzero_coordinates_desc{}, {x.input()}, {count.output(), coordinates.output()});
           },
           [&] { return count.read(1)[0] == wanted.size() / 2 && coordinates.read(wanted.size()) == wanted; }});
  }
  fmt::print("\n{}\n", right ? "all results are right" : "SOME RESULTS ARE WRONG");
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    d3d12::device_options options;
    unsigned divide = 0;
    std::map<std::string, double> peers;
    std::string_view only;
    for (int i = 1; i < argc; i += 2) {
      const std::string_view name = argv[i];
      if (i + 1 == argc) throw std::invalid_argument("an option without its value");
      if (name == "--adapter") {
        options.adapter = argv[i + 1];
      } else if (name == "--divide") {
        divide = static_cast<unsigned>(std::stoul(argv[i + 1]));
      } else if (name == "--peer") {
        std::ifstream file(argv[i + 1]);
        for (std::string line; std::getline(file, line);)
          if (const std::size_t space = line.rfind(' '); space != std::string::npos)
            peers[line.substr(0, space)] = std::stod(line.substr(space + 1));
      } else if (name == "--only") {
        only = argv[i + 1];
      } else {
        throw std::invalid_argument("options: --adapter NAME, --divide LOG2, --peer FILE, --only TEXT");
      }
    }
    const d3d12::device gpu(options);
    return run_all(gpu, divide, peers, only) ? 0 : 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 2;
  }
}
