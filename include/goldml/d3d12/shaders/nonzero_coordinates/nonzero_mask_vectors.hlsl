// nonzero_mask.hlsl for packed inputs, 16 bytes at a time. A thread reads vectors that are 256 apart, so that
// neighbouring threads read neighbouring vectors; the bits of the vectors are put together to words in groupshared
// memory.
#include "../common.hlsli"

cbuffer constants : register(b0) {
  uint count;       // elements
  uint blocks;      // of 8192 elements, 256 words
  uint per_group;   // blocks per group
  uint groups;
  uint groups_x;    // of the dispatch
  uint size_log2;   // of an element, in bytes: 0, 1 or 2
  uint value_mask;  // of a word of elements: an element is zero when none of these bits is set
};

Buffer<uint4> input : register(t0);
RWBuffer<uint> mask : register(u0);
RWBuffer<uint> counts : register(u1);

groupshared uint bits[288];  // of a thread's vectors; one word in nine is unused, to avoid bank conflicts
groupshared uint total;

// Which elements of a vector are not zero: 4, 8 or 16 bits.
uint nonzero32(uint4 v) {
  v = min(v & value_mask, 1);
  return v.x | (v.y << 1) | (v.z << 2) | (v.w << 3);
}
uint nonzero16(uint4 v) {
  v &= value_mask;
  v = min(v & 0xffff, 1) | (min(v >> 16, 1) << 1);
  return v.x | (v.y << 2) | (v.z << 4) | (v.w << 6);
}
uint nonzero8(uint4 v) {
  v &= value_mask;
  v = ((((v & 0x7f7f7f7f) + 0x7f7f7f7f) | v) >> 7) & 0x01010101;  // 1 in each byte that is not zero
  v = (v * 0x01020408) >> 24;                                      // the four of them side by side
  return v.x | (v.y << 4) | (v.z << 8) | (v.w << 12);
}
uint nonzero_bits(uint4 v) {
  uint result = 0;
  if (size_log2 == 2) {
    result = nonzero32(v);
  } else if (size_log2 == 1) {
    result = nonzero16(v);
  } else {
    result = nonzero8(v);
  }
  return result;
}

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint g = group.y * groups_x + group.x;
  uint first = g * per_group;
  uint width_log2 = 4 - size_log2;  // of a vector, in elements
  uint elements = (1u << (1u << width_log2)) - 1;
  uint vectors = 2u << size_log2;    // a thread's in a block
  uint whole = count >> width_log2;  // vectors of which every element counts
  uint some = (1u << (count & ((1u << width_log2) - 1))) - 1;  // the elements of the one after them
  uint mine = 0;
  uint ignored;
  if (thread == 0) total = 0;
  for (uint b = first; b < min(first + per_group, blocks); ++b) {
    uint at = b * 256 * vectors + thread;
    uint found = 0;
    if (size_log2 == 2 && at + 1792 < whole) {
      uint4 v0 = input[at];
      uint4 v1 = input[at + 256];
      uint4 v2 = input[at + 512];
      uint4 v3 = input[at + 768];
      uint4 v4 = input[at + 1024];
      uint4 v5 = input[at + 1280];
      uint4 v6 = input[at + 1536];
      uint4 v7 = input[at + 1792];
      found = nonzero32(v0) | (nonzero32(v1) << 4) | (nonzero32(v2) << 8) | (nonzero32(v3) << 12) |
              (nonzero32(v4) << 16) | (nonzero32(v5) << 20) | (nonzero32(v6) << 24) | (nonzero32(v7) << 28);
    } else {
      for (uint k = 0; k < vectors; ++k) {
        uint i = at + k * 256;
        uint valid = i < whole ? elements : i == whole ? some : 0;
        if (valid != 0) found |= (nonzero_bits(input[i]) & valid) << (k << width_log2);
      }
    }
    bits[thread + (thread >> 3)] = found;
    GroupMemoryBarrierWithGroupSync();
    // Word `thread` has the elements of `parts` neighbouring vectors, all at the same position in their threads' bits.
    uint parts = 32u >> width_log2;
    uint start = thread * parts;
    uint shift = (start >> 8) << width_log2;
    uint word = 0;
    for (uint p = 0; p < parts; ++p) {
      uint from = (start & 255) + p;
      word |= ((bits[from + (from >> 3)] >> shift) & elements) << (p << width_log2);
    }
    mine += countbits(word);
    mask[b * 256 + thread] = word;
    GroupMemoryBarrierWithGroupSync();
  }
  InterlockedAdd(total, mine, ignored);
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0 && g < groups) counts[g] = total;
}
