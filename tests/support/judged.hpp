// How a device's answer is judged, as a text that a test can write down.
#pragma once

#include <span>
#include <string>

#include <goldml/oracle/compare.hpp>

namespace goldml_test {

// u undefined, r refused, s suspicious, z rounded toward zero, o overflowed on the way, a accepted. Of several
// elements it is the first of these that one of them has.
inline char judged(const goldml::oracle::golden& golden, std::span<const goldml::const_tensor_ref> actual,
                   const goldml::oracle::compare_options& options) {
  const goldml::oracle::comparison compared = goldml::oracle::compare(golden, actual, options).result;
  return compared.ignored() != 0       ? 'u'
         : compared.differing() != 0   ? 'r'
         : compared.suspicious() != 0  ? 's'
         : compared.toward_zero() != 0 ? 'z'
         : compared.overflowed() != 0  ? 'o'
                                       : 'a';
}

// A letter for the judgement by default, and one for the strict one.
inline std::string judged(const goldml::oracle::golden& golden, std::span<const goldml::const_tensor_ref> actual) {
  using goldml::oracle::compare_options;
  return {judged(golden, actual, compare_options{}), judged(golden, actual, compare_options::strict())};
}

}  // namespace goldml_test
