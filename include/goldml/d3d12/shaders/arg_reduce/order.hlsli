// Numbers as unsigned keys of the same order, from elements shifted to the top of a word. The constants come from
// number_order in arg_reduce.hpp. Floats: the sign negates the magnitude, so that both zeros have one key; the bias
// moves NaNs to one end, where they are clamped to one key and are equal. Integers: only the bias is added.
//
// The constant `mirror` is applied to whole words as they are loaded, before all of this. It is 0 when the least
// element is wanted. For the greatest it is the sign bits of floats or all bits of integers, which reverses the order
// of numbers and leaves NaNs NaNs.
uint4 keys_of(uint4 top) {
  uint4 keys = top + bias;
  [branch] if (is_float == 1) {
    uint4 negative = asuint(asint(top) >> 31);
    keys = ((top & 0x7fffffff) ^ negative) - negative + bias;
  }
  return keys;
}

uint key_of(uint top) {
  uint negative = asuint(asint(top) >> 31) & (0 - is_float);
  return ((top & ~(is_float << 31)) ^ negative) - negative + bias;
}

// Applied once, to a key or to a minimum of keys.
uint clamp_key(uint key) { return min(max(key, least_key), greatest_key); }
