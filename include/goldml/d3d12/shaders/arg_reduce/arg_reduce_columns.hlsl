// The index of the least or greatest element of columns: rows are a whole number of 16-byte vectors apart, output
// elements are contiguous, elements have 8 to 32 bits. A thread reduces four columns over part of the rows and writes
// partial results for arg_reduce_combine.hlsl. A vector of narrower elements has two or four threads; each of them
// takes the elements at one position in the vector's words.
cbuffer constants : register(b0) {
  uint outputs;
  uint threads;       // per row; each has four output elements
  uint rows;
  uint row_stride;    // in vectors
  uint splits;
  uint per_split;     // rows per split
  uint entries;       // partial results of all passes: arg_reduce_combine.hlsl
  uint first_split;   // the first split of this pass among all
  uint input_first;   // the offset of the first element in its view, in vectors
  uint index_first;   // the index of the first row
  uint blocks;        // of 256 threads in a row
  uint groups_x;      // of the dispatch
  uint outer_count;   // dimensions over the matrices
  uint size_log2;     // of an input element, in bytes; at most 2
  uint is_float;
  uint bias;
  uint least_key;
  uint greatest_key;
  uint flip;          // 0, or ~0 when the last of equal keys wins
  uint mirror;        // order.hlsli
};
cbuffer layout : register(b1) {
  uint4 outer[8];    // from the fastest to the slowest: size, input stride in vectors
};

Buffer<uint4> input : register(t0);
RWBuffer<uint4> entry_vectors : register(u0);  // two views of one buffer
RWBuffer<uint> entry_words : register(u1);

#include "order.hlsli"

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint number = group.y * groups_x + group.x;
  uint quotient = number / blocks;
  uint column = (number - quotient * blocks) * 256 + thread;
  uint m = quotient / splits;
  uint split = quotient - m * splits;
  uint parts_log2 = 2 - size_log2;
  uint part = column & ((1u << parts_log2) - 1);
  uint output = ((m * threads + column - part) << 2) + part;  // and at 1 << parts_log2 from it three more
  if (column < threads && output < outputs) {
    uint at = input_first + (column >> parts_log2);
    for (uint k = 0; k < outer_count; ++k) {
      uint slower = m / outer[k].x;
      at += (m - slower * outer[k].x) * outer[k].y;
      m = slower;
    }
    // When the last of equal keys wins, the rows are read from the last to the first: the first one read always wins.
    uint begin = split * per_split;
    uint count = min(per_split, rows - begin);
    uint first = flip == 0 ? begin : begin + count - 1;
    uint step = flip == 0 ? row_stride : 0 - row_stride;
    at += first * row_stride;

    uint bits = 8u << size_log2;
    uint shift = 32 - bits - part * bits;
    uint top = 0xffffffffu << (32 - bits);
    uint4 best = uint4(0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu);
    uint4 met = uint4(0, 0, 0, 0);
    for (uint n = 0; n < count; n += 4) {
      // Instead of rows past the last one, the first of the four is read again, which changes nothing.
      uint4 v = input[at] ^ mirror;
      uint4 w = input[n + 1 < count ? at + step : at] ^ mirror;
      uint4 x = input[n + 2 < count ? at + step * 2 : at] ^ mirror;
      uint4 y = input[n + 3 < count ? at + step * 3 : at] ^ mirror;
      at += step * 4;
      [branch] if (size_log2 != 2) {
        v = (v << shift) & top;
        w = (w << shift) & top;
        x = (x << shift) & top;
        y = (y << shift) & top;
      }
      v = keys_of(v);
      w = keys_of(w);
      x = keys_of(x);
      y = keys_of(y);
      [branch] if (least_key != 0) {
        v = max(v, least_key);
        w = max(w, least_key);
        x = max(x, least_key);
        y = max(y, least_key);
      }
      if (v.x < best.x) { best.x = v.x; met.x = n; }
      if (v.y < best.y) { best.y = v.y; met.y = n; }
      if (v.z < best.z) { best.z = v.z; met.z = n; }
      if (v.w < best.w) { best.w = v.w; met.w = n; }
      if (w.x < best.x) { best.x = w.x; met.x = n + 1; }
      if (w.y < best.y) { best.y = w.y; met.y = n + 1; }
      if (w.z < best.z) { best.z = w.z; met.z = n + 1; }
      if (w.w < best.w) { best.w = w.w; met.w = n + 1; }
      if (x.x < best.x) { best.x = x.x; met.x = n + 2; }
      if (x.y < best.y) { best.y = x.y; met.y = n + 2; }
      if (x.z < best.z) { best.z = x.z; met.z = n + 2; }
      if (x.w < best.w) { best.w = x.w; met.w = n + 2; }
      if (y.x < best.x) { best.x = y.x; met.x = n + 3; }
      if (y.y < best.y) { best.y = y.y; met.y = n + 3; }
      if (y.z < best.z) { best.z = y.z; met.z = n + 3; }
      if (y.w < best.w) { best.w = y.w; met.w = n + 3; }
    }
    // Keys above the greatest are equal: if the minimum is one of them, all are, and the first one read wins.
    if (best.x >= greatest_key) met.x = 0;
    if (best.y >= greatest_key) met.y = 0;
    if (best.z >= greatest_key) met.z = 0;
    if (best.w >= greatest_key) met.w = 0;
    best = min(best, greatest_key);
    uint4 index = (index_first + (flip == 0 ? first + met : first - met)) ^ flip;
    uint to = (first_split + split) * outputs + output;
    if (size_log2 == 2) {
      entry_vectors[to >> 2] = best;
      entry_vectors[(entries + to) >> 2] = index;
    } else {
      uint next = 1u << parts_log2;
      entry_words[to] = best.x;
      entry_words[to + next] = best.y;
      entry_words[to + next * 2] = best.z;
      entry_words[to + next * 3] = best.w;
      to += entries;
      entry_words[to] = index.x;
      entry_words[to + next] = index.y;
      entry_words[to + next * 2] = index.z;
      entry_words[to + next * 3] = index.w;
    }
  }
}
