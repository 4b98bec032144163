// The output of a gather of slices of whole vectors of 16 bytes, packed in all tensors: four vectors per thread. It writes
// nothing when a check of the indices has left a word other than 0 (scatter_nd_places.hlsl, gather_indices.hlsl).
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
  uint checked_count;    // words that the check wrote: the number of tuples - that of a refused one, or 0; at most 256
  uint reports;          // 0, or 1 to write the report
  uint tuples;
  uint groups_x;         // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 dimension[8];    // over the tuples, from the last to the first: size, strides of indices, of the input in vectors
  uint4 axis[8];         // that an index of a tuple selects from: size, input stride in vectors
};

Buffer<uint4> input : register(t0);
ByteAddressBuffer indices : register(t1);
RWBuffer<uint4> output : register(u0);
RWStructuredBuffer<uint> checked : register(u1);
RWStructuredBuffer<uint> report : register(u2);  // as scatter_nd_places.hlsl writes it, of packed indices of tuples of one

groupshared uint refused;

uint slice_of(uint e) { return slice_log2 < 32 ? e >> (slice_log2 & 31) : e / slice_size; }

// The vector of the input that vector e of the output comes from.
uint source(uint e) {
  uint rest = slice_of(e);
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

// The same where there is one dimension over the tuples, which have one index.
uint source_of_row(uint e, uint row, uint2 index) {
  return e - row * slice_size + row * dimension[0].z + position_of(index, is_signed, axis[0].x).x * axis[0].y;
}
uint source_of_row(uint e, uint row, uint index) {
  return source_of_row(e, row, uint2(index, is_signed == 1 ? asuint(asint(index) >> 31) : 0));
}

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint e = (group.y * groups_x + group.x) * 1024 + thread;
  // Positions are clamped to the input, so that vectors can be read before it is known whether an index is refused. Four
  // loads at a time are under way.
  uint last = vectors - 1;
  uint e0 = min(e, last), e1 = min(e + 256, last), e2 = min(e + 512, last), e3 = min(e + 768, last);
  uint from0, from1, from2, from3;
  if (dimension_count == 1 && tuple_size == 1) {
    uint row0 = slice_of(e0), row1 = slice_of(e1), row2 = slice_of(e2), row3 = slice_of(e3);
    uint step = dimension[0].y << index_log2;
    if (index_log2 == 2) {
      uint a = indices.Load(row0 * step), b = indices.Load(row1 * step);
      uint c = indices.Load(row2 * step), d = indices.Load(row3 * step);
      from0 = source_of_row(e0, row0, a);
      from1 = source_of_row(e1, row1, b);
      from2 = source_of_row(e2, row2, c);
      from3 = source_of_row(e3, row3, d);
    } else {
      uint2 a = indices.Load2(row0 * step), b = indices.Load2(row1 * step);
      uint2 c = indices.Load2(row2 * step), d = indices.Load2(row3 * step);
      from0 = source_of_row(e0, row0, a);
      from1 = source_of_row(e1, row1, b);
      from2 = source_of_row(e2, row2, c);
      from3 = source_of_row(e3, row3, d);
    }
  } else {
    from0 = source(e0);
    from1 = source(e1);
    from2 = source(e2);
    from3 = source(e3);
  }
  uint4 v0 = input[from0], v1 = input[from1], v2 = input[from2], v3 = input[from3];
  if (thread == 0) refused = 0;
  GroupMemoryBarrierWithGroupSync();
  uint word = 0;
  uint ignored;
  if (thread < checked_count) word = checked[thread];
  if (word != 0) InterlockedMax(refused, word, ignored);
  GroupMemoryBarrierWithGroupSync();
  word = refused;
  if (word == 0) {
    if (e < vectors) output[e] = v0;
    if (e + 256 < vectors) output[e + 256] = v1;
    if (e + 512 < vectors) output[e + 512] = v2;
    if (e + 768 < vectors) output[e + 768] = v3;
  }
  if (reports == 1 && e == 0) {
    uint2 index = uint2(0, 0);
    if (word != 0) index = load_index(indices, index_log2, is_signed, tuples - word);
    report[0] = word;
    report[1] = 0;
    report[2] = index.x;
    report[3] = index.y;
  }
}
