// A copy of a box of vectors of 16 bytes, or a fill with one: one thread per vector of the output. As strided_copy.hlsl,
// without dimensions that are extended.
cbuffer constants : register(b0) {
  uint vectors;          // of the box
  uint dimension_count;
  uint has_input;        // 0: the value
  uint value_low;        // the value, twice, four or eight times over when it is narrow
  uint value_high;
  uint input_first;      // the offset of the least input vector in its view
  uint output_first;
  uint groups_x;         // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 dimension[16];   // from the fastest to the slowest: size, input step, output step, 1: from the input's end
};

Buffer<uint4> input : register(t0);
RWBuffer<uint4> output : register(u0);

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint e = (group.y * groups_x + group.x) * 256 + thread;
  if (e < vectors) {
    uint rest = e;
    uint from = input_first;
    uint to = output_first;
    for (uint d = 0; d < dimension_count; ++d) {
      uint slower = rest;
      uint c = rest;
      if (d + 1 < dimension_count) slower = rest / dimension[d].x;
      if (d + 1 < dimension_count) c = rest - slower * dimension[d].x;
      uint i = c;
      if (dimension[d].w == 1) i = dimension[d].x - 1 - c;
      from += i * dimension[d].y;
      to += c * dimension[d].z;
      rest = slower;
    }
    uint4 bits = uint4(value_low, value_high, value_low, value_high);
    if (has_input == 1) bits = input[from];
    output[to] = bits;
  }
}
