// The index of the least or greatest element of runs: the candidates of an output element are contiguous. They are read
// 16 bytes at a time, by one group, or by several (`splits`) that write partial results for arg_reduce_combine.hlsl. A
// thread keeps its least key and the batch of vectors that has it; the batches with the least key of all are read again
// for the index.
#include "../common.hlsli"

cbuffer constants : register(b0) {
  uint outputs;
  uint candidates;    // of each output element
  uint splits;
  uint entries;       // partial results of all passes: arg_reduce_combine.hlsl; 0: write the output
  uint first_split;   // the first split of this pass among all
  uint input_first;   // the offset of the first element in its view
  uint output_first;
  uint index_first;   // the index of the first candidate
  uint groups_x;      // of the dispatch
  uint kept_count;    // dimensions
  uint output_words;  // words of an index: 1 or 2
  uint size_log2;     // of an input element, in bytes
  uint is_float;
  uint bias;
  uint least_key;
  uint greatest_key;
  uint flip;          // 0, or ~0 when the last of equal keys wins
  uint mirror;        // order.hlsli
};
cbuffer layout : register(b1) {
  uint4 kept[8];      // from the fastest to the slowest: size, input stride, output stride
};

Buffer<uint4> input : register(t0);
RWByteAddressBuffer output : register(u0);

#include "order.hlsli"

groupshared uint shared_least;
groupshared uint shared_index;

// The least key of four vectors, of elements in the top of their words.
uint least_on_top(uint4 a, uint4 b, uint4 c, uint4 d) {
  uint4 least = min(min(keys_of(a), keys_of(b)), min(keys_of(c), keys_of(d)));
  return min(min(least.x, least.y), min(least.z, least.w));
}

uint least_of(uint4 a, uint4 b, uint4 c, uint4 d) {
#ifdef NARROW
  uint least = 0xffffffffu;
  uint bits = 8u << SIZE_LOG2;
  uint top = 0xffffffffu << (32 - bits);
  for (uint shift = 0; shift < 32; shift += bits)
    least = min(least, least_on_top((a << shift) & top, (b << shift) & top, (c << shift) & top, (d << shift) & top));
#else
  uint least = least_on_top(a, b, c, d);
#endif
  return clamp_key(least);
}

uint element_key(uint4 v, uint element) {
  uint at = element << SIZE_LOG2;
  uint word = component(v, (at >> 2) & 3) >> ((at & 3) * 8);
  return clamp_key(key_of(word << (32 - (8u << SIZE_LOG2))));
}

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint number = group.y * groups_x + group.x;
  uint o = number / splits;
  uint split = number - o * splits;
  o = min(o, outputs - 1);  // a surplus group repeats the work of another
  uint first = input_first;
  uint to = output_first;
  uint rest = o;
  for (uint k = 0; k < kept_count; ++k) {
    uint outer = rest / kept[k].x;
    uint c = rest - outer * kept[k].x;
    first += c * kept[k].y;
    to += c * kept[k].z;
    rest = outer;
  }
  uint last = first + candidates;

  // Whole vectors [begin, end); the elements before and after them are read one per thread.
  uint in_vector = 16u >> SIZE_LOG2;
  uint begin = (first + in_vector - 1) >> (4 - SIZE_LOG2);
  uint end = last >> (4 - SIZE_LOG2);
  uint edge_key = 0xffffffffu;
  uint edge_index = 0xffffffffu;
  if (split == 0 && thread < 32) {
    uint e = first + thread;
    uint stop = min(last, begin << (4 - SIZE_LOG2));
    if (thread >= 16) {
      e = (max(begin, end) << (4 - SIZE_LOG2)) + thread - 16;
      stop = last;
    }
    if (e < stop) {
      edge_key = element_key(input[e >> (4 - SIZE_LOG2)] ^ mirror, e);
      edge_index = (e - first + index_first) ^ flip;
    }
  }

  // A short batch reads the run's last vector again instead of vectors past the end. That vector's own thread finds it.
  uint best = 0xffffffffu;
  uint best_at = begin + split * 1024 + thread;
  for (uint i = best_at; i < end; i += splits * 1024) {
    uint4 v = input[i] ^ mirror;
    uint4 w = input[min(i + 256, end - 1)] ^ mirror;
    uint4 x = input[min(i + 512, end - 1)] ^ mirror;
    uint4 y = input[min(i + 768, end - 1)] ^ mirror;
    uint m = least_of(v, w, x, y);
    if (m < best || (m == best && flip != 0)) {
      best = m;
      best_at = i;
    }
  }

  uint ignored;
  if (thread == 0) {
    shared_least = 0xffffffffu;
    shared_index = 0xffffffffu;
  }
  GroupMemoryBarrierWithGroupSync();
  InterlockedMin(shared_least, min(best, edge_key), ignored);
  GroupMemoryBarrierWithGroupSync();
  uint least = shared_least;
  if (edge_key == least) InterlockedMin(shared_index, edge_index, ignored);
  if (best == least) {
    uint index = 0xffffffffu;
    for (uint q = best_at; q < end && q < best_at + 1024; q += 256) {
      uint4 v = input[q] ^ mirror;
      for (uint e = 0; e < in_vector; ++e) {
        uint at = ((q << (4 - SIZE_LOG2)) + e - first + index_first) ^ flip;
        if (element_key(v, e) == least) index = min(index, at);
      }
    }
    InterlockedMin(shared_index, index, ignored);
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) {
    uint index = shared_index;
    if (entries != 0) {
      uint entry = (first_split + split) * outputs + o;
      output.Store(entry * 4, least);
      output.Store((entries + entry) * 4, index);
    } else if (output_words == 2) {
      output.Store2(to * 8, uint2(index ^ flip, 0));
    } else {
      output.Store(to * 4, index ^ flip);
    }
  }
}
