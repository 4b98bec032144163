// Metamorphic tests of strides on `reference`. For `cpu`: on_cpu.cpp.in.
#include "strides.hpp"

#include <goldml/reference/reference.hpp>

TEMPLATE_LIST_TEST_CASE("registry: strides do not change the result", "[registry]", goldml::all_operators) {
  goldml_test::check_strides<TestType>(goldml::reference, goldml::reference, 500);
}
