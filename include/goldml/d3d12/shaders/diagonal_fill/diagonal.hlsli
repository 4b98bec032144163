// Which elements of a matrix are filled: with t = x - y, those in begin <= t < end, or, when end < begin (`outside`),
// all but those in end <= t < begin. That is outside xor (t >= begin) xor (t >= end). Bounds have a sign and a
// magnitude, because t and the bounds need more than 32 bits.

// 1 when x - y < bound.
uint is_below(uint x, uint y, uint bound, uint bound_negative) {
  uint right = bound_negative == 0 && x - y < bound ? 1 : 0;
  uint left = bound_negative == 0 || y - x > bound ? 1 : 0;
  return x >= y ? right : left;
}
uint is_before_begin(uint x, uint y) { return is_below(x, y, begin, begin_negative); }
uint is_before_end(uint x, uint y) { return is_below(x, y, end, end_negative); }

// 1 where the value goes.
uint is_filled(uint x, uint y) { return outside ^ is_before_begin(x, y) ^ is_before_end(x, y); }
