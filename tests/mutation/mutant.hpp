// What the headers with faults in them call: every fault is in the program, at most one is in force, by its number in
// the environment variable GOLDML_MUTANT. Constant evaluation never sees a fault. mutants.py writes the calls; `n` is a
// fault's number everywhere.
#pragma once

#include <cstdlib>
#include <type_traits>
#include <utility>

#define GOLDML_MUTANT_INLINE __attribute__((always_inline)) constexpr  // also into functions for AVX

namespace mutant {

inline constexpr int most = 65536;
inline unsigned char reached[most];  // evaluated at run time since the test case began
inline const int chosen = [] {
  const char* const text = std::getenv("GOLDML_MUTANT");
  return text != nullptr ? std::atoi(text) : 0;
}();

GOLDML_MUTANT_INLINE bool on(int n) {
  if (std::is_constant_evaluated()) return false;
  reached[n] = 1;
  return chosen == n;
}

// a OP b, where it compiles.
template <char Op>
struct operation;
#define GOLDML_MUTANT_OPERATION(name, op)                                                                       \
  template <>                                                                                                   \
  struct operation<name> {                                                                                      \
    template <class A, class B>                                                                                 \
    GOLDML_MUTANT_INLINE static auto of(A&& a, B&& b) -> decltype(static_cast<A&&>(a) op static_cast<B&&>(b)) { \
      return static_cast<A&&>(a) op static_cast<B&&>(b);                                                        \
    }                                                                                                           \
  };
GOLDML_MUTANT_OPERATION('<', <)
GOLDML_MUTANT_OPERATION('l', <=)
GOLDML_MUTANT_OPERATION('>', >)
GOLDML_MUTANT_OPERATION('g', >=)
GOLDML_MUTANT_OPERATION('=', ==)
GOLDML_MUTANT_OPERATION('!', !=)
GOLDML_MUTANT_OPERATION('+', +)
GOLDML_MUTANT_OPERATION('-', -)
GOLDML_MUTANT_OPERATION('*', *)
GOLDML_MUTANT_OPERATION('/', /)
GOLDML_MUTANT_OPERATION('%', %)
GOLDML_MUTANT_OPERATION('L', <<)
GOLDML_MUTANT_OPERATION('R', >>)
GOLDML_MUTANT_OPERATION('&', &)
GOLDML_MUTANT_OPERATION('|', |)
GOLDML_MUTANT_OPERATION('^', ^)
#undef GOLDML_MUTANT_OPERATION

// `a OP b` becomes `a OP as<From, To>{n} OP b`, of the same precedence; for `<` and its like `a <as<From, To>{n}> b`.
template <char From, char To>
struct as {
  int n;
};
template <class A, char From, char To>
struct left {
  A&& a;
  int n;
};

// Where To does not compile, texts are joined in the other order, and else the right operand is left out.
template <char From, char To, class A, class B>
GOLDML_MUTANT_INLINE auto apply(const left<A, From, To>& l, B&& b)
    -> std::decay_t<decltype(operation<From>::of(static_cast<A&&>(l.a), static_cast<B&&>(b)))> {
  using result = std::decay_t<decltype(operation<From>::of(static_cast<A&&>(l.a), static_cast<B&&>(b)))>;
  if (on(l.n)) {
    if constexpr (requires { static_cast<result>(operation<To>::of(static_cast<A&&>(l.a), static_cast<B&&>(b))); })
      return static_cast<result>(operation<To>::of(static_cast<A&&>(l.a), static_cast<B&&>(b)));
    else if constexpr (requires {
                         static_cast<result>(operation<From>::of(static_cast<B&&>(b), static_cast<A&&>(l.a)));
                       })
      return static_cast<result>(operation<From>::of(static_cast<B&&>(b), static_cast<A&&>(l.a)));
    else
      return static_cast<result>(static_cast<A&&>(l.a));
  }
  return operation<From>::of(static_cast<A&&>(l.a), static_cast<B&&>(b));
}

#define GOLDML_MUTANT_PAIR(first, second)                                        \
  template <class A, char From, char To>                                         \
  GOLDML_MUTANT_INLINE left<A, From, To> operator first(A&& a, as<From, To> f) { \
    return {static_cast<A&&>(a), f.n};                                           \
  }                                                                              \
  template <class A, char From, char To, class B>                                \
  GOLDML_MUTANT_INLINE auto operator second(const left<A, From, To>& l, B&& b) { \
    return apply<From, To>(l, static_cast<B&&>(b));                              \
  }
GOLDML_MUTANT_PAIR(<, >)
GOLDML_MUTANT_PAIR(==, ==)
GOLDML_MUTANT_PAIR(+, +)
GOLDML_MUTANT_PAIR(*, *)
GOLDML_MUTANT_PAIR(<<, <<)
GOLDML_MUTANT_PAIR(&, &)
GOLDML_MUTANT_PAIR(|, |)
GOLDML_MUTANT_PAIR(^, ^)
#undef GOLDML_MUTANT_PAIR

// `!x` becomes `flip{n} ->* x`.
struct flip {
  int n;
};
template <class B>
GOLDML_MUTANT_INLINE bool operator->*(flip f, B&& b) {
  return on(f.n) ? static_cast<bool>(b) : !static_cast<bool>(b);
}

GOLDML_MUTANT_INLINE bool never(int n, bool condition) { return !on(n) && condition; }
GOLDML_MUTANT_INLINE bool inverse(int n, bool condition) { return on(n) ? !condition : condition; }

// A number and what is added to it.
template <class T>
GOLDML_MUTANT_INLINE T literal(int n, T value, int more) {
  return on(n) ? static_cast<T>(value + static_cast<T>(more)) : value;
}

// An index, one further.
template <class T>
GOLDML_MUTANT_INLINE auto next(int n, const T& index) {
  return on(n) ? static_cast<T>(index + 1) : index;
}

// The first, and with the fault the second. Of two types it does not compile.
template <class A, class B>
requires std::is_same_v<std::decay_t<A>, std::decay_t<B>> GOLDML_MUTANT_INLINE auto pick(int n, const A& a,
                                                                                         const B& b) {
  return on(n) ? b : a;
}

// std::min or std::max, and with the fault the other.
template <int N, bool Less>
struct extreme {
  template <class T>
  GOLDML_MUTANT_INLINE static T of(const T& a, const T& b) {
    return ((b < a) == (Less != on(N))) ? b : a;
  }
};

}  // namespace mutant
