// The fastest copy, which shows the bandwidth of a card's memory.
cbuffer constants : register(b0) {
  uint vectors;
  uint groups_x;  // of the dispatch
};
Buffer<uint4> input : register(t0);
RWBuffer<uint4> output : register(u0);

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint i = (group.y * groups_x + group.x) * 256 + thread;
  if (i < vectors) output[i] = input[i];
}
