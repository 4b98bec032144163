// Stores each word through typed views: as a FLOAT32 into FLOAT16, and as a UINT32 into UINT8.
cbuffer constants : register(b0) {
  uint count;
};
ByteAddressBuffer input : register(t0);
RWBuffer<float> halves : register(u0);
RWBuffer<uint> bytes : register(u1);

[numthreads(64, 1, 1)] void main(uint3 at : SV_DispatchThreadID) {
  if (at.x >= count) return;
  uint bits = input.Load(at.x * 12);
  halves[at.x] = asfloat(bits);
  bytes[at.x] = bits;
}
