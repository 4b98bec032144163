// libFuzzer: the text of cases. The text of a case reads back as the same case. Arbitrary bytes, and a text with a few
// bytes changed, are accepted or refused by M10; the text of an accepted case reads back.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "structured.hpp"

using namespace goldml;

namespace {

// The text of a case reads back as the same case. An exception is a list of more than 8 entries: its text is {...},
// which is refused.
void require_inverse(const oracle::any_operator& op, const oracle::test_case<any_desc>& c) {
  const std::string printed = oracle::to_string(c);
  try {
    require(oracle::to_string(oracle::parse_case<any_desc>(*op.description, printed)) == printed);
  } catch (const error& refusal) {
    require(refusal.violation().rule == "M10" && printed.find("...") != std::string::npos);
  }
}

void read(const oracle::any_operator& op, std::string_view text) {
  oracle::test_case<any_desc> c{any_desc(*op.description), {}};
  try {
    c = oracle::parse_case<any_desc>(*op.description, text);
  } catch (const error& refusal) {
    require(refusal.violation().rule == "M10");
    return;
  }
  require_inverse(op, c);
  if (!fuzz::is_legal(c) || !fuzz::is_cheap(c)) return;
  try {
    oracle::make_case(op, c);
    fuzz::tally::reached_kernel();
  } catch (const error& refusal) {
    require_one_line(refusal);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::tally::executed();
  if (size > 1 && data[1] == 0xFF) {  // the remaining bytes are the text
    const std::string_view text(reinterpret_cast<const char*>(data + 2), size - 2);
    fuzz::visit_input(data, 1, [&](const oracle::any_operator& op, oracle::random_source&) { read(op, text); });
    return 0;
  }
  fuzz::visit_input(data, size, [](const oracle::any_operator& op, oracle::random_source& random) {
    const auto c = fuzz::choose_case(op, random);
    std::string text = oracle::to_string(c);
    require_inverse(op, c);
    using namespace std::string_view_literals;
    constexpr std::string_view bytes = "{}[],;:=/@%#!0123456789ABFx- none\n\xFF\0"sv;
    for (std::uint64_t edits = random.below(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t place = random.below(text.size());
      const char byte = bytes[random.below(bytes.size())];
      switch (random.below(3)) {
        case 0:
          text[place] = byte;
          break;
        case 1:
          text.insert(place, 1, byte);
          break;
        default:
          text.erase(place, 1 + random.below(8));
          break;
      }
    }
    read(op, text);
  });
  return 0;
}
