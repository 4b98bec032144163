// Models played on `reference`, compiled once for all tests of models.
#include "models.hpp"

template void goldml::io::play(const goldml::reference_backend&, goldml::io::model&, std::ostream&, std::uint64_t,
                               const goldml::io::watch_options&);
