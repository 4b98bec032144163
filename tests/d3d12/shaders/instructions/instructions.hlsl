// One instruction of DXBC, or one formula that a compiler makes of them, of each triple of numbers: out[i] = f(a, b, c).
// Cases 0 to 10 and from 26 on are one instruction in the bytecode. The others are written out as compilers expand these
// functions; the polynomials are Abramowitz and Stegun's 4.4.45 and 4.4.47.
cbuffer constants : register(b0) {
  uint which;
  uint count;
};
ByteAddressBuffer input : register(t0);
RWStructuredBuffer<uint> output : register(u0);

static const float pi = 3.14159265f;

float e_to(float x) { return exp2(x * 1.44269504f); }
float ln(float x) { return log2(x) * 0.693147181f; }

float arc_cosine(float x) {
  float a = abs(x);
  float y = sqrt(1.0f - a) * (((-0.0187293f * a + 0.0742610f) * a - 0.2121144f) * a + 1.5707288f);
  return x < 0.0f ? pi - y : y;
}

float arc_tangent(float x) {
  float a = abs(x);
  float t = a > 1.0f ? 1.0f / a : a;
  float s = t * t;
  float y = ((((0.0208351f * s - 0.0851330f) * s + 0.1801410f) * s - 0.3302995f) * s + 0.9998660f) * t;
  if (a > 1.0f) y = 0.5f * pi - y;
  return x < 0.0f ? y * -1.0f : y;
}

float angle(float y, float x) {
  float r = arc_tangent(y / x);
  if (x < 0.0f) r += y < 0.0f ? pi * -1.0f : pi;
  if (x == 0.0f && y > 0.0f) r = pi * 0.5f;
  if (x == 0.0f && y < 0.0f) r = pi * -0.5f;
  return r;
}

[numthreads(64, 1, 1)] void main(uint3 at : SV_DispatchThreadID) {
  uint i = at.x;
  if (i >= count) return;
  uint3 bits = input.Load3(i * 12);
  float a = asfloat(bits.x), b = asfloat(bits.y), c = asfloat(bits.z), y = 0;
  switch (which) {
    case 0: y = a + b; break;
    case 1: y = a * b; break;
    case 2: y = mad(a, b, c); break;
    case 3: y = a / b; break;
    case 4: y = rcp(a); break;
    case 5: y = sqrt(a); break;
    case 6: y = rsqrt(a); break;
    case 7: y = exp2(a); break;
    case 8: y = log2(a); break;
    case 9: y = sin(a); break;
    case 10: y = cos(a); break;
    case 11: y = e_to(a); break;
    case 12: y = ln(a); break;
    case 13: y = sin(a) / cos(a); break;
    case 14: y = 0.5f * pi - arc_cosine(a); break;
    case 15: y = arc_cosine(a); break;
    case 16: y = arc_tangent(a); break;
    case 17: y = angle(a, b); break;
    case 18: y = (e_to(a) - e_to(a * -1.0f)) * 0.5f; break;
    case 19: y = (e_to(a) + e_to(a * -1.0f)) * 0.5f; break;
    case 20: y = 1.0f - 2.0f / (e_to(a * 2.0f) + 1.0f); break;
    case 21: y = (e_to(a) - e_to(a * -1.0f)) / (e_to(a) + e_to(a * -1.0f)); break;
    case 22: y = exp2(b * log2(abs(a))); break;
    case 23: y = ln(a + sqrt(a * a + 1.0f)); break;
    case 24: y = ln(a + sqrt((a - 1.0f) * (a + 1.0f))); break;
    case 25: y = ln((1.0f + a) / (1.0f - a)) * 0.5f; break;
    case 26: y = min(a, b); break;
    case 27: y = max(a, b); break;
    case 28: y = asfloat((int)a); break;
    case 29: y = asfloat((uint)a); break;
    case 30: y = (float)asint(bits.x); break;
    case 31: y = (float)bits.x; break;
    case 32: y = asfloat(f32tof16(a)); break;
    case 33: y = f16tof32(i & 0xffff); break;
    default: break;
  }
  output[i] = asuint(y);
}
