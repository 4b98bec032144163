// Packed coordinates of four columns, 16 bytes per store. The window is of rows.
RWBuffer<uint4> coordinates : register(u0);
RWByteAddressBuffer count : register(u1);
#include "nonzero_coordinates.hlsli"

void store_row(uint row, uint rest, uint last) {
  row -= window_begin;
  if (row < window_count) {
    uint slower = rest / dimension[1].x;
    uint slowest = slower / dimension[2].x;
    coordinates[row] = uint4(slowest, slower - slowest * dimension[2].x, rest - slower * dimension[1].x, last);
  }
}
