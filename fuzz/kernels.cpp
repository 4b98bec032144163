// libFuzzer: cases from bytes, on `cpu` and on `reference`. Both give the same bytes, including gaps, or the same refusal.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <goldml/cpu/cpu.hpp>
#include <goldml/reference/reference.hpp>

#include "../tests/support/run_case.hpp"
#include "structured.hpp"

using namespace goldml;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::tally::executed();
  fuzz::visit_input(data, size, []<class Desc>(std::type_identity<Desc>, oracle::random_source& random) {
    const auto c = fuzz::choose_case<Desc>(random);
    if (!fuzz::is_legal(c) || !fuzz::is_cheap(c)) return;
    const auto inputs = oracle::detail::inputs_of(c);
    const auto wanted = goldml_test::run_case(reference, c, inputs);
    if (wanted.refused.empty()) fuzz::tally::reached_kernel();
    // Also uses the code paths for large tensors on small ones. Results must not depend on the path.
    const cpu_tuning small{.threads_from_bytes = 0, .streaming_from_bytes = 0};
    const auto got = goldml_test::run_case(random.chance(50) ? cpu : cpu.with(small), c, inputs);
    require(got == wanted);
  });
  return 0;
}
