// The only random source in goldml: std::mt19937_64, whose output the C++ standard specifies exactly, with goldml's own
// distributions. The results of std::uniform_*_distribution differ between standard libraries.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <utility>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>

namespace goldml::oracle {

class random_source {
 public:
  // `most_elements`: the maximum number of elements of a tensor whose sizes are drawn; `tiles`: of sizes_class::tiles.
  explicit random_source(std::uint64_t seed, std::uint64_t most_elements = 300, bool tiles = false)
      : engine_(seed), most_elements_(most_elements), tiles_(tiles) {}

  // Uses these bytes first, two per choice, so that changing a byte changes one choice, and then the engine. The bytes
  // must outlive this object.
  explicit random_source(std::span<const std::byte> choices, std::uint64_t most_elements = 300)
      : engine_(choices.size()), choices_(choices), most_elements_(most_elements) {}

  std::uint64_t bits() {
    if (choices_.size() < 2) return engine_();
    const auto choice = std::to_integer<std::uint64_t>(choices_[0]) | std::to_integer<std::uint64_t>(choices_[1]) << 8;
    choices_ = choices_.subspan(2);
    return choice | (choice * 0x9E37'79B9'7F4A'7C15) >> 16 << 16;  // all 64 bits depend on it
  }

  // 0 .. count-1; count >= 1. (The low bits of a product of 64 bits favour some values by less than count / 2^64.)
  std::uint64_t below(std::uint64_t count) { return bits() % count; }

  std::int64_t between(std::int64_t lowest, std::int64_t highest) {
    return lowest + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(highest - lowest) + 1));
  }

  bool chance(std::uint32_t percent) { return below(100) < percent; }

  // Preferred results of the next pick() and the next sizes(), so that fewer cases need to be generated until one
  // matches a selection. A sampler draws the data type and the sizes of its main tensor before those of other tensors.
  struct preference {
    std::optional<goldml::data_type> data_type = {};
    std::size_t most_dimensions = dimensions::capacity;
    dimensions sizes = {};
  };
  void prefer(const preference& wanted) { preference_ = wanted; }

  data_type pick(data_type_set types) {
    const auto preferred = std::exchange(preference_.data_type, std::nullopt);
    if (preferred && types.contains(*preferred)) return *preferred;
    const bool any_of_4_bits = types.contains(data_type::uint4) || types.contains(data_type::int4);
    for (;;) {
      const auto type = static_cast<data_type>(below(any_of_4_bits ? 14 : 12));
      if (types.contains(type)) return type;
    }
  }

  std::uint64_t most_elements() const { return most_elements_; }
  bool tiles() const { return tiles_; }

  // A size of sizes_class::tiles that is at most `most`; below 17, where there is none, any size. Large ones are more
  // frequent.
  std::uint32_t tile_size(std::uint64_t most) {
    struct tile {
      std::uint32_t size, prime;
    };
    static constexpr std::array<tile, 10> tiles{{{16, 19},
                                                 {32, 37},
                                                 {64, 67},
                                                 {128, 131},
                                                 {256, 263},
                                                 {512, 521},
                                                 {1024, 1031},
                                                 {2048, 2053},
                                                 {4096, 4099},
                                                 {65'536, 65'539}}};
    std::size_t count = 0;
    while (count < tiles.size() && tiles[count].size < most) ++count;
    if (count == 0) return static_cast<std::uint32_t>(1 + below((std::max<std::uint64_t>)(most, 1)));
    const std::uint64_t one = below(count), other = below(count);
    const tile chosen = tiles[(std::max)(one, other)];
    const std::uint32_t sizes[] = {chosen.size - 1, chosen.size, chosen.size + 1, chosen.size * 3 / 2, chosen.prime};
    return static_cast<std::uint32_t>((std::min<std::uint64_t>)(sizes[below(5)], most));
  }

  // Sizes with fewest..most dimensions and at most most_elements() elements.
  dimensions sizes(std::size_t fewest, std::size_t most) {
    const preference preferred = std::exchange(preference_, {.data_type = preference_.data_type});
    if (preferred.sizes.size() >= fewest && preferred.sizes.size() <= most && !preferred.sizes.empty())
      return without_leading_ones(preferred.sizes, fewest);
    most = (std::max)(fewest, (std::min)(most, preferred.most_dimensions));
    if (tiles_) return tile_sizes(fewest, most);
    dimensions result;
    const std::size_t count = fewest + below(most - fewest + 1);
    std::uint64_t left = most_elements_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t size = 1 + below(chance(20) ? 1 : std::min<std::uint64_t>(left, i + 1 == count ? 64 : 8));
      result.push_back(size);
      left = std::max<std::uint64_t>(left / size, 1);
    }
    shuffle(result);
    return result;
  }

  // Of tiles: in `percent` of the cases the greatest size becomes that of the axis.
  void prefer_greatest(dimensions& sizes, std::size_t axis, std::uint32_t percent) {
    if (!tiles_ || !chance(percent)) return;
    const auto greatest = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
    std::swap(sizes[axis], sizes[greatest]);
  }

  void shuffle(dimensions& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  // Few dimensions, so that an operator often works along the one that is drawn first, which is often the last one.
  dimensions tile_sizes(std::size_t fewest, std::size_t most) {
    const std::size_t count = fewest + below((std::max)(fewest, (std::min)(most, std::size_t{4})) - fewest + 1);
    dimensions result = dimensions::filled(count, 1);
    const std::size_t first = chance(50) ? count - 1 : below(count);
    result[first] = tile_size(most_elements_);
    std::uint64_t left = most_elements_ / result[first];
    for (std::size_t i = 0; i < count; ++i) {
      if (i == first || chance(30)) continue;
      result[i] =
          chance(40) ? tile_size(left) : static_cast<std::uint32_t>(1 + below((std::min<std::uint64_t>)(left, 4)));
      left = (std::max<std::uint64_t>)(left / result[i], 1);
    }
    return result;
  }

  // Removes some of the leading ones. Operators that count meaningful dimensions add them again.
  dimensions without_leading_ones(const dimensions& sizes, std::size_t fewest) {
    std::size_t first = 0;
    while (sizes.size() - first > fewest && sizes[first] == 1 && chance(30)) ++first;
    return sizes.slice(first, sizes.size());
  }

  std::mt19937_64 engine_;
  std::span<const std::byte> choices_ = {};
  std::uint64_t most_elements_;
  bool tiles_ = false;
  preference preference_;
};

}  // namespace goldml::oracle
