// Cases of class exact: no legal device rounds, so that each element has one right value.
#include <bit>
#include <cstdint>
#include <type_traits>

#include <goldml/goldml.hpp>
#include <goldml/oracle/generate.hpp>

#include "../catch.hpp"
#include "../support/long_run.hpp"

using namespace goldml;
using goldml_test::random_count;

namespace {

struct counted {
  std::uint64_t elements = 0, kinds[3] = {};  // of attention: uniform, one-hot, lift
};

// Counts the elements of the outputs of cases, and checks that each has one right value.
template <class Desc>
counted count(data_type type, std::uint64_t cases, oracle::sizes_class sizes) {
  counted result;
  oracle::generate_options options{.count = cases, .seed = 5, .sizes_class = sizes};
  options.data = {oracle::data_class::exact};
  options.data_types = {type};
  for (const auto& c : oracle::cases<Desc>(options)) {
    INFO(c.line());
    std::uint64_t elements = 0, one_value = 0;
    for (const oracle::golden_output& output : c.expected.answers.front()) {
      visit_data_type(type_list<float, float16>{}, output.values.desc().data_type, [&]<class T>(std::type_identity<T>) {
        for (std::size_t i = 0; i < output.verdicts.size(); ++i) {
          const auto* allowed = output.verdicts.interval_of<interval_number<T>>(i, {});
          ++elements;
          const bool is_point = allowed != nullptr && allowed->low == allowed->high && allowed->also == 0;
          if (output.verdicts[i] == verdict::exact || is_point) ++one_value;
        }
      });
    }
    CHECK(one_value == elements);
    result.elements += elements;
    if constexpr (requires { c.text.desc.mask_type; }) {
      const float score =
          c.text.desc.scale * static_cast<float>(std::bit_floor(
                                  goldml::detail::attention_sizes_of(c.text.desc, to_operands(c.text.tensors)).d));
      ++result.kinds[score == 128 ? 1 : score == 256 ? 2 : 0];
    }
  }
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("exact: layers and attention whose elements have one right value", "[oracle]", rnn_desc, lstm_desc,
                   gru_desc, multihead_attention_desc, multihead_attention1_desc) {
  for (const data_type type : {data_type::float32, data_type::float16}) {
    const counted small = count<TestType>(type, random_count(300), oracle::sizes_class::small_sizes);
    const counted tiles = count<TestType>(type, random_count(20), oracle::sizes_class::tiles);
    CHECK(small.elements > random_count(3000));
    CHECK(tiles.elements > (goldml_test::is_slow ? 100 : 3000));
    if (std::is_same_v<TestType, multihead_attention1_desc>)
      for (const std::uint64_t kind : small.kinds) CHECK(kind > random_count(50));
  }
}
