// NONZERO_COORDINATES, second pass: from the bits of the first to rows of coordinates. A group finds its first row by
// adding up the counts of the groups before it, then goes through its blocks. store_row() is its includer's.
cbuffer constants : register(b0) {
  uint blocks;        // of 8192 elements, 256 words
  uint per_group;     // blocks
  uint groups;
  uint groups_x;      // of the dispatch
  uint last_size;     // of the input
  uint columns;       // N
  uint row_stride;    // of the coordinates
  uint column_stride;
  uint window_begin;  // the part of the coordinates, in elements or rows, that is written
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
groupshared uint outer[256];   // the first element of each word: its row-major number but for the last dimension,
groupshared uint inner[256];   // and the last coordinate

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
    // The row of each word's first element: what lies before it in its sixteen words, and the sixteens before.
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
    sums[thread] = at;  // read by others so far, but no more
    GroupMemoryBarrierWithGroupSync();
    if (all >= 1024) {  // dense: the 32 elements of a word on 32 threads
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
    } else {  // sparse: a word a thread
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
