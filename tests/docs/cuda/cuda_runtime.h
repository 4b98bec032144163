// A stand-in for CUDA: what docs/testing-your-kernel.md uses of it, on the host. check_programs.sh writes each launch
// KERNEL<<<BLOCKS, THREADS>>>(ARGUMENTS...) as launch(KERNEL, BLOCKS, THREADS, ARGUMENTS...), which is a loop.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>

#define __global__

struct cuda_index {
  unsigned x = 0, y = 0, z = 0;
};
inline cuda_index blockIdx, blockDim, threadIdx;

enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };

template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t size) {
  *memory = static_cast<T*>(std::malloc(size));
  return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind) {
  std::memcpy(to, from, size);
  return cudaSuccess;
}
inline cudaError_t cudaFree(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
inline cudaError_t cudaGetLastError() { return cudaSuccess; }

template <class... Parameter, class... Argument>
void launch(void (*kernel)(Parameter...), unsigned blocks, unsigned threads, const Argument&... arguments) {
  blockDim = {threads, 1, 1};
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel(arguments...);
}
