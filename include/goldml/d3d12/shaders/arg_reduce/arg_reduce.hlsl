// The index of the least or greatest element, for any layout and data type. 1 to 256 threads of a group share an output
// element. Its candidates may be split over several groups, which write partial results for arg_reduce_combine.hlsl.
// Candidates are compared by (key, index); indices are flipped when the last of equal keys wins.
#include "../common.hlsli"

cbuffer constants : register(b0) {
  uint outputs;         // output elements
  uint candidates;      // of each output element
  uint lanes_log2;      // 1 << lanes_log2 threads share an output element
  uint lanes_together;  // 1: neighbouring threads take candidates of one output element; 0: of neighbouring ones
  uint splits;          // groups that share an output element
  uint per_split;       // candidates of each of them; at most 2^31
  uint entries;         // partial results of all passes: arg_reduce_combine.hlsl; 0: write the output
  uint first_split;     // the first split of this pass among all
  uint input_first;     // the offset of the first element in its view
  uint output_first;
  uint index_first;     // the index of the first candidate
  uint groups_x;        // of the dispatch
  uint kept_count;      // dimensions
  uint reduced_count;
  uint output_words;    // words of an index: 1 or 2
  uint size_log2;       // of an input element, in bytes
  uint is_float;
  uint bias;
  uint least_key;
  uint greatest_key;
  uint flip;            // 0, or ~0 when the last of equal keys wins
  uint mirror;          // order.hlsli
};
// From the fastest to the slowest. Kept: size, input stride, output stride. Reduced: size, input stride, weight in the
// index.
cbuffer layout : register(b1) {
  uint4 kept[8];
  uint4 reduced[8];
};

ByteAddressBuffer input : register(t0);
RWByteAddressBuffer output : register(u0);

#include "order.hlsli"

groupshared uint shared_high[256];
groupshared uint shared_low[256];
groupshared uint shared_index[256];

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint lanes = 1u << lanes_log2;
  uint members_log2 = 8 - lanes_log2;  // output elements of a group
  uint lane = thread >> members_log2;
  uint member = thread & ((1u << members_log2) - 1);
  uint distance = 1u << members_log2;  // from a lane to the next
  if (lanes_together == 1) {
    lane = thread & (lanes - 1);
    member = thread >> lanes_log2;
    distance = 1;
  }
  uint number = group.y * groups_x + group.x;
  uint block = number / splits;
  uint split = number - block * splits;
  uint o = (block << members_log2) + member;

  // No candidate yet: a key and an index that no candidate exceeds.
  uint high = 0xffffffffu;
  uint low = 0xffffffffu;
  uint index = 0xffffffffu;
  uint to = output_first;
  if (o < outputs) {
    uint from = input_first;
    uint rest = o;
    for (uint k = 0; k < kept_count; ++k) {
      uint outer = rest / kept[k].x;
      uint c = rest - outer * kept[k].x;
      from += c * kept[k].y;
      to += c * kept[k].z;
      rest = outer;
    }
    uint begin = split * per_split;
    uint count = min(per_split, candidates - begin);
    for (uint i = lane; i < count; i += lanes) {
      uint at = from;
      uint flat = index_first;
      uint r = begin + i;
      for (uint d = 0; d + 1 < reduced_count; ++d) {
        uint slower = r / reduced[d].x;
        uint x = r - slower * reduced[d].x;
        at += x * reduced[d].y;
        flat += x * reduced[d].z;
        r = slower;
      }
      at += r * reduced[reduced_count - 1].y;
      flat += r * reduced[reduced_count - 1].z;
      uint2 bits = load_element(input, size_log2, at) ^ mirror;
      uint new_high = bits.y + bias;
      uint new_low = bits.x;
      uint new_index = flat ^ flip;
      if (size_log2 != 3) {
        new_high = clamp_key(key_of(bits.x << (32 - (8u << size_log2))));
        new_low = 0;
      }
      if (new_high < high || (new_high == high && (new_low < low || (new_low == low && new_index < index)))) {
        high = new_high;
        low = new_low;
        index = new_index;
      }
    }
  }

  shared_high[thread] = high;
  shared_low[thread] = low;
  shared_index[thread] = index;
  GroupMemoryBarrierWithGroupSync();
  for (uint step = lanes >> 1; step > 0; step >>= 1) {
    if (lane < step) {
      uint other = thread + step * distance;
      uint h = shared_high[other];
      uint l = shared_low[other];
      uint n = shared_index[other];
      if (h < high || (h == high && (l < low || (l == low && n < index)))) {
        high = h;
        low = l;
        index = n;
        shared_high[thread] = h;
        shared_low[thread] = l;
        shared_index[thread] = n;
      }
    }
    GroupMemoryBarrierWithGroupSync();
  }

  if (o < outputs && lane == 0) {
    if (entries != 0) {
      uint entry = (first_split + split) * outputs + o;
      output.Store(entry * 4, high);
      output.Store((entries + entry) * 4, index);
      if (size_log2 == 3) output.Store((entries * 2 + entry) * 4, low);
    } else if (output_words == 2) {
      output.Store2(to * 8, uint2(index ^ flip, 0));
    } else {
      output.Store(to * 4, index ^ flip);
    }
  }
}
