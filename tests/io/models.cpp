// Models are read, and played on `reference`, by code compiled once for all tests of models.
#include "models.hpp"

template goldml::io::model goldml::io::detail::parse_source<goldml::io::model>(
    std::shared_ptr<const goldml::io::model_source>, const std::filesystem::path&, const goldml::io::model_options&);
template void goldml::io::play(const goldml::reference_backend&, goldml::io::model&, std::ostream&, std::uint64_t,
                               const goldml::io::watch_options&);
