// The output of a gather of slices of whole vectors of 16 bytes, packed in all tensors: two vectors per thread. It writes
// nothing when the status has a refusal (scatter_nd_places.hlsl).
#include "../common.hlsli"
#include "../index.hlsli"

cbuffer constants : register(b0) {
  uint vectors;          // of the output
  uint slice_size;       // vectors that a tuple selects
  uint slice_log2;       // 32 if that is no power of two
  uint dimension_count;  // over the tuples
  uint tuple_size;       // indices of a tuple
  uint index_step;       // from one index of a tuple to the next
  uint index_log2;       // of an index, in bytes: 2 or 3
  uint is_signed;        // 0 or 1
  uint groups_x;         // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 dimension[8];    // over the tuples, from the last to the first: size, strides of indices, of the input in vectors
  uint4 axis[8];         // that an index of a tuple selects from: size, input stride in vectors
};

Buffer<uint4> input : register(t0);
ByteAddressBuffer indices : register(t1);
ByteAddressBuffer status : register(t2);
RWBuffer<uint4> output : register(u0);

// The vector of the input that vector e of the output comes from.
uint source(uint e) {
  uint rest = slice_log2 < 32 ? e >> (slice_log2 & 31) : e / slice_size;
  uint from = e - rest * slice_size;
  uint index = 0;
  for (uint d = 0; d < dimension_count; ++d) {
    uint slower = rest;
    uint c = rest;
    if (d + 1 < dimension_count) slower = rest / dimension[d].x;
    if (d + 1 < dimension_count) c = rest - slower * dimension[d].x;
    index += c * dimension[d].y;
    from += c * dimension[d].z;
    rest = slower;
  }
  for (uint j = 0; j < tuple_size; ++j) {
    uint2 v = load_index(indices, index_log2, is_signed, index + j * index_step);
    from += position_of(v, is_signed, axis[j].x).x * axis[j].y;
  }
  return from;
}

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint first = (group.y * groups_x + group.x) * 512 + thread;
  uint second = first + 256;
  if (first < vectors && status.Load(0) == 0) {
    uint4 a = input[source(first)];
    uint4 b = uint4(0, 0, 0, 0);
    if (second < vectors) b = input[source(second)];
    output[first] = a;
    if (second < vectors) output[second] = b;
  }
}
