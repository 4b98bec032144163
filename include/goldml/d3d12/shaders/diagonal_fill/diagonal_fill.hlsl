// A range of diagonals of any layout: one thread per output element. In place, only filled elements are written.
#include "../common.hlsli"

cbuffer constants : register(b0) {
  uint first;            // output elements, in row-major order
  uint elements;
  uint dimension_count;
  uint size_log2;        // of an element, in bytes
  uint value_low;
  uint value_high;
  uint begin;            // |begin|: diagonal.hlsli
  uint begin_negative;   // 1: begin < 0
  uint end;              // |end|
  uint end_negative;
  uint outside;          // 1: end < begin, the diagonals outside [end, begin) are filled
  uint source;           // of elements that are not filled: 0 zeros, 1 the input, 2 they stay as they are
  uint input_first;      // the offset of element 0 in its view
  uint output_first;
  uint x_first;          // the position of element 0 in its matrix
  uint y_first;
  uint groups_x;         // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 dimension[4];    // from the last to the first, x and y first: size, input stride, output stride
};

ByteAddressBuffer input : register(t0);
RWStructuredBuffer<uint> output : register(u0);

#include "diagonal.hlsli"
#include "../store_element.hlsli"

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint e = (group.y * groups_x + group.x) * 256 + thread;
  if (e < elements) {
    uint rest = first + e;
    uint from = input_first;
    uint to = output_first;
    uint x = x_first;
    uint y = y_first;
    for (uint d = 0; d < dimension_count; ++d) {
      uint slower = rest / dimension[d].x;
      uint c = rest - slower * dimension[d].x;
      if (d == 0) x = x_first + c;
      if (d == 1) y = y_first + c;
      from += c * dimension[d].y;
      to += c * dimension[d].z;
      rest = slower;
    }
    uint fill = is_filled(x, y);
    uint2 bits = uint2(0, 0);
    if (fill == 1) {
      bits = uint2(value_low, value_high);
    } else if (source == 1) {
      bits = load_element(input, size_log2, from);
    }
    if (fill == 1 || source != 2) store_element(to, bits);
  }
}
