// probe_verdicts OPERATOR COUNT SEED [CASE | half]: compares the library's verdicts with the second rules of
// tests/oracle, element by element, on values around the golden value and around the ends of what is allowed. With
// `half`, generated cases get the policy accumulation=half; only the rules of the activations know it. A developer's
// tool: built by hand with -Itests, in no target.
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>

#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/samplers.hpp>

#include "oracle/allowed.hpp"
#include "oracle/deviations.hpp"
#include "oracle/device.hpp"
#include "oracle/faults.hpp"
#include "oracle/golden.hpp"
using namespace goldml;
using namespace judged;
int main(int argc, char** argv) {
  const std::string want = argv[1];
  const std::uint64_t count = std::strtoull(argv[2], nullptr, 10), seed = std::strtoull(argv[3], nullptr, 10);
  int shown = 0;
  std::uint64_t probes = 0, bad = 0;
  oracle::random_source random(7);
  const auto run = [&](const oracle::generated_case<any_desc>& c) {
    const auto golden = golden_values(c.expected.answers.front());
    for (const tensor_desc& output : c.outputs)
      if (output.sizes.empty()) return;
    for (bool strict : {false, true}) {
      const auto options = strict ? oracle::compare_options::strict() : oracle::compare_options{};
      const auto right = right_answers(c, strict);
      for (std::size_t o = 0; o < golden.size(); ++o) {
        const data_type type = c.outputs[o].data_type;
        const unsigned width = 8 * element_size_in_bytes(type);
        const bits mask = ~bits{0} >> (64 - width), sign = bits{1} << (width - 1);
        for (std::size_t e = 0; e < golden[o].size(); ++e) {
          std::set<bits> tries{0, sign};
          const auto around = [&](bits b) {
            for (int d : {-3, -2, -1, 0, 1, 2, 3}) tries.insert((b + static_cast<bits>(d)) & mask);
          };
          around(golden[o][e]);
          tries.insert(golden[o].begin(), golden[o].end());
          if (width == 32) {
            for (bits b : {0x7F800000ull, 0xFF800000ull, 0x7FC00000ull, 0x7FC00001ull, 0xFFFFFFFFull, 0x00800000ull,
                           0x80800000ull, 0x007FFFFFull})
              tries.insert(b);
          }
          if (width == 16) {
            for (bits b : {0x7C00ull, 0xFC00ull, 0x7E00ull, 0x7E01ull}) tries.insert(b);
          }
          for (const auto& rules : right) {
            const auto& r = rules[o][e];
            for (bits b : r.allowed) around(b);
            std::vector<float_range> ranges = r.apart;
            if (r.range) ranges.push_back(*r.range);
            for (const float_range& range : ranges)
              for (double x : {range.low, range.high, range.outer_low, range.outer_high}) {
                if (type == data_type::float32) around(bits_of(static_cast<float>(x)));
                if (type == data_type::float16) around(bits_of(static_cast<float16>(static_cast<float>(x))));
              }
          }
          for (bits b : tries) {
            auto got = golden;
            got[o][e] = b;
            ++probes;
            const auto broken = broken_elements(c.text.desc, right, got, c.outputs, strict);
            const auto tensors = in_memory(random, c.outputs, got, layout::as_golden);
            std::vector<const_tensor_ref> refs;
            for (const auto& t : tensors) refs.push_back(t.ref());
            const auto j = oracle::compare(c.expected, refs, options);
            const bool ok = j.tolerated();
            bool between = false;
            if (!ok && broken == 0) {
              between = true;
              for (const auto& rules : without_outer(right)) {
                const element_rule& inner = rules[o][e];
                if (inner.allows(b) || (!strict && inner.allows_nan(type, b))) between = false;
              }
            }
            if (ok != (broken == 0) && !between) {
              ++bad;
              static std::string last;
              const std::string key = c.line() + std::to_string(strict);
              if (shown < 12 && last != key) {
                last = key;
                ++shown;
                const auto& r = right[0][o][e];
                fmt::print("{} {} out {} el {} golden {:08X} probe {:08X}: library {} rules {}; allowed",
                           strict ? "STRICT" : "default", c.line(), o, e, golden[o][e], b, ok, broken == 0);
                for (bits a : r.allowed) fmt::print(" {:08X}", a);
                if (r.range)
                  fmt::print(" range [{:a} {:a}] outer [{:a} {:a}] nan {}", r.range->low, r.range->high,
                             r.range->outer_low, r.range->outer_high, r.range->nan);
                const auto& v = c.expected.answers.front()[o].verdicts;
                if (const auto* i = v.interval_of(e))
                  fmt::print(" lib interval [{:a} {:a}] also {}", i->low, i->high, i->also);
                fmt::print("\n\n");
              }
            }
          }
        }
      }
    }
  };
  oracle::any_operator_of<argmin_desc>();
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    const oracle::any_operator& op = oracle::any_operator_of<Desc>();
    if (op.name() != want) return;
    const bool half = argc > 4 && std::string_view(argv[4]) == "half";
    if (argc > 4 && !half) {
      run(oracle::make_case(op, oracle::parse_case(*op.description, argv[4])));
      return;
    }
    oracle::generate_options options{.count = count, .seed = seed, .most_elements = 40};
    for (const auto& c : oracle::cases<any_desc>(op, options)) {
      if constexpr (requires(Desc desc) { desc.accumulation; }) {
        if (half) {
          auto text = c.text;
          Desc desc = text.desc.template as<Desc>();
          desc.accumulation = accumulation::half;
          text.desc = any_desc(desc);
          run(oracle::make_case(op, text));
          continue;
        }
      }
      run(c);
    }
  });
  fmt::print("{}: {} probes, {} differ\n", want, probes, bad);
}
