// goldml_benchmark_names: the time per name to read and validate models with many names. Each of COUNT
// resources and each of COUNT dispatchables has a distinct name, and each of COUNT dispatches names one
// dispatchable and two resources.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <goldml/io/dxdispatch.hpp>

namespace {

std::string model_of(std::size_t count) {
  std::string resources, dispatchables, commands;
  for (std::size_t i = 0; i < count; ++i) {
    const char* const comma = i + 1 == count ? "" : ",";
    resources +=
        fmt::format(R"("resource {}":{{"initialValuesDataType":"INT32","initialValues":[1,2,3,4]}}{})", i, comma);
    dispatchables +=
        fmt::format(R"("dispatchable {}":{{"type":"ARGMIN","InputTensor":{{"DataType":"INT32","Sizes":[4]}},)"
                    R"("OutputTensor":{{"DataType":"UINT32","Sizes":[1]}},"Axes":[0],"AxisDirection":0}}{})",
                    i, comma);
    commands +=
        fmt::format(R"({{"type":"dispatch","dispatchable":"dispatchable {}","bindings":{{"InputTensor":"resource {}",)"
                    R"("OutputTensor":"resource {}"}}}}{})",
                    count - 1 - i, i, (i + 1) % count, comma);
  }
  return fmt::format(R"({{"resources":{{{}}},"dispatchables":{{{}}},"commands":[{}]}})", resources, dispatchables,
                     commands);
}

// The fastest of three runs, in seconds.
template <class Run>
double time_of(Run&& run) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    best = passed.count() < best ? passed.count() : best;
  }
  return best;
}

}  // namespace

int main() {
  std::printf("%10s %10s %12s %14s %18s\n", "names", "MB", "ms to read", "us per name", "us to validate one");
  for (const std::size_t count : {std::size_t{1000}, std::size_t{10'000}, std::size_t{100'000}}) {
    const std::string text = model_of(count);
    goldml::io::model_options options;
    options.max_memory = std::uint64_t{1} << 34;
    goldml::io::model model;
    const double read = time_of([&] { model = goldml::io::parse_model(text, ".", options); });
    std::uint64_t broken = 0;
    const double validate =
        time_of([&] { broken = goldml::io::validate_model(model, [](std::string_view, const goldml::violation&) {}); });
    if (broken != 0) {
      std::puts("a legal model was refused");
      return 1;
    }
    const auto names = static_cast<double>(2 * count);
    std::printf("%10.0f %10.1f %12.1f %14.2f %18.2f\n", names, static_cast<double>(text.size()) / 1e6, read * 1e3,
                read * 1e6 / names, validate * 1e6 / static_cast<double>(count));
  }
  return 0;
}
