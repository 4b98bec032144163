// Shared by the shaders that read tensors of indices: INT64, INT32, UINT64 or UINT32. Needs common.hlsli.

// An index of 1 << size_log2 bytes as 64 bits of two's complement.
uint2 load_index(ByteAddressBuffer buffer, uint size_log2, uint is_signed, uint at) {
  uint2 v = load_element(buffer, size_log2, at);
  if (size_log2 == 2 && is_signed == 1) v.y = asuint(asint(v.x) >> 31);
  return v;
}

// The position of an index on an axis, clamped to it, and whether the index is in range (1 or 0). A negative index counts
// from the end: v + size, in 64 bits, is still negative when v was below -size.
uint2 position_of(uint2 v, uint is_signed, uint size) {
  uint negative = is_signed & (v.y >> 31);
  if (negative == 1) {
    uint sum = v.x + size;
    v.y += sum < v.x ? 1 : 0;
    v.x = sum;
  }
  uint2 position = uint2(v.x, 1);
  if (v.y != 0 || v.x >= size) position = uint2(negative == 1 ? 0 : size - 1, 0);
  return position;
}
