// A test of every operator, in one section each.
#pragma once

#include <goldml/oracle/generate.hpp>

#include "../catch.hpp"

namespace goldml_test {

// test(const goldml::oracle::any_operator&) is compiled once, not once per operator.
template <class Test>
void for_every_operator(const Test& test) {
  for (const goldml::oracle::any_operator* op : goldml::oracle::every_operator()) DYNAMIC_SECTION(op->name()) {
      test(*op);
    }
}

}  // namespace goldml_test
