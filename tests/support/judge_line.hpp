// How the answer to a case is judged, whose line a test has as text.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate.hpp>

namespace goldml_test {

// u undefined, r refused, s suspicious, z rounded toward zero, a accepted; of several elements the first of these that
// one of them has. `answer` is the first output in row-major order.
template <class Desc, class T>
char judged_line(std::string_view line, std::vector<T> answer, const goldml::oracle::compare_options& options = {}) {
  using namespace goldml;
  const auto made = oracle::make_case<Desc>(oracle::parse_case<Desc>(line));
  tensor_desc packed = made.expected.answers[0][0].values.desc();
  packed.strides = {};
  packed.total_tensor_size_in_bytes = {};
  const std::array actual{const_tensor_ref(packed, answer.data(), answer.size() * sizeof(T))};
  const oracle::comparison compared = oracle::compare(made.expected, actual, options).result;
  return compared.mismatched()         ? '!'
         : compared.ignored() != 0     ? 'u'
         : compared.differing() != 0   ? 'r'
         : compared.suspicious() != 0  ? 's'
         : compared.toward_zero() != 0 ? 'z'
                                       : 'a';
}

}  // namespace goldml_test
