// Memory next to unmapped pages: the system or a sanitizer detects accesses past either end.
#pragma once

#include <cstddef>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "../catch.hpp"

namespace goldml_test {

// `size` bytes directly before or after an unmapped page. Without mmap, a heap block of exactly that size.
class guarded_memory {
 public:
  guarded_memory(std::size_t size, bool at_end) : size_(size) {
#if defined(__linux__)
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t pages = (size + page - 1) / page * page;
    mapped_ = pages + 2 * page;
    mapping_ = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(mapping_ != MAP_FAILED);
    auto* const first = static_cast<std::byte*>(mapping_) + page;
    REQUIRE(mprotect(first, pages, PROT_READ | PROT_WRITE) == 0);
    data_ = at_end ? first + pages - size : first;
#else
    (void)at_end;
    block_.resize(size);
    data_ = block_.data();
#endif
  }
  guarded_memory(const guarded_memory&) = delete;
  guarded_memory& operator=(const guarded_memory&) = delete;
  ~guarded_memory() {
#if defined(__linux__)
    munmap(mapping_, mapped_);
#endif
  }

  std::byte* bytes() const { return data_; }
  void* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::byte* data_ = nullptr;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::vector<std::byte> block_;
};

}  // namespace goldml_test
