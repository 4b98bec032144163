// Whether packed indices of tuples of one are in range: each group checks a part of them, and writes count - number of the
// first that is not, or 0, to a word of its own.
#include "../common.hlsli"
#include "../index.hlsli"

cbuffer constants : register(b0) {
  uint count;       // of the indices
  uint per_group;   // at least 1
  uint index_log2;  // of an index, in bytes: 2 or 3
  uint is_signed;   // 0 or 1
  uint size;        // of the axis
};

ByteAddressBuffer indices : register(t0);
RWStructuredBuffer<uint> checked : register(u0);

groupshared uint refused;

// 0 if the index is in range.
uint word_of(uint2 index, uint number) {
  return position_of(index, is_signed, size).y == 0 ? count - number : 0;
}
uint word_of(uint index, uint number) {
  return word_of(uint2(index, is_signed == 1 ? asuint(asint(index) >> 31) : 0), number);
}

[numthreads(1024, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  if (thread == 0) refused = 0;
  GroupMemoryBarrierWithGroupSync();
  uint word = 0;
  uint first = group.x * per_group;
  uint end = min(first + per_group, count);
  // Four indices at a time, the last repeatedly, so that four loads are under way.
  for (uint n = first + thread; n < end; n += 4096) {
    uint last = end - 1;
    uint n1 = min(n + 1024, last), n2 = min(n + 2048, last), n3 = min(n + 3072, last);
    if (index_log2 == 2) {
      uint a = indices.Load(n * 4), b = indices.Load(n1 * 4), c = indices.Load(n2 * 4), d = indices.Load(n3 * 4);
      word = max(word, max(max(word_of(a, n), word_of(b, n1)), max(word_of(c, n2), word_of(d, n3))));
    } else {
      uint2 a = indices.Load2(n * 8), b = indices.Load2(n1 * 8), c = indices.Load2(n2 * 8), d = indices.Load2(n3 * 8);
      word = max(word, max(max(word_of(a, n), word_of(b, n1)), max(word_of(c, n2), word_of(d, n3))));
    }
  }
  uint ignored;
  if (word != 0) InterlockedMax(refused, word, ignored);
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) checked[group.x] = refused;
}
