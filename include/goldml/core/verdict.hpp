// What an output element is allowed to be, where the specification leaves a device a choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <goldml/core/scalar.hpp>

namespace goldml {

enum class verdict : std::uint8_t {
  exact,      // the golden value
  undefined,  // anything
  one_of,     // the golden value, or one of the alternatives
};

// How an operator that compares numbers may answer when the device flushes subnormals (ledger 7.4): each element by
// itself, or all outputs together. Operators that move bits say nothing.
enum class flushed_answer { per_element, whole };

// What one element may be beside its golden value.
struct alternatives {
  std::vector<scalar> values;
  std::uint64_t any_index_below = 0;  // every integer from 0 to this minus 1; 0: none
};

// The verdicts on one output tensor. Elements are numbered in logical row-major order; all are exact at first.
class output_verdicts {
 public:
  explicit output_verdicts(std::uint64_t element_count)
      : verdicts_(static_cast<std::size_t>(element_count), verdict::exact) {}

  std::size_t size() const { return verdicts_.size(); }
  verdict operator[](std::size_t element) const { return verdicts_[element]; }

  // Of an element that is one_of.
  const alternatives& alternatives_of(std::size_t element) const { return alternatives_.at(element); }

  void make_undefined(std::size_t element) { verdicts_[element] = verdict::undefined; }
  void make_all_undefined() { verdicts_.assign(verdicts_.size(), verdict::undefined); }

  // Undefined elements stay undefined.
  void allow(std::size_t element, const scalar& value) {
    if (verdicts_[element] == verdict::undefined) return;
    verdicts_[element] = verdict::one_of;
    alternatives_[element].values.push_back(value);
  }
  void allow_any_index_below(std::size_t element, std::uint64_t end) {
    if (verdicts_[element] == verdict::undefined) return;
    verdicts_[element] = verdict::one_of;
    alternatives_[element].any_index_below = end;
  }

 private:
  std::vector<verdict> verdicts_;
  std::map<std::size_t, alternatives> alternatives_;
};

}  // namespace goldml
