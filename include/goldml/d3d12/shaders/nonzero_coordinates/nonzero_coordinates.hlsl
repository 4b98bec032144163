// Coordinates of any number of columns and any strides.
RWByteAddressBuffer coordinates : register(u0);
RWByteAddressBuffer count : register(u1);
#include "nonzero_coordinates.hlsli"

void store(uint at, uint value) {
  at -= window_begin;
  if (at < window_count) coordinates.Store(at * 4, value);
}

void store_row(uint row, uint rest, uint last) {
  uint at = row * row_stride + (columns - 1) * column_stride;
  store(at, last);
  for (uint j = 1; j < columns; ++j) {
    uint slower = rest / dimension[j].x;
    at -= column_stride;
    store(at, rest - slower * dimension[j].x);
    rest = slower;
  }
}
