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
template <class Desc>
void require_inverse(const oracle::test_case<Desc>& c) {
  const std::string printed = oracle::to_string(c);
  try {
    require(oracle::to_string(oracle::parse_case<Desc>(printed)) == printed);
  } catch (const error& refusal) {
    require(refusal.violation().rule == "M10" && printed.find("...") != std::string::npos);
  }
}

template <class Desc>
void read(std::string_view text) {
  oracle::test_case<Desc> c;
  try {
    c = oracle::parse_case<Desc>(text);
  } catch (const error& refusal) {
    require(refusal.violation().rule == "M10");
    return;
  }
  require_inverse(c);
  if (!fuzz::is_legal(c) || !fuzz::is_cheap(c)) return;
  try {
    oracle::make_case(c);
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
    fuzz::visit_input(data, 1, [&]<class Desc>(std::type_identity<Desc>, oracle::random_source&) { read<Desc>(text); });
    return 0;
  }
  fuzz::visit_input(data, size, []<class Desc>(std::type_identity<Desc>, oracle::random_source& random) {
    const auto c = fuzz::choose_case<Desc>(random);
    std::string text = oracle::to_string(c);
    require_inverse(c);
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
    read<Desc>(text);
  });
  return 0;
}
