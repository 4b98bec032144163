// Packed coordinates of two columns, 8 bytes per store. The window is of rows.
RWBuffer<uint2> coordinates : register(u0);
RWByteAddressBuffer count : register(u1);
#include "nonzero_coordinates.hlsli"

void store_row(uint row, uint rest, uint last) {
  row -= window_begin;
  if (row < window_count) coordinates[row] = uint2(rest, last);
}
