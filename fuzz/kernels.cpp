// libFuzzer: cases from bytes, on `cpu` and on `reference`. Both give the same bytes, including gaps, or the same
// refusal.
#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/cpu/cpu.hpp>
#include <goldml/operators/any_call.hpp>

#include "../tests/support/run_case.hpp"
#include "structured.hpp"

using namespace goldml;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::tally::executed();
  fuzz::visit_input(data, size, [](const oracle::any_operator& op, oracle::random_source& random) {
    const auto call = call_of<cpu_backend>(*op.description);
    const auto c = fuzz::choose_case(op, random);
    if (call == nullptr || !fuzz::is_legal(c) || !fuzz::is_cheap(c)) return;
    const auto inputs = oracle::detail::inputs_of(op, c);
    const auto wanted = goldml_test::run_case(op.golden->evaluate, c, inputs);
    if (wanted.refused.empty()) fuzz::tally::reached_kernel();
    // Also uses the code paths for large tensors on small ones. Results must not depend on the path.
    const cpu_tuning small{.threads_from_bytes = 0, .streaming_from_bytes = 0};
    const cpu_backend backend = random.chance(50) ? cpu : cpu.with(small);
    const auto on_cpu = [&](const void* desc, std::span<const const_tensor_ref> in, std::span<const tensor_ref> out) {
      call(backend, desc, in, out);
    };
    require(goldml_test::run_case(on_cpu, c, inputs) == wanted);
  });
  return 0;
}
