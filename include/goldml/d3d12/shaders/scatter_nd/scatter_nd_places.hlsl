// Tuples of indices, of scatters and gathers. Phase 0 enters each tuple at its place in a map; gathers have no map. Of several tuples at one place the one
// with the greatest mark stays; the mark is number + 1 when the last tuple wins, count - number when duplicates are
// refused. Phase 0 also writes count - number of the lowest tuple out of range to status[0]. Phase 1 writes the
// same of the lowest tuple whose place an earlier tuple has to status[1]. Phase 2, one thread, writes the refused
// tuple's indices to status[2..), two words each. Large tensors take several passes; each sees a window of the indices
// and of the places.
#include "../common.hlsli"
#include "../index.hlsli"

cbuffer constants : register(b0) {
  uint phase;
  uint tuples;
  uint tuple_size;      // coordinates of a tuple
  uint tuple_dims;      // dimensions over the tuples
  uint element_stride;  // from one coordinate of a tuple to the next
  uint size_log2;       // of an index, in bytes: 2 or 3
  uint is_signed;       // 0 or 1
  uint range_policy;    // 0 refuse, 1 clamp, 2 drop
  uint last_wins;       // 0 or 1
  uint window_begin;    // tuples whose first index is outside these elements of the indices are skipped
  uint window_count;
  uint first_place;     // the first place in the map
  uint places;
  uint groups_x;        // of the dispatch
};
cbuffer layout : register(b1) {
  uint4 dimension[8];  // over the tuples, from the last to the first: size, stride, places from one to the next
  uint4 axis[8];       // of a place: size, places from one coordinate to the next
};

ByteAddressBuffer indices : register(t0);
RWStructuredBuffer<uint> map : register(u0);
RWStructuredBuffer<uint> status : register(u1);

// The offset of a tuple, and its place if all its coordinates are 0.
uint2 tuple_at(uint t) {
  uint2 at = uint2(0, 0);
  for (uint d = 0; d < tuple_dims; ++d) {
    uint slower = t / dimension[d].x;
    uint c = t - slower * dimension[d].x;
    at.x += c * dimension[d].y;
    at.y += c * dimension[d].z;
    t = slower;
  }
  return at;
}

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint t = (group.y * groups_x + group.x) * 256 + thread;
  uint refused = 0;
  if (phase == 2) {
    refused = status[0] != 0 ? status[0] : status[1];
    t = t == 0 ? tuples - refused : tuples;  // one thread; none when nothing is refused
  }
  uint2 at = tuple_at(t);
  uint from = at.x - window_begin;
  if (t < tuples && from < window_count) {
    uint place = at.y;
    uint in_range = 1;
    uint ignored;
    for (uint j = 0; j < tuple_size; ++j) {
      uint2 v = load_index(indices, size_log2, is_signed, from + j * element_stride);
      if (phase == 2) {
        status[2 + 2 * j] = v.x;
        status[3 + 2 * j] = v.y;
      }
      uint2 position = position_of(v, is_signed, axis[j].x);
      if (position.y == 0 && range_policy != 1) in_range = 0;
      place += position.x * axis[j].y;
    }
    place -= first_place;
    uint mark = last_wins == 1 ? t + 1 : tuples - t;
    if (in_range == 0) {
      if (phase == 0 && range_policy == 0) InterlockedMax(status[0], tuples - t, ignored);
    } else if (place < places) {
      if (phase == 0) InterlockedMax(map[place], mark, ignored);
      if (phase == 1 && map[place] != mark) InterlockedMax(status[1], tuples - t, ignored);
    }
  }
}
