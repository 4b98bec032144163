// Stores an element of 1 << size_log2 bytes. Elements of 8 or 16 bits leave the others of their word unchanged: no two
// threads store the same element, so the bits that this thread reads stay valid while other threads change theirs.
void store_element(uint element, uint2 bits) {
  if (size_log2 == 3) {
    output[element * 2] = bits.x;
    output[element * 2 + 1] = bits.y;
  } else if (size_log2 == 2) {
    output[element] = bits.x;
  } else {
    uint at = element << size_log2;
    uint shift = (at & 3) * 8;
    uint own = (0xffffffffu >> (32 - (8u << size_log2))) << shift;
    uint change = (output[at >> 2] ^ (bits.x << shift)) & own;
    uint ignored;
    InterlockedXor(output[at >> 2], change, ignored);
  }
}
