// Counts the outcomes of a run, and determines its exit status.
#pragma once

#include <cstdint>

#include <goldml/oracle/compare.hpp>

namespace goldml::oracle {

struct tally {
  std::uint64_t agreeing = 0;
  std::uint64_t flagged = 0;
  std::uint64_t undefined = 0;  // no element is defined
  std::uint64_t depending = 0;  // nothing differs, and elements depend on what is not known of an intermediate
  std::uint64_t differing = 0;  // including missing outputs
  std::uint64_t refused = 0;
  std::uint64_t suspicious = 0;     // elements that are accepted, but farther from the golden value than is usual
  std::uint64_t toward_zero = 0;    // elements that are accepted because FLOAT16 may be rounded toward zero
  std::uint64_t overflowed = 0;     // elements that are accepted because an intermediate result may overflow (RE-R2)
  std::uint64_t hardly_tested = 0;  // elements of which nearly anything would be accepted

  void add(outcome o) {
    ++(o == outcome::agrees            ? agreeing
       : o == outcome::flagged         ? flagged
       : o == outcome::nothing_defined ? undefined
       : o == outcome::depends         ? depending
                                       : differing);
  }
  void add(const judgement& judged) {
    add(judged.outcome());
    suspicious += judged.result.suspicious();
    toward_zero += judged.result.toward_zero();
    overflowed += judged.result.overflowed();
    hardly_tested += judged.result.hardly_tested();
  }
  void add(const tally& other) {
    agreeing += other.agreeing;
    flagged += other.flagged;
    undefined += other.undefined;
    depending += other.depending;
    differing += other.differing;
    refused += other.refused;
    suspicious += other.suspicious;
    toward_zero += other.toward_zero;
    overflowed += other.overflowed;
    hardly_tested += other.hardly_tested;
  }

  // The common outcome: it differs if any output differs, otherwise depends if any does; nothing is defined only if
  // that holds for all.
  outcome all() const {
    if (differing != 0) return outcome::differs;
    if (depending != 0) return outcome::depends;
    if (flagged != 0) return outcome::flagged;
    return agreeing != 0 ? outcome::agrees : outcome::nothing_defined;
  }

  // 2 if anything was refused, otherwise 1 if anything differs, otherwise 3 if anything depends on what is not known
  // of an intermediate or if nothing was defined, otherwise 0.
  int exit_status() const {
    if (refused != 0) return 2;
    const outcome o = all();
    return o == outcome::differs ? 1 : o == outcome::nothing_defined || o == outcome::depends ? 3 : 0;
  }
};

}  // namespace goldml::oracle
