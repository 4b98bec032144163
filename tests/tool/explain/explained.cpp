// The source that `goldml run --explain` prints of models, compiled against DirectML.h: each structure says, to the
// bit, what its model says, and breaks the same rule first.
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <tuple>

#include <goldml/directml/from_directml.hpp>
#include <goldml/io/dxdispatch.hpp>

namespace {

int passed = 0;
int failed = 0;

void report(bool holds, const std::string& what) {
  ++(holds ? passed : failed);
  if (!holds) std::printf("FAILED: %s\n", what.c_str());
}

// TotalTensorSizeInBytes is never left out in DirectML; of more than 8 dimensions from_directml reads no stride.
goldml::tensor_desc as_printed(goldml::tensor_desc desc) {
  desc.total_tensor_size_in_bytes = total_tensor_size_in_bytes(desc);
  if (desc.sizes.overlong()) desc.strides = {};
  return desc;
}

// A tensor of the pasted source, whatever its Type.
std::optional<goldml::tensor_desc> tensor_of(const DML_TENSOR_DESC* pasted) {
  if (pasted == nullptr) return std::nullopt;
  auto desc = goldml::directml::from_directml(*static_cast<const DML_BUFFER_TENSOR_DESC*>(pasted->Desc));
  desc.type = goldml::directml::from_directml(pasted).desc->type;
  return desc;
}

class explained_model {
 public:
  explicit explained_model(const char* path) : path_(path), model_(goldml::io::read_model(path, {})) {}

  // The next dispatch, in the order in which they are explained.
  void compare(const DML_OPERATOR_DESC& pasted) {
    std::size_t number = 0;
    goldml::io::detail::for_each_dispatch(
        model_, [&]<class Desc>(const goldml::io::model_dispatchable& dispatchable, const Desc& desc,
                                const goldml::operands_of<Desc>& operands) {
          if (number++ == next_) compare<Desc>(dispatchable.name, desc, operands, pasted);
        });
    ++next_;
  }

  void expect_no_more() {
    std::size_t count = 0;
    goldml::io::detail::for_each_dispatch(model_, [&](const auto&...) { ++count; });
    report(next_ == count, path_ + ": as many descs as dispatches");
  }

 private:
  template <class Desc>
  void compare(const std::string& name, const Desc& desc, goldml::operands_of<Desc> operands,
               const DML_OPERATOR_DESC& pasted) {
    namespace directml = goldml::directml;
    const std::string where = path_ + ", '" + name + "': ";
    report(pasted.Type == directml::structure<Desc>::enumerator, where + "Type");
    const auto& structure = *static_cast<const typename directml::structure<Desc>::type*>(pasted.Desc);
    const Desc converted = directml::from_directml<Desc>(structure);
    std::apply(
        [&](const auto&... a) { (report(desc.*a.member == converted.*a.member, where + std::string(a.name)), ...); },
        goldml::operator_traits<Desc>::attributes);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      auto wanted = operands[i].desc;
      if (wanted) wanted = as_printed(*wanted);
      report(wanted == tensor_of(structure.*directml::structure<Desc>::operands[i]),
             where + std::string(goldml::operator_traits<Desc>::operands[i].name));
      operands[i].memory.reset();
    }
    goldml::violation_sink sink;
    check(desc, operands, sink);
    const auto broken = directml::validate(pasted);
    report((sink.first() ? to_string(*sink.first()) : "") == (broken ? to_string(*broken) : ""), where + "violation");
  }

  std::string path_;
  goldml::io::model model_;
  std::size_t next_ = 0;
};

}  // namespace

int main() {
#ifdef __GNUC__
// Refused models give enumerations numbers that they do not have.
#pragma GCC diagnostic ignored "-Wconversion"
#endif
#include "explained_models.inc"
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
