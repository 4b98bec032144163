#include "public_reports.hpp"

#include <cstdint>
#include <span>
#include <string>

#include <fmt/format.h>

namespace goldml::tool {

std::string public_report(const any_desc& desc, std::span<const operand> operands) {
  if (desc.description().name != "GEMM") return "";
  // Issue 650 of microsoft/DirectML, of {65536,1,256}: the channels are the third dimension from the end.
  constexpr std::uint32_t most_channels = 65'535;
  const dimensions& sizes = operands.front().desc->sizes;
  if (sizes.size() < 3 || sizes[sizes.size() - 3] <= most_channels) return "";
  return fmt::format(
      "ATensor has {} channels; a user of DirectML got E_INVALIDARG for a GEMM of more than {} (microsoft/DirectML "
      "issue 650), which its documentation does not say",
      sizes[sizes.size() - 3], most_channels);
}

}  // namespace goldml::tool
