// Writes zeros, 16 bytes at a time.
cbuffer constants : register(b0) {
  uint vectors;
  uint groups_x;  // of the dispatch
};
RWBuffer<uint4> output : register(u0);

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint i = (group.y * groups_x + group.x) * 1024 + thread;
  uint4 zero = uint4(0, 0, 0, 0);
  if (i < vectors) output[i] = zero;
  if (i + 256 < vectors) output[i + 256] = zero;
  if (i + 512 < vectors) output[i + 512] = zero;
  if (i + 768 < vectors) output[i + 768] = zero;
}
