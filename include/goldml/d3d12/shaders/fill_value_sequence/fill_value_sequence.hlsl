// Start + number * delta of each element, modulo 2^64, of which the output keeps the low bits: one thread per element.
// Large tensors take several passes; each sees a window of the output and skips elements outside.
cbuffer constants : register(b0) {
  uint elements;         // of the output, numbered in row-major order
  uint dimension_count;
  uint size_log2;        // of an element, in bytes
  uint start_low;
  uint start_high;
  uint delta_low;
  uint delta_high;
  uint output_begin;     // the window, in elements
  uint output_count;
  uint groups_x;         // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 dimension[8];    // from the last to the first: size, output stride
};

RWStructuredBuffer<uint> output : register(u0);

#include "../store_element.hlsli"

// a * b of 32 and 64 bits, modulo 2^64.
uint2 product(uint a, uint2 b) {
  uint low = (a & 0xffff) * (b.x & 0xffff);
  uint cross1 = (a & 0xffff) * (b.x >> 16);
  uint cross2 = (a >> 16) * (b.x & 0xffff);
  uint middle = (low >> 16) + (cross1 & 0xffff) + (cross2 & 0xffff);
  uint high = (a >> 16) * (b.x >> 16) + (cross1 >> 16) + (cross2 >> 16) + (middle >> 16);
  return uint2((middle << 16) | (low & 0xffff), high + a * b.y);
}

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint e = (group.y * groups_x + group.x) * 256 + thread;
  if (e < elements) {
    uint rest = e;
    uint to = 0;
    for (uint d = 0; d < dimension_count; ++d) {
      uint slower = rest / dimension[d].x;
      to += (rest - slower * dimension[d].x) * dimension[d].y;
      rest = slower;
    }
    to -= output_begin;
    if (to < output_count) {
      uint2 bits = product(e, uint2(delta_low, delta_high));
      uint low = bits.x + start_low;
      bits.y += start_high + (low < bits.x ? 1 : 0);
      bits.x = low;
      store_element(to, bits);
    }
  }
}
