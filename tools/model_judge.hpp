// Judging what something else wrote for a model: the model is played on `reference`, and the outputs of its dispatches
// carry the verdicts of their operators.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/io/model.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/tally.hpp>

#include "actual_files.hpp"

namespace goldml::tool {

struct model_judgement {
  oracle::tally dispatches;    // those that were judged
  std::uint64_t compared = 0;  // elements
  std::uint64_t differing = 0;
  bool wrote_outside = false;  // bytes of a whole buffer changed that must not
  std::string report;          // of each dispatch that was judged
};

// What judging may take: memory, all that it holds together (M8; for a .npy file M23), and work (M11).
struct judge_limits {
  std::uint64_t max_memory;
  std::uint64_t max_work;
};

// Plays the commands on `reference` with each dispatch's golden answer, and judges every given resource by each
// dispatch that wrote to it, except for outputs that a later one overwrote. Throws error for an illegal model, one
// that is beyond the limits, a resource that is not there (M3), that is given twice (M2) or that no dispatch writes
// (M3), and files that cannot be read. Nothing is written or printed.
model_judgement judge_model(io::model& m, std::span<const actual_file> actuals, const oracle::compare_options& options,
                            const judge_limits& limits, std::string_view case_line);

namespace detail {

// Which of these writes, in the order of the commands, are overlapped by none of a later command.
std::vector<bool> last_writes(std::span<const model_write> writes);

}  // namespace detail

}  // namespace goldml::tool
