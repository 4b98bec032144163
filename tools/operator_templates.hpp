// The templates of the program that take long to compile for each operator. Every unit that includes this header
// declares them `extern template`; the units that CMake writes from operator_unit.cpp.in define them.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <vector>

#include <goldml/cpu/cpu.hpp>
#include <goldml/oracle/verdict.hpp>
#include <goldml/reference/reference.hpp>

#include "case_model.hpp"
#include "corpus.hpp"
#include "explain.hpp"

// A macro, as C++ has no other way to write an explicit instantiation for each type of a list.
#define GOLDML_TOOL_judging(PREFIX, DESC)                                                            \
  PREFIX template goldml::oracle::golden goldml::oracle::expect<DESC>(                               \
      const DESC&, std::span<const goldml::const_tensor_ref>, std::span<const goldml::tensor_desc>); \
  PREFIX template void goldml::tool::generate_corpus<DESC>(const goldml::tool::corpus_options&,      \
                                                           const goldml::tool::progress_function&);  \
  PREFIX template goldml::io::model goldml::tool::model_of_case<DESC>(                               \
      const goldml::oracle::test_case<DESC>&, std::uint64_t, bool);                                  \
  PREFIX template void goldml::tool::detail::explain_desc<DESC>(                                     \
      std::ostream&, const DESC&, const std::vector<goldml::violation>&, goldml::operands_of<DESC>);
#define GOLDML_TOOL_computing(PREFIX, DESC)                                                  \
  PREFIX template void goldml::evaluate<DESC>(const goldml::reference_backend&, const DESC&, \
                                              std::span<const goldml::const_tensor_ref>,     \
                                              std::span<const goldml::tensor_ref>);          \
  PREFIX template void goldml::evaluate<DESC>(const goldml::cpu_backend&, const DESC&,       \
                                              std::span<const goldml::const_tensor_ref>,     \
                                              std::span<const goldml::tensor_ref>);

#include "operator_declarations.hpp"
