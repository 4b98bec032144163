// A stand-in for Direct3D: what the shader of docs/testing-your-kernel.md uses of HLSL. check_corpora.py writes the
// shader as C++ after it.
#pragma once

using uint = unsigned;

struct uint3 {
  uint x, y, z;
};

template <class T>
struct StructuredBuffer {
  const T* elements = nullptr;
  T operator[](uint i) const { return elements[i]; }
};

template <class T>
struct RWStructuredBuffer {
  T* elements = nullptr;
  T& operator[](uint i) const { return elements[i]; }
};
