// NONZERO_COORDINATES, first pass, any layout: one bit per element in logical order, and the number of bits that are
// set in each group's part. A block is 8192 elements: 256 words. A large input takes several passes; each sees a window
// of it and adds its bits.
#include "../common.hlsli"

cbuffer constants : register(b0) {
  uint count;            // elements
  uint blocks;
  uint per_group;        // blocks per group
  uint groups;
  uint groups_x;         // of the dispatch
  uint window_begin;     // elements of the input that the view shows
  uint window_count;
  uint add;              // 0: the first window
  uint dimension_count;
  uint size_log2;        // of an element, in bytes
  uint value_mask;       // an element is zero when none of these bits is set
};
cbuffer layout : register(b1) {
  uint4 dimension[8]; // from the last to the first: size, stride
};

ByteAddressBuffer input : register(t0);
RWStructuredBuffer<uint> mask : register(u0);
RWByteAddressBuffer counts : register(u1);

groupshared uint words[256];
groupshared uint total;

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint g = group.y * groups_x + group.x;
  uint first = g * per_group;
  uint mine = 0;
  uint ignored;
  if (thread == 0) total = 0;
  for (uint b = first; b < min(first + per_group, blocks); ++b) {
    words[thread] = 0;
    if (add == 1) words[thread] = mask[b * 256 + thread];
    GroupMemoryBarrierWithGroupSync();
    [loop] for (uint k = 0; k < 32; ++k) {
      uint e = b * 8192 + k * 256 + thread;
      if (e < count) {
        uint at = 0;
        uint rest = e;
        for (uint d = 0; d + 1 < dimension_count; ++d) {
          uint slower = rest / dimension[d].x;
          at += (rest - slower * dimension[d].x) * dimension[d].y;
          rest = slower;
        }
        at += rest * dimension[dimension_count - 1].y;
        at -= window_begin;
        if (at < window_count) {
          uint bits = load_element(input, size_log2, at).x & value_mask;
          if (bits != 0) InterlockedOr(words[k * 8 + (thread >> 5)], 1u << (thread & 31), ignored);
        }
      }
    }
    GroupMemoryBarrierWithGroupSync();
    uint w = words[thread];
    mine += countbits(w);
    mask[b * 256 + thread] = w;
  }
  InterlockedAdd(total, mine, ignored);
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0 && g < groups) counts.Store(g * 4, total);
}
