// A copy in which the first elements along an axis, as many as a length says, are in reverse order: one thread per element.
// Large tensors take several passes; each sees windows of them and skips elements outside its windows.
#include "../common.hlsli"

cbuffer constants : register(b0) {
  uint elements;
  uint dimension_count;
  uint size_log2;        // of an element, in bytes
  uint lengths_log2;     // of a length, in bytes: 2 or 3
  uint axis;             // among the dimensions below
  uint lengths_begin;    // windows, in elements
  uint lengths_count;
  uint input_begin;
  uint input_count;
  uint output_begin;
  uint output_count;
  uint groups_x;         // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 dimension[8];    // from the last to the first: size, strides of lengths, input and output
};

ByteAddressBuffer input : register(t0);
ByteAddressBuffer lengths : register(t1);
RWStructuredBuffer<uint> output : register(u0);

#include "../store_element.hlsli"

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint e = (group.y * groups_x + group.x) * 256 + thread;
  if (e < elements) {
    uint rest = e;
    uint at = 0;
    uint from = 0;
    uint to = 0;
    uint position = 0;
    for (uint d = 0; d < dimension_count; ++d) {
      uint slower = rest / dimension[d].x;
      uint c = rest - slower * dimension[d].x;
      if (d == axis) position = c;
      at += c * dimension[d].y;
      from += c * dimension[d].z;
      to += c * dimension[d].w;
      rest = slower;
    }
    at -= lengths_begin;
    to -= output_begin;
    if (at < lengths_count && to < output_count) {
      uint2 length = load_element(lengths, lengths_log2, at);
      if (length.y != 0 || length.x > dimension[axis].x) length.x = dimension[axis].x;
      if (position < length.x) from += (length.x - 1 - position - position) * dimension[axis].z;
      from -= input_begin;
      if (from < input_count) store_element(to, load_element(input, size_log2, from));
    }
  }
}
