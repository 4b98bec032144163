// Strides as metamorphic tests on `reference`. On the other backends: on_cpu.cpp.in.
#include "strides.hpp"

#include <goldml/reference/reference.hpp>

TEMPLATE_LIST_TEST_CASE("registry: strides change no element of the answer", "[registry]", goldml::all_operators) {
  goldml_test::check_strides<TestType>(goldml::reference, goldml::reference, 500);
}
