// Numbers as unsigned keys in their order, from elements shifted to the top of a word. The host says how (number_order
// in tensor_layout.hpp): for floats the sign makes magnitudes negative, so that both zeros share a key, and the bias
// moves NaNs to one end, where they are clamped to one key and tie; for integers nothing but the bias is done.
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

// To be done once to a minimum of keys, or to a key.
uint clamp_key(uint key) { return min(max(key, least_key), greatest_key); }
