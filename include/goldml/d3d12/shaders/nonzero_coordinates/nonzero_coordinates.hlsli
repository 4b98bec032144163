// NONZERO_COORDINATES, second pass: from the bits of the first pass to rows of coordinates. A group adds the counts of
// the groups before it to find its first row, then loops over its blocks. The including file defines store_row().
cbuffer constants : register(b0) {
  uint blocks;         // of 8192 elements, 256 words
  uint per_group;      // blocks per group
  uint groups;
  uint groups_x;       // of the dispatch
  uint last_size;      // of the input
  uint columns;        // N
  uint row_stride;     // of the coordinates
  uint column_stride;
  uint window_begin;   // the part of the coordinates, in elements or rows, that is written
  uint window_count;
};
cbuffer layout : register(b1) {
  uint4 dimension[8];  // x: the sizes of the input's last N dimensions, from the last to the first
};

ByteAddressBuffer mask : register(t0);
ByteAddressBuffer counts : register(t1);

void store_row(uint row, uint rest, uint last);

groupshared uint words[256];
groupshared uint sums[256];    // set bits of each word; then the row of its first
groupshared uint sixteen[16];  // set bits of 16 words
groupshared uint outer[256];   // of the first element of each word: its row-major index without the last dimension,
groupshared uint inner[256];   // and its last coordinate

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint g = group.y * groups_x + group.x;
  uint before = 0;
  for (uint i = thread; i < min(g, groups); i += 256) before += counts.Load(i * 4);
  sums[thread] = before;
  GroupMemoryBarrierWithGroupSync();
  for (uint step = 128; step > 0; step >>= 1) {
    if (thread < step) sums[thread] += sums[thread + step];
    GroupMemoryBarrierWithGroupSync();
  }
  uint row = sums[0];
  GroupMemoryBarrierWithGroupSync();

  uint first = g * per_group;
  for (uint b = first; b < min(first + per_group, blocks); ++b) {
    uint word = mask.Load((b * 256 + thread) * 4);
    uint set = countbits(word);
    uint e = (b * 256 + thread) * 32;
    uint q = e / last_size;
    uint c = e - q * last_size;
    words[thread] = word;
    sums[thread] = set;
    outer[thread] = q;
    inner[thread] = c;
    GroupMemoryBarrierWithGroupSync();
    // The row of each word's first element: the bits before it in its sixteen words, and in the sixteens before those.
    uint at = row;
    for (uint i = thread & ~15u; i < thread; ++i) at += sums[i];
    if ((thread & 15) == 15) sixteen[thread >> 4] = at - row + set;
    GroupMemoryBarrierWithGroupSync();
    uint all = 0;
    for (uint s = 0; s < 16; ++s) {
      uint n = sixteen[s];
      if (s < thread >> 4) at += n;
      all += n;
    }
    sums[thread] = at;  // no thread reads the old values any more
    GroupMemoryBarrierWithGroupSync();
    if (all >= 1024) {  // dense: 32 threads take the 32 elements of a word
      uint lane = thread & 31;
      for (uint w = thread >> 5; w < 256; w += 8) {
        uint bits = words[w];
        if ((bits >> lane) & 1) {
          uint rest = outer[w];
          uint last = inner[w] + lane;
          if (last >= last_size) {
            uint over = last / last_size;
            rest += over;
            last -= over * last_size;
          }
          store_row(sums[w] + countbits(bits & ((1u << lane) - 1)), rest, last);
        }
      }
    } else {  // sparse: one word per thread
      while (word != 0) {
        uint k = firstbitlow(word);
        uint rest = q;
        uint last = c + k;
        if (last >= last_size) {
          uint over = last / last_size;
          rest += over;
          last -= over * last_size;
        }
        store_row(at, rest, last);
        at += 1;
        word &= word - 1;
      }
    }
    row += all;
    GroupMemoryBarrierWithGroupSync();
  }
  if (g + 1 == groups && thread == 0) count.Store(0, row);
}
