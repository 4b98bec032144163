// Iteration over all coordinate tuples of given sizes, in ascending logical row-major order.
#pragma once

#include <cstddef>
#include <iterator>

#include <goldml/core/dimensions.hpp>

namespace goldml {

// for (const coordinate_tuple& c : coordinates_of(sizes)): the last dimension varies fastest. Empty sizes have one
// coordinate tuple, the empty one; sizes with a 0 have none.
class coordinates_of {
 public:
  explicit constexpr coordinates_of(const dimensions& sizes) : sizes_(sizes) {}

  class iterator {
   public:
    using value_type = coordinate_tuple;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    constexpr iterator(const dimensions& sizes, bool done)
        : sizes_(&sizes), current_(coordinate_tuple::filled(sizes.size(), 0)), done_(done) {}

    constexpr const coordinate_tuple& operator*() const { return current_; }

    constexpr iterator& operator++() {
      for (std::size_t i = current_.size(); i-- > 0;) {
        if (++current_[i] < (*sizes_)[i]) return *this;
        current_[i] = 0;
      }
      done_ = true;
      return *this;
    }
    constexpr void operator++(int) { ++*this; }

    friend constexpr bool operator==(const iterator& a, const iterator& b) {
      return a.done_ == b.done_ && (a.done_ || a.current_ == b.current_);
    }

   private:
    const dimensions* sizes_;
    coordinate_tuple current_;
    bool done_;
  };

  constexpr iterator begin() const { return {sizes_, sizes_.contains(0)}; }
  constexpr iterator end() const { return {sizes_, true}; }

 private:
  dimensions sizes_;
};

}  // namespace goldml
