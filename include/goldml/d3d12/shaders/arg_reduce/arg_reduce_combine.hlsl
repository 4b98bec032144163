// The last pass, over the partial results of the other passes: arrays [split][output] of the keys, of the indices and,
// for 64-bit elements, of the keys' low words.
cbuffer constants : register(b0) {
  uint outputs;
  uint splits;
  uint lanes_log2;     // 1 << lanes_log2 threads, at most 1024, share an output element
  uint entries;        // outputs * splits
  uint has_low_words;
  uint output_first;   // the offset of the first element in its view
  uint output_words;   // words of an index: 1 or 2
  uint flip;           // 0, or ~0 when the last of equal keys wins
  uint kept_count;     // dimensions
  uint groups_x;       // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 kept[8];      // from the fastest to the slowest: size, input stride, output stride
};

ByteAddressBuffer input : register(t0);
RWByteAddressBuffer output : register(u0);

groupshared uint shared_high[1024];
groupshared uint shared_low[1024];
groupshared uint shared_index[1024];

[numthreads(1024, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint lanes = 1u << lanes_log2;
  uint members_log2 = 10 - lanes_log2;
  uint lane = thread >> members_log2;
  uint member = thread & ((1u << members_log2) - 1);
  uint o = ((group.y * groups_x + group.x) << members_log2) + member;
  uint high = 0xffffffffu;
  uint low = 0xffffffffu;
  uint index = 0xffffffffu;
  if (o < outputs) {
    for (uint s = lane; s < splits; s += lanes) {
      uint at = (s * outputs + o) * 4;
      uint h = input.Load(at);
      uint n = input.Load(at + entries * 4);
      uint l = 0;
      if (has_low_words == 1) l = input.Load(at + entries * 8);
      if (h < high || (h == high && (l < low || (l == low && n < index)))) {
        high = h;
        low = l;
        index = n;
      }
    }
  }

  // The lanes of a member find the least, word by word. A lane with a greater word drops out.
  uint ignored;
  shared_high[thread] = 0xffffffffu;
  shared_low[thread] = 0xffffffffu;
  shared_index[thread] = 0xffffffffu;
  GroupMemoryBarrierWithGroupSync();
  InterlockedMin(shared_high[member], high, ignored);
  GroupMemoryBarrierWithGroupSync();
  bool is_least = high == shared_high[member];
  if (has_low_words == 1) {
    if (is_least) InterlockedMin(shared_low[member], low, ignored);
    GroupMemoryBarrierWithGroupSync();
    is_least = is_least && low == shared_low[member];
  }
  if (is_least) InterlockedMin(shared_index[member], index, ignored);
  GroupMemoryBarrierWithGroupSync();
  index = shared_index[member];
  if (o < outputs && lane == 0) {
    uint to = output_first;
    uint rest = o;
    for (uint k = 0; k < kept_count; ++k) {
      uint outer = rest / kept[k].x;
      to += (rest - outer * kept[k].x) * kept[k].z;
      rest = outer;
    }
    if (output_words == 2) {
      output.Store2(to * 8, uint2(index ^ flip, 0));
    } else {
      output.Store(to * 4, index ^ flip);
    }
  }
}
