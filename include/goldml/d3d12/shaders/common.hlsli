// Shared by the shaders: elements of 8 to 64 bits in buffers of 32-bit words. Shaders know no data types: the host
// passes what they need as constants.

// The low and the high word of an element of 1 << size_log2 bytes; words that it does not have are zero.
uint2 load_element(ByteAddressBuffer buffer, uint size_log2, uint element) {
  uint2 bits = uint2(0, 0);
  if (size_log2 == 3) {
    bits = buffer.Load2(element * 8);
  } else {
    uint at = element << size_log2;
    uint word = buffer.Load(at & ~3u) >> ((at & 3) * 8);
    bits.x = word & (0xffffffffu >> (32 - (8u << size_log2)));
  }
  return bits;
}

// One component of a vector by its number.
uint component(uint4 v, uint i) { return i < 2 ? (i == 0 ? v.x : v.y) : (i == 2 ? v.z : v.w); }
