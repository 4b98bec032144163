// A copy of a box of words in which one dimension is the fastest of the output and another the fastest of the input, for
// example a transposition: a group reads a tile of 64 x 64 words along the input's rows, and writes it along the output's,
// 16 bytes at a time. Each thread turns a block of 4 x 4 words.
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

// By rows of the output, 16 vectors each. Vector v of rows 4 i to 4 i + 3 is at v ^ (i & 7), so that neither the writes nor
// the reads of neighbouring threads meet in one bank.
groupshared uint4 tile[64 * 16];

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
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
  uint x = thread & 15;
  uint y = thread >> 4;
  uint row = to_begin + y * 4;
  uint column = from_begin + x * 4;
  if (g < tiles && row < to_size && column < from_size) {
    uint at = (from + row * to_step + column) / 4;
    uint step = to_step / 4;
    uint4 a = input[at], b = input[at + step], c = input[at + step * 2], d = input[at + step * 3];
    uint slot = x * 64 + (y ^ (x & 7));
    tile[slot] = uint4(a.x, b.x, c.x, d.x);
    tile[slot + 16] = uint4(a.y, b.y, c.y, d.y);
    tile[slot + 32] = uint4(a.z, b.z, c.z, d.z);
    tile[slot + 48] = uint4(a.w, b.w, c.w, d.w);
  }
  GroupMemoryBarrierWithGroupSync();
  uint to_word = to_begin + x * 4;
  uint stop = g < tiles && to_word < to_size ? 64 : 0;
  for (uint k = y; k < stop; k += 16)
    if (from_begin + k < from_size)
      output[(to + (from_begin + k) * from_step + to_word) / 4] = tile[k * 16 + (x ^ (k / 4 & 7))];
}
