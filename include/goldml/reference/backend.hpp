// The backend `reference`: the specification written down as loops over coordinates. Slow, obvious, any strides; it has
// no fast path and no special case, so that a reader can check it line by line.
#pragma once

namespace goldml {

struct reference_backend {};
inline constexpr reference_backend reference{};

}  // namespace goldml
