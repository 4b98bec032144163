// Before the first test: prints the adapter that the tests run on or, if there is none, says so and ends the program
// with status 77, which CTest reports as skipped. With GOLDML_REQUIRE_GPU=1 this is a failure.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "catch.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "gpu.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define GOLDML_TESTS_FIND_LEAKS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GOLDML_TESTS_FIND_LEAKS
#endif
#endif

#ifdef GOLDML_TESTS_FIND_LEAKS
// Keeps the driver loaded, so that lsan.supp can recognise its leaks by name.
goldml::d3d12::adapter_list* loaded_drivers = nullptr;
#endif

namespace {

#if __has_include(<catch2/catch_all.hpp>)
using listener_base = Catch::EventListenerBase;
#else
using listener_base = Catch::TestEventListenerBase;
#endif

[[noreturn]] void end(const char* word, const std::string& why, int status) {
  std::printf("%s: no test of d3d12 has run: %s\n", word, why.c_str());
  std::fflush(stdout);
  std::_Exit(status);
}

class driver_check : public listener_base {
 public:
  using listener_base::listener_base;

  void testRunStarting(const Catch::TestRunInfo&) override {
#ifdef GOLDML_TESTS_FIND_LEAKS
    try {
      loaded_drivers = new goldml::d3d12::adapter_list;
    } catch (const goldml::d3d12::device_error&) {  // missing_driver() says why
    }
#endif
    if (const std::string why = gpus::missing_driver(); !why.empty()) {
      if (gpus::variable("GOLDML_REQUIRE_GPU") == "1") end("FAILED", why, 1);
      end("SKIPPED", why, 77);
    }
    try {
      std::printf("d3d12: the tests run on %s\n", gpus::open().adapter().name.c_str());
      std::fflush(stdout);
    } catch (const goldml::d3d12::device_error& problem) {
      end("FAILED", problem.what(), 1);
    }
  }
};

CATCH_REGISTER_LISTENER(driver_check)

}  // namespace
