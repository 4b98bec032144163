// What goldml::compiled has of an operator. A line at the end of the operator's header declares these templates, so that
// other units do not instantiate them; cmake/goldml-compiled.cmake makes the definitions from the same lines. Macros,
// because no template declares an instantiation.
#pragma once

namespace goldml {

class cpu_backend;
struct reference_backend;

namespace oracle {

struct any_operator;
template <class Desc>
const any_operator& any_operator_of();

namespace detail {

struct golden_calls;
template <class Desc>
const golden_calls& golden_calls_of();

}  // namespace detail

}  // namespace oracle

}  // namespace goldml

#define GOLDML_TEMPLATES_OF_CALL(declaration, desc, backend)                                  \
  declaration template void goldml::evaluate<goldml::desc, goldml::backend>(                  \
      const goldml::backend&, const goldml::desc&, std::span<const goldml::const_tensor_ref>, \
      std::span<const goldml::tensor_ref>)

// Those of the rules, the description and the run-time calls.
#define GOLDML_TEMPLATES_OF_OPERATOR(declaration, desc)                                                          \
  declaration template void goldml::check<goldml::desc>(const goldml::desc&, goldml::operands_of<goldml::desc>&, \
                                                        goldml::violation_sink&);                                \
  declaration template const goldml::operator_description& goldml::description_of<goldml::desc>();               \
  GOLDML_TEMPLATES_OF_CALL(declaration, desc, reference_backend);                                                \
  GOLDML_TEMPLATES_OF_CALL(declaration, desc, cpu_backend)

// Those of the oracle.
#define GOLDML_TEMPLATES_OF_ORACLE(declaration, desc)                                                       \
  declaration template const goldml::oracle::any_operator& goldml::oracle::any_operator_of<goldml::desc>(); \
  declaration template const goldml::oracle::detail::golden_calls&                                          \
  goldml::oracle::detail::golden_calls_of<goldml::desc>()

#ifdef GOLDML_COMPILED
#define GOLDML_COMPILED_OPERATOR(desc)        \
  GOLDML_TEMPLATES_OF_OPERATOR(extern, desc); \
  GOLDML_TEMPLATES_OF_ORACLE(extern, desc)
#else
#define GOLDML_COMPILED_OPERATOR(desc) static_assert(true)
#endif
