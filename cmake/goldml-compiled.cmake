# goldml::compiled: the large templates of goldml, compiled once, for programs that should compile fast. The headers
# declare them in lines `GOLDML_COMPILED_OPERATOR(DESC);` (core/compiled.hpp) and `extern template DECLARATION;`, which are
# active if GOLDML_COMPILED is defined. The source files are generated from those lines. A static library, or a shared one
# if BUILD_SHARED_LIBS is on. Built if something links it, or for installation if the option GOLDML_INSTALL_COMPILED is on.
option(GOLDML_INSTALL_COMPILED "build goldml::compiled and install it too" OFF)

# Less than fifteen seconds for each unit.
set(engine_lines_per_unit 4)
set(operator_lines_per_unit 3)
set(oracle_lines_per_unit 9)
set(goldml_compiled_units "")
set(includes "")
set(instantiations "")
set(count 0)

# Writes a source file with the lines collected so far.
macro(goldml_write_unit)
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" include_lines)
  list(LENGTH goldml_compiled_units number)
  set(file ${PROJECT_BINARY_DIR}/compiled/unit_${number}.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY
       CONTENT "// Written by CMake.\n${include_lines}\n\nnamespace goldml {\n${instantiations}}  // namespace goldml\n")
  list(APPEND goldml_compiled_units ${file})
  set(includes "")
  set(instantiations "")
  set(count 0)
endmacro()

# Adds a line to the unit, with the include lines that it needs.
macro(goldml_add_line group include line)
  list(APPEND includes ${include})
  string(APPEND instantiations "${line};\n")
  math(EXPR count "${count} + 1")
  if(count EQUAL ${group}_lines_per_unit)
    goldml_write_unit()
  endif()
endmacro()

# Three groups, with units of their own. The engine's headers only declare their templates if GOLDML_COMPILED is defined;
# for the other groups it is, so that they do not instantiate what another unit has. The oracle need not be fast, but for
# the fit, which repeats sums many times and is compiled as the operators are.
set(engine_headers ${goldml_headers})
list(FILTER engine_headers INCLUDE REGEX "/goldml/cpu/engine/")
set(oracle_headers ${goldml_headers})
list(FILTER oracle_headers INCLUDE REGEX "/goldml/oracle/")
set(operator_headers ${goldml_headers})
list(REMOVE_ITEM operator_headers ${engine_headers} ${oracle_headers})
set(fit_header ${oracle_headers})
list(FILTER fit_header INCLUDE REGEX "/fit_of_call.hpp$")
list(REMOVE_ITEM oracle_headers ${fit_header})
list(APPEND operator_headers ${fit_header})
set(operator_calls "")  # the lines GOLDML_COMPILED_OPERATOR, which both groups have
set(operator_includes "#include <goldml/cpu/cpu.hpp>" "#include <goldml/reference/reference.hpp>")
set(oracle_includes "#include <goldml/oracle/generate.hpp>")
foreach(group engine operator oracle)
  set(units_before ${goldml_compiled_units})
  foreach(header ${${group}_headers})
    file(STRINGS ${header} lines REGEX "^extern template .*;$")
    list(TRANSFORM lines REPLACE "^extern (template .*)$" "\\1")  # which drops the semicolon
    list(FILTER lines INCLUDE REGEX "^template ")
    string(REGEX REPLACE "^.*include/(goldml/.*)$" "#include <\\1>" include ${header})
    foreach(line ${lines})
      goldml_add_line(${group} "${include}" "${line}")
    endforeach()
    file(STRINGS ${header} lines REGEX "^GOLDML_COMPILED_OPERATOR\\(.*\\);$")
    list(APPEND operator_calls ${lines})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  endforeach()
  if(NOT group STREQUAL "engine")
    string(TOUPPER ${group} templates)
    foreach(line ${operator_calls})
      string(REPLACE "GOLDML_COMPILED_OPERATOR(" "GOLDML_TEMPLATES_OF_${templates}(, " line "${line}")
      goldml_add_line(${group} "${${group}_includes}" "${line}")
    endforeach()
  endif()
  if(count GREATER 0)
    goldml_write_unit()
  endif()
  set(goldml_${group}_units ${goldml_compiled_units})
  list(REMOVE_ITEM goldml_${group}_units ${units_before} "")
endforeach()

# The groups differ in their flags, so each has its own precompiled header.
foreach(group engine operator oracle)
  add_library(goldml_${group}_units OBJECT EXCLUDE_FROM_ALL ${goldml_${group}_units})
  target_link_libraries(goldml_${group}_units PRIVATE goldml)
  set_target_properties(goldml_${group}_units PROPERTIES POSITION_INDEPENDENT_CODE ON)  # for shared objects too
endforeach()
target_compile_definitions(goldml_operator_units PRIVATE GOLDML_COMPILED)
target_compile_definitions(goldml_oracle_units PRIVATE GOLDML_COMPILED)
target_precompile_headers(goldml_engine_units PRIVATE <goldml/cpu/engine/element_wise.hpp> <goldml/cpu/engine/activations.hpp>)
target_precompile_headers(goldml_operator_units PRIVATE <goldml/cpu/cpu.hpp> <goldml/reference/reference.hpp>)
target_precompile_headers(goldml_oracle_units PRIVATE <goldml/oracle/generate.hpp>)

add_library(goldml_compiled $<TARGET_OBJECTS:goldml_engine_units> $<TARGET_OBJECTS:goldml_operator_units>
                            $<TARGET_OBJECTS:goldml_oracle_units>)
add_library(goldml::compiled ALIAS goldml_compiled)
set_target_properties(goldml_compiled PROPERTIES EXPORT_NAME compiled LINKER_LANGUAGE CXX WINDOWS_EXPORT_ALL_SYMBOLS ON)
target_link_libraries(goldml_compiled PUBLIC goldml)
target_compile_definitions(goldml_compiled INTERFACE GOLDML_COMPILED)
if(GOLDML_INSTALL AND GOLDML_INSTALL_COMPILED)
  install(TARGETS goldml_compiled EXPORT goldml_targets)
else()
  set_target_properties(goldml_compiled PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
