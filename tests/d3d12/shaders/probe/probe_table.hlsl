// out[i] = in[i] * factor + added, through typed views in a descriptor table; the sum of the first of each vector too.
cbuffer constants : register(b0) {
  uint count;
  uint factor;
};
cbuffer layout : register(b1) {
  uint4 unused[200];
  uint4 added;
};
Buffer<uint4> input : register(t0);
StructuredBuffer<uint> single : register(t2);
RWBuffer<uint4> output : register(u0);
RWBuffer<uint2> halves : register(u1);
RWStructuredBuffer<uint> sum : register(u3);

[numthreads(64, 1, 1)] void main(uint3 at : SV_DispatchThreadID) {
  uint a = at.x;
  if (a >= count) return;
  uint4 v = input[a] * factor + added;
  output[a] = v;
  halves[a] = uint2(v.x, v.w);
  uint before;
  InterlockedAdd(sum[0], single[a], before);
}
