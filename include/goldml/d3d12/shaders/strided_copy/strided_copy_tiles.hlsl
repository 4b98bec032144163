// A copy of a box of words in which one dimension is the fastest of the output and another the fastest of the input, for
// example a transposition: a group reads a tile of 64 x 64 words along the input's rows, and writes it along the output's,
// 16 bytes at a time.
cbuffer constants : register(b0) {
  uint tiles;            // of the box
  uint dimension_count;  // of the others
  uint to_size;          // of the dimension along which words of the output lie together; this and the other sizes and
  uint to_step;          // of it in the input                                     steps are multiples of 4
  uint to_tiles;         // along it
  uint from_size;        // of the dimension along which words of the input lie together
  uint from_step;        // of it in the output
  uint from_tiles;
  uint input_first;      // the offset of the first word, a multiple of 4
  uint output_first;
  uint groups_x;         // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 dimension[16];   // the others: size, input step, output step
};

Buffer<uint4> input : register(t0);
RWBuffer<uint4> output : register(u0);

groupshared uint tile[64 * 65];  // a word between rows, so that columns are in different banks

[numthreads(16, 16, 1)] void main(uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID) {
  uint g = group.y * groups_x + group.x;
  uint rest = g / to_tiles;
  uint to_begin = (g - rest * to_tiles) * 64;
  uint slower = rest / from_tiles;
  uint from_begin = (rest - slower * from_tiles) * 64;
  uint from = input_first;
  uint to = output_first;
  rest = slower;
  for (uint d = 0; d < dimension_count; ++d) {
    slower = rest / dimension[d].x;
    uint c = rest - slower * dimension[d].x;
    from += c * dimension[d].y;
    to += c * dimension[d].z;
    rest = slower;
  }
  uint stop = g < tiles ? 64 : 0;
  uint word = thread.x * 4;
  for (uint k = thread.y; k < stop; k += 16) {
    uint row = to_begin + k;
    if (from_begin + word < from_size && row < to_size) {
      uint4 v = input[(from + row * to_step + from_begin + word) / 4];
      tile[k * 65 + word] = v.x;
      tile[k * 65 + word + 1] = v.y;
      tile[k * 65 + word + 2] = v.z;
      tile[k * 65 + word + 3] = v.w;
    }
  }
  GroupMemoryBarrierWithGroupSync();
  for (uint w = thread.y; w < stop; w += 16) {
    uint row = from_begin + w;
    if (to_begin + word < to_size && row < from_size) {
      uint4 v = uint4(tile[word * 65 + w], tile[(word + 1) * 65 + w], tile[(word + 2) * 65 + w], tile[(word + 3) * 65 + w]);
      output[(to + row * from_step + to_begin + word) / 4] = v;
    }
  }
}
