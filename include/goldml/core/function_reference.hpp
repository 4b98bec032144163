// A reference to a function object, as one type for all that can be called alike: what takes it is no template.
#pragma once

namespace goldml {

template <class Signature>
class function_reference;

// Refers to what outlives it: made of a temporary only as an argument.
template <class Result, class... Arguments>
class function_reference<Result(Arguments...)> {
 public:
  template <class F>
  requires requires(const F& f, Arguments... arguments) { f(static_cast<Arguments&&>(arguments)...); }
  function_reference(const F& function)  // NOLINT(google-explicit-constructor): a lambda is passed as it is
      : function_(&function), call_([](const void* f, Arguments... arguments) -> Result {
          return (*static_cast<const F*>(f))(static_cast<Arguments&&>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(function_, static_cast<Arguments&&>(arguments)...); }

 private:
  const void* function_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace goldml
