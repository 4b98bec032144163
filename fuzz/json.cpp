// libFuzzer: arbitrary bytes as JSON. Only goldml::error is thrown. Accepted documents have limited depth, and their
// numbers and texts can be described.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/io/json.hpp>

#include "refusal.hpp"

namespace {

using namespace goldml;

void visit(const io::json& value, std::size_t depth) {
  require(depth <= io::detail::deepest_json + 1);
  require(!io::description(value).empty());
  if (value.IsArray())
    for (const io::json& entry : value.GetArray()) visit(entry, depth + 1);
  if (value.IsObject())
    for (const auto& member : value.GetObject()) {
      require(value.FindMember(member.name) ==
              value.MemberBegin() + (&member - &*value.MemberBegin()));  // no duplicate keys
      visit(member.value, depth + 1);
    }
}

template <class Read>
void refuses_or_reads(Read&& read) {
  try {
    read();
  } catch (const error& refusal) {
    require_one_line(refusal);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  refuses_or_reads([&] {
    const auto document = io::parse_json({reinterpret_cast<const char*>(data), size});
    visit(document, 1);
    refuses_or_reads([&] { io::to_integer<std::int8_t>(document, "value", "here"); });
    refuses_or_reads([&] { io::to_integer<std::uint64_t>(document, "value", "here"); });
  });
  return 0;
}
