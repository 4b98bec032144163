// The calls of from_backends.hpp.
#include "from_backends.hpp"

#include <goldml/cpu/cpu.hpp>
#include <goldml/reference/reference.hpp>

namespace directml_tests {

using namespace goldml;

void on_reference(const DML_OPERATOR_DESC& desc, const std::vector<directml::input_buffer>& inputs,
                  const std::vector<directml::output_buffer>& outputs, const directml::policies& given) {
  directml::evaluate(reference, desc, inputs, outputs, given);
}

void on_cpu(const DML_OPERATOR_DESC& desc, const std::vector<directml::input_buffer>& inputs,
            const std::vector<directml::output_buffer>& outputs, const directml::policies& given) {
  directml::evaluate(cpu, desc, inputs, outputs, given);
}

}  // namespace directml_tests
