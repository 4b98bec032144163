// Judges the outputs of another program for a model. The model is played on `reference`, which gives the verdicts for
// the outputs of each dispatch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/io/model.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/sample.hpp>
#include <goldml/oracle/tally.hpp>

#include "actual_files.hpp"
#include "difference_map.hpp"
#include "model_fit.hpp"

namespace goldml::tool {

struct model_judgement {
  oracle::tally dispatches;    // the judged ones
  std::uint64_t compared = 0;  // elements
  std::uint64_t differing = 0;
  std::uint64_t sampled_of = 0;        // all elements of the judged outputs, if of any not all are judged; else 0
  std::uint64_t racing = 0;            // elements that differ between two runs
  std::uint64_t depending = 0;         // elements that depend on what is not known of an intermediate
  std::vector<std::string> give = {};  // the resources that would be needed, each once
  bool wrote_outside = false;          // a byte of a whole buffer changed that must not
  std::string report;                  // of each judged dispatch
  std::vector<difference_map> maps;    // of the outputs that differ, if they were asked for
  std::vector<model_fit> fits;         // of the outputs that have a statement
};

// Limits of judging: memory for everything together (M8; for a .npy file M23), and work (M11); the number of maps, and
// of the elements that are judged of each output. Outputs that a later dispatch reads are computed whole.
struct judge_limits {
  std::uint64_t max_memory;
  std::uint64_t max_work;
  std::size_t most_maps = 0;
  oracle::sample_options sample = {};
};

// The work of judging a valid model with these files: of outputs that are sampled only that of the sample.
std::uint64_t work_of_judging(const io::model& m, std::span<const actual_file> actuals,
                              const oracle::sample_options& sample);

// Plays the commands on `reference`, and compares every given resource with the golden outputs of each dispatch that
// wrote to it, except for outputs that a later command overwrote. Throws error for an illegal model, a model beyond the
// limits, a resource that is unknown (M3), duplicate (M2) or written by no dispatch (M3), and files that cannot be
// read. Writes and prints nothing.
model_judgement judge_model(io::model& m, std::span<const actual_file> actuals, const oracle::compare_options& options,
                            const judge_limits& limits, std::string_view case_line);

namespace detail {

// For each of these writes, in the order of the commands: whether no write of a later command overlaps it.
std::vector<bool> last_writes(std::span<const model_write> writes);

}  // namespace detail

}  // namespace goldml::tool
