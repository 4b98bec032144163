// What a correct device may hold in the resources of a model while its commands run, where that is not the golden value
// alone: results of earlier dispatches that were not given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/io/model.hpp>
#include <goldml/oracle/chain.hpp>

namespace goldml::tool::detail {

// Whether a dispatch reads a tensor: an input, or an output that it reads before it writes it.
bool is_read(const io::model_dispatchable& of, std::size_t tensor);

class intermediates {
 public:
  explicit intermediates(const io::model& m);

  // What a device may hold in an input, whose golden values are those of `golden`.
  oracle::legal_values read(const io::model_binding& binding, const const_tensor_ref& golden) const;

  // Whether a dispatch after this command reads the resource. If none does, write() need not be called.
  bool is_read_after(std::size_t command, std::size_t resource) const { return last_read_[resource] > command; }

  // The bytes that write() allocates.
  std::uint64_t memory_of_write(const io::model_binding& binding, const oracle::legal_values& values,
                                bool gaps_may_change) const;

  // A dispatch has written these values. The bytes between elements may have changed if `gaps_may_change`.
  void write(const io::model_binding& binding, const oracle::legal_values& values, bool gaps_may_change);

 private:
  // For each byte of a resource its state, and the least and greatest numbers of elements that are between two.
  struct followed_bytes {
    std::vector<std::uint8_t> states, low, high;
  };

  const io::model& model_;
  std::vector<std::size_t> last_read_;              // by resource: the last command that reads it
  std::map<std::size_t, followed_bytes> followed_;  // by resource
};

}  // namespace goldml::tool::detail
