// What a comparison found, in numbers of elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/memory_watch.hpp>

namespace goldml::oracle {

// One element with a wrong value.
struct difference {
  coordinate_tuple where;
  std::size_t element;  // its number among those that are judged: if all are, in row-major order
};

// One output compared.
struct output_comparison {
  std::string mismatch;  // why the output could not be compared, such as wrong sizes; empty if it could
  std::uint64_t compared = 0;
  std::uint64_t ignored = 0;    // undefined elements
  std::uint64_t depending = 0;  // elements that depend on what is not known of an intermediate: not compared
  std::uint64_t differing = 0;
  std::uint64_t suspicious = 0;     // accepted, but farther from the golden value than is usual
  std::uint64_t toward_zero = 0;    // accepted only because FLOAT16 may be rounded toward zero
  std::uint64_t overflowed = 0;     // infinities and NaNs, accepted only because an intermediate result may overflow
  std::uint64_t hardly_tested = 0;  // compared, but nearly anything would be accepted: answer_range
  std::vector<difference> first;    // the first ten
  // The output that counts this one's rows differs. Then nothing is compared, and `first` has the first difference.
  bool miscounted = false;
  memory_changes memory = {};  // of a watched_output: changed bytes outside elements
  bool wrote_outside = false;  // a byte changed that must not
  bool misfits = false;        // its errors are coarser than its precision gives: compare_options::fit
};

// The comparison with one answer, output by output. They agree if something was compared and nothing differs.
struct comparison {
  std::vector<output_comparison> outputs;

  std::uint64_t compared() const { return sum(&output_comparison::compared); }
  std::uint64_t ignored() const { return sum(&output_comparison::ignored); }
  std::uint64_t depending() const { return sum(&output_comparison::depending); }
  std::uint64_t differing() const { return sum(&output_comparison::differing); }
  std::uint64_t suspicious() const { return sum(&output_comparison::suspicious); }
  std::uint64_t toward_zero() const { return sum(&output_comparison::toward_zero); }
  std::uint64_t overflowed() const { return sum(&output_comparison::overflowed); }
  std::uint64_t hardly_tested() const { return sum(&output_comparison::hardly_tested); }
  bool mismatched() const {
    return std::any_of(outputs.begin(), outputs.end(), [](const auto& output) { return !output.mismatch.empty(); });
  }
  bool wrote_outside() const {
    return std::any_of(outputs.begin(), outputs.end(), [](const auto& output) { return output.wrote_outside; });
  }
  bool misfits() const {
    return std::any_of(outputs.begin(), outputs.end(), [](const auto& output) { return output.misfits; });
  }
  bool agrees() const { return !differs() && depending() == 0 && compared() > 0; }
  bool depends() const { return !differs() && depending() > 0; }
  bool nothing_defined() const { return !differs() && depending() == 0 && compared() == 0 && ignored() > 0; }

 private:
  bool differs() const { return mismatched() || wrote_outside() || misfits() || differing() > 0; }
  std::uint64_t sum(std::uint64_t output_comparison::*member) const {
    std::uint64_t total = 0;
    for (const output_comparison& output : outputs) total += output.*member;
    return total;
  }
};

}  // namespace goldml::oracle
