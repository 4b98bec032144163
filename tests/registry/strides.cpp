// Metamorphic tests of strides on `reference`. For `cpu`: on_cpu.cpp.
#include "strides.hpp"

#include "../support/every_operator.hpp"

TEST_CASE("registry: strides do not change the result", "[registry]") {
  goldml_test::for_every_operator([](const goldml::oracle::any_operator& op) {
    goldml_test::check_strides(op, op.golden->evaluate, op.golden->evaluate, 500);
  });
}
