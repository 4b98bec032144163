// Compiles the source that `goldml run --explain` prints for models with DirectML.h. Each structure has exactly the values
// of its model, and breaks the same rule first.
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <goldml/directml/from_directml.hpp>
#include <goldml/io/dxdispatch.hpp>

#include "../../support/descs.hpp"

namespace {

int passed = 0;
int failed = 0;

void report(bool holds, const std::string& what) {
  ++(holds ? passed : failed);
  if (!holds) std::printf("FAILED: %s\n", what.c_str());
}

// TotalTensorSizeInBytes is never omitted in DirectML; from_directml reads no strides of more than 8 dimensions.
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

// The tensors of a pasted structure in its order, including each tensor of an array.
template <class Desc>
std::vector<const DML_TENSOR_DESC*> tensors_of(const typename goldml::directml::structure<Desc>::type& pasted) {
  namespace directml = goldml::directml;
  constexpr auto& infos = goldml::operator_traits<Desc>::operands;
  std::vector<const DML_TENSOR_DESC*> result;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const directml::c_member& member = directml::detail::layout_of<Desc>.operands[i];
    const auto* first = directml::detail::load_pointer<DML_TENSOR_DESC>(member.in(&pasted));
    const std::size_t count = infos[i].is_array() ? directml::detail::load_uint32(member.companion_in(&pasted)) : 1;
    for (std::size_t j = 0; j < count; ++j) result.push_back(infos[i].is_array() ? first + j : first);
  }
  return result;
}

class explained_model {
 public:
  explicit explained_model(const char* path) : path_(path), model_(goldml::io::read_model(path, {})) {}

  // The next dispatch, in the order in which they are explained.
  void compare(const DML_OPERATOR_DESC& pasted) {
    std::size_t number = 0;
    goldml::io::detail::for_each_dispatch(
        model_, [&](const goldml::io::model_dispatchable& dispatchable, const std::vector<goldml::operand>& operands) {
          if (number++ != next_) return;
          goldml::visit_operator(dispatchable.desc.description().name, [&]<class Desc>(std::type_identity<Desc>) {
            goldml::operands_of<Desc> typed;
            if constexpr (goldml::has_operand_array<Desc>) typed.resize(operands.size());
            std::copy(operands.begin(), operands.end(), typed.begin());
            compare<Desc>(dispatchable.name, dispatchable.desc.as<Desc>(), typed, pasted);
          });
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
    for (const goldml::attribute& a : goldml::operator_traits<Desc>::attributes)
      report(goldml_test::same_value(a, &desc, &converted), where + std::string(a.name));
    const auto pasted_tensors = tensors_of<Desc>(structure);
    report(pasted_tensors.size() == operands.size(), where + "as many tensors");
    for (std::size_t i = 0; i < operands.size() && i < pasted_tensors.size(); ++i) {
      auto wanted = operands[i].desc;
      if (wanted) wanted = as_printed(*wanted);
      const auto [info, element] = goldml::place_of_tensor(goldml::operator_traits<Desc>::operands, i, operands.size());
      report(wanted == tensor_of(pasted_tensors[i]),
             where + std::string(goldml::operator_traits<Desc>::operands[info].name) + " " + std::to_string(element));
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
// Refused models contain numbers that are not enumerators.
#pragma GCC diagnostic ignored "-Wconversion"
#endif
#include "explained_models.inc"
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
