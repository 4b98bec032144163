// scatter_nd.hlsl for packed tensors of any data type whose slices are whole vectors of 16 bytes.
cbuffer constants : register(b0) {
  uint vectors;     // of the output
  uint slice_size;  // in vectors
  uint slice_log2;  // when slice_size is a power of two; else 32
  uint tuples;
  uint last_wins;
  uint in_place;
  uint groups_x;    // of the dispatch
};

Buffer<uint4> input : register(t0);
Buffer<uint4> updates : register(t1);
Buffer<uint> map : register(t2);
ByteAddressBuffer status : register(t3);
RWBuffer<uint4> output : register(u0);

// The vector of the updates that goes to output vector i, or ~0 when the input's does.
uint update_of(uint i) {
  uint p = i >> slice_log2;
  [branch] if (slice_log2 == 32) p = i / slice_size;
  uint mark = map[p];
  uint t = last_wins == 1 ? mark - 1 : tuples - mark;
  return mark == 0 ? 0xffffffffu : t * slice_size + (i - p * slice_size);
}

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint i = (group.y * groups_x + group.x) * 1024 + thread;
  uint2 refused = status.Load2(0);
  uint a = update_of(i);
  uint b = update_of(i + 256);
  uint c = update_of(i + 512);
  uint d = update_of(i + 768);
  if ((refused.x | refused.y) == 0) {
    uint4 v = uint4(0, 0, 0, 0);
    uint4 w = v;
    uint4 x = v;
    uint4 y = v;
    if (a != 0xffffffffu) v = updates[a];
    else if (in_place == 0) v = input[i];
    if (b != 0xffffffffu) w = updates[b];
    else if (in_place == 0) w = input[i + 256];
    if (c != 0xffffffffu) x = updates[c];
    else if (in_place == 0) x = input[i + 512];
    if (d != 0xffffffffu) y = updates[d];
    else if (in_place == 0) y = input[i + 768];
    if (i < vectors && (in_place == 0 || a != 0xffffffffu)) output[i] = v;
    if (i + 256 < vectors && (in_place == 0 || b != 0xffffffffu)) output[i + 256] = w;
    if (i + 512 < vectors && (in_place == 0 || c != 0xffffffffu)) output[i + 512] = x;
    if (i + 768 < vectors && (in_place == 0 || d != 0xffffffffu)) output[i + 768] = y;
  }
}
