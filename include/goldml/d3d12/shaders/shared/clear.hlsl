// Writes zeros.
cbuffer constants : register(b0) {
  uint words;
  uint groups_x;  // of the dispatch
};
RWByteAddressBuffer output : register(u0);

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint at = ((group.y * groups_x + group.x) * 256 + thread) * 4;
  if (at + 3 < words) {
    output.Store4(at * 4, uint4(0, 0, 0, 0));
  } else {
    for (uint i = at; i < words; ++i) output.Store(i * 4, 0);
  }
}
