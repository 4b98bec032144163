// directml::evaluate() with the two CPU backends, compiled once for all tests.
#pragma once

#include <vector>

#include <goldml/directml/from_directml.hpp>

namespace directml_tests {

void on_reference(const DML_OPERATOR_DESC& desc, const std::vector<goldml::directml::input_buffer>& inputs,
                  const std::vector<goldml::directml::output_buffer>& outputs,
                  const goldml::directml::policies& given = {});

void on_cpu(const DML_OPERATOR_DESC& desc, const std::vector<goldml::directml::input_buffer>& inputs,
            const std::vector<goldml::directml::output_buffer>& outputs, const goldml::directml::policies& given = {});

}  // namespace directml_tests
