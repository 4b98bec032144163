// A range of diagonals of packed tensors, for any data type, 16 bytes at a time. The elements of most groups are all
// filled or all not filled, which is decided once for all threads of the group. Rows of whole vectors begin with a
// group (by_row); other rows may begin inside a vector.
cbuffer constants : register(b0) {
  uint vectors;         // whole ones in the tensor
  uint width;           // of a row, in elements
  uint height;
  uint by_row;          // 1: group.x is the part of a row, group.y the row, group.z the matrix
  uint size_log2;       // of an element, in bytes
  uint value_low;       // the value, twice, four or eight times over when it is narrow
  uint value_high;
  uint begin;           // |begin|: diagonal.hlsli
  uint begin_negative;  // 1: begin < 0
  uint end;             // |end|
  uint end_negative;
  uint outside;         // 1: end < begin, the diagonals outside [end, begin) are filled
  uint has_input;       // 0: zeros where nothing is filled
  uint groups_x;        // of the dispatch
};

Buffer<uint4> input : register(t0);
RWBuffer<uint4> output : register(u0);

#include "diagonal.hlsli"

// Whether elements x to last of row y are all filled or all not filled.
bool is_alike(uint x, uint last, uint y) {
  return is_before_begin(x, y) == is_before_begin(last, y) && is_before_end(x, y) == is_before_end(last, y);
}

// The bits of word `w` of a vector that are filled; its first element is at x, y.
uint filled_bits(uint w, uint x, uint y) {
  uint own = 0xffffffffu;
  if (size_log2 < 2) own >>= 32 - (8u << size_log2);
  uint result = 0;
  for (uint at = 0; at < 4; at += 1u << size_log2) {  // bytes
    uint ex = x + ((w * 4 + at) >> size_log2);
    uint rows = ex / width;
    uint ey = (y + rows) % height;
    if (is_filled(ex - rows * width, ey) == 1) result |= own << (at * 8);
  }
  return result;
}

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint4 value = uint4(value_low, value_high, value_low, value_high);
  uint4 zero = uint4(0, 0, 0, 0);
  uint in_vector = 16u >> size_log2;
  // The group's first vector and its place, and the last element in its row.
  uint i = (group.y * groups_x + group.x) * 256;
  uint x = group.x * 256 * in_vector;
  uint y = group.y;
  uint stop = vectors;
  uint last = x + 256 * in_vector - 1;
  if (by_row == 1) {
    uint row = (group.z * height + y) * (width / in_vector);
    i = row + group.x * 256;
    stop = row + width / in_vector;
    last = min(last, width - 1);
  } else {
    uint e = i * in_vector;
    y = e / width;
    x = e - y * width;
    y = y % height;
    last = x + 256 * in_vector - 1;
  }
  i += thread;
  if (i < stop) {
    if (last < width && is_alike(x, last, y)) {
      if (is_filled(x, y) == 1) {
        output[i] = value;
      } else if (has_input == 1) {
        output[i] = input[i];
      } else {
        output[i] = zero;
      }
    } else {
      x += thread * in_vector;
      uint rows = x / width;
      x -= rows * width;
      y = (y + rows) % height;
      last = x + in_vector - 1;
      uint4 bits = zero;
      if (last < width && is_alike(x, last, y)) {
        if (is_filled(x, y) == 1) bits = ~bits;
      } else {
        bits = uint4(filled_bits(0, x, y), filled_bits(1, x, y), filled_bits(2, x, y), filled_bits(3, x, y));
      }
      uint4 rest = zero;
      if (has_input == 1) rest = input[i];
      output[i] = (rest & ~bits) | (value & bits);
    }
  }
}
