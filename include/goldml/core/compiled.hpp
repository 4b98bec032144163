// What goldml::compiled has of an operator. A line at the end of its headers declares these templates, so that other
// units do not instantiate them; cmake/goldml-compiled.cmake makes the definitions from the same lines. Macros, because
// no template declares an instantiation.
#pragma once

// By the operator's header.
#define GOLDML_TEMPLATES_OF_OPERATOR(declaration, desc)                                                          \
  declaration template void goldml::check<goldml::desc>(const goldml::desc&, goldml::operands_of<goldml::desc>&, \
                                                        goldml::violation_sink&);                                \
  declaration template const goldml::operator_description& goldml::description_of<goldml::desc>()

// By the header of a kernel, whose backend is reference_backend or cpu_backend.
#define GOLDML_TEMPLATES_OF_KERNEL(declaration, desc, backend)                                \
  declaration template void goldml::evaluate<goldml::desc, goldml::backend>(                  \
      const goldml::backend&, const goldml::desc&, std::span<const goldml::const_tensor_ref>, \
      std::span<const goldml::tensor_ref>)

// By the header of its sampler.
#define GOLDML_TEMPLATES_OF_SAMPLER(declaration, desc)                                                      \
  declaration template const goldml::oracle::any_operator& goldml::oracle::any_operator_of<goldml::desc>(); \
  declaration template const goldml::oracle::detail::golden_calls&                                          \
  goldml::oracle::detail::golden_calls_of<goldml::desc>()

#ifdef GOLDML_COMPILED
#define GOLDML_COMPILED_OPERATOR(desc) GOLDML_TEMPLATES_OF_OPERATOR(extern, desc)
#define GOLDML_COMPILED_KERNEL(desc, backend) GOLDML_TEMPLATES_OF_KERNEL(extern, desc, backend)
#define GOLDML_COMPILED_SAMPLER(desc) GOLDML_TEMPLATES_OF_SAMPLER(extern, desc)
#else
#define GOLDML_COMPILED_OPERATOR(desc) static_assert(true)
#define GOLDML_COMPILED_KERNEL(desc, backend) static_assert(true)
#define GOLDML_COMPILED_SAMPLER(desc) static_assert(true)
#endif
