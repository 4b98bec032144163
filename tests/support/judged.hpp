// How a device's answer is judged, as a text that a test can write down.
#pragma once

#include <span>
#include <string>

#include <goldml/oracle/compare.hpp>

namespace goldml_test {

// A letter for the judgement by default, and one for the strict one: u undefined, r refused, s suspicious, z rounded
// toward zero, a accepted. Of several elements it is the first of these that one of them has.
inline std::string judged(const goldml::oracle::golden& golden, std::span<const goldml::const_tensor_ref> actual) {
  namespace oracle = goldml::oracle;
  std::string text;
  for (const oracle::compare_options& options : {oracle::compare_options{}, oracle::compare_options::strict()}) {
    const oracle::comparison compared = oracle::compare(golden, actual, options).result;
    text += compared.ignored() != 0       ? 'u'
            : compared.differing() != 0   ? 'r'
            : compared.suspicious() != 0  ? 's'
            : compared.toward_zero() != 0 ? 'z'
                                          : 'a';
  }
  return text;
}

}  // namespace goldml_test
