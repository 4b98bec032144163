// A copy of a box of elements, or a fill with one value: one thread per element of the output.
#include "../common.hlsli"

cbuffer constants : register(b0) {
  uint elements;         // of the box
  uint dimension_count;
  uint size_log2;        // of an element, in bytes
  uint has_input;        // 0: the value
  uint value_low;
  uint value_high;
  uint input_first;      // the offset of the least input element in its view
  uint output_first;
  uint groups_x;         // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 dimension[16];   // from the fastest to the slowest: size, input step, output step, indexing (below)
  uint4 extension[8];    // of a dimension with indexing 2: input size, first; 3: input size, first, period, mirror
};

ByteAddressBuffer input : register(t0);
RWStructuredBuffer<uint> output : register(u0);

#include "../store_element.hlsli"

// The position in the input of coordinate c of the output. Indexing 0: c. 1: from the end. 2: the input begins at
// `first`, and its ends are repeated. 3: coordinate 0 is at `first` of the period; positions past the input are mirrored.
uint position(uint d, uint c) {
  uint indexing = dimension[d].w;
  uint result = c;
  if (indexing == 1) result = dimension[d].x - 1 - c;
  if (indexing == 2) {
    result = 0;
    if (c > extension[d].y) result = c - extension[d].y;
    if (result >= extension[d].x) result = extension[d].x - 1;
  }
  if (indexing == 3) {
    result = (c + extension[d].y) % extension[d].z;
    if (result >= extension[d].x) result = extension[d].w - result;
  }
  return result;
}

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint e = (group.y * groups_x + group.x) * 256 + thread;
  if (e < elements) {
    uint rest = e;
    uint from = input_first;
    uint to = output_first;
    for (uint d = 0; d < dimension_count; ++d) {
      uint slower = rest / dimension[d].x;
      uint c = rest - slower * dimension[d].x;
      from += position(d, c) * dimension[d].y;
      to += c * dimension[d].z;
      rest = slower;
    }
    uint2 bits = uint2(value_low, value_high);
    if (has_input == 1) bits = load_element(input, size_log2, from);
    store_element(to, bits);
  }
}
