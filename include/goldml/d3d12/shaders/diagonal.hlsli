// Which elements of a matrix DIAGONAL_MATRIX1 fills: with t = x - y, (end >= begin) xor (t >= begin) xor (t < end).

// 1 when x - y < bound, for any x and y of 32 bits, where the difference may take 33.
uint is_below(uint x, uint y, int bound) {
  uint right = bound > 0 && x - y < (uint)bound ? 1 : 0;
  uint left = bound >= 0 || y - x > 0 - (uint)bound ? 1 : 0;
  return x >= y ? right : left;
}

// 1 where the value goes.
uint is_filled(uint x, uint y) {
  uint ordered = end >= begin ? 1 : 0;
  return 1 ^ ordered ^ is_below(x, y, begin) ^ is_below(x, y, end);
}
