// The output of a gather: one thread per element takes it from the position that a tuple of indices selects. It writes
// nothing when the status has a refusal (scatter_nd_places.hlsl). Large tensors take several passes; each sees windows of
// them and skips elements outside its windows.
#include "../common.hlsli"
#include "../index.hlsli"

cbuffer constants : register(b0) {
  uint elements;        // of the output
  uint dimension_count;
  uint size_log2;       // of an element, in bytes
  uint tuple_size;      // indices of a tuple
  uint index_step;      // from one index of a tuple to the next
  uint index_log2;      // of an index, in bytes: 2 or 3
  uint is_signed;       // 0 or 1
  uint indices_begin;   // windows, in elements; a tuple is in that of its first index
  uint indices_count;
  uint input_begin;
  uint input_count;
  uint output_begin;
  uint output_count;
  uint groups_x;        // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 dimension[8];   // of the output, from the last to the first: size, strides of indices, input and output
  uint4 axis[8];        // that an index of a tuple selects from: size, input stride
};

ByteAddressBuffer input : register(t0);
ByteAddressBuffer indices : register(t1);
ByteAddressBuffer status : register(t2);
RWStructuredBuffer<uint> output : register(u0);

#include "../store_element.hlsli"

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint e = (group.y * groups_x + group.x) * 256 + thread;
  if (e < elements && status.Load(0) == 0) {
    uint rest = e;
    uint index = 0;
    uint from = 0;
    uint to = 0;
    for (uint d = 0; d < dimension_count; ++d) {
      uint slower = rest / dimension[d].x;
      uint c = rest - slower * dimension[d].x;
      index += c * dimension[d].y;
      from += c * dimension[d].z;
      to += c * dimension[d].w;
      rest = slower;
    }
    index -= indices_begin;
    to -= output_begin;
    if (index < indices_count && to < output_count) {
      for (uint j = 0; j < tuple_size; ++j) {
        uint2 v = load_index(indices, index_log2, is_signed, index + j * index_step);
        from += position_of(v, is_signed, axis[j].x).x * axis[j].y;
      }
      from -= input_begin;
      if (from < input_count) store_element(to, load_element(input, size_log2, from));
    }
  }
}
