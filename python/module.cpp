// The part of the Python module that is C++: calls of any operator on NumPy arrays, golden answers, judgements,
// generated cases and models. The functions for users are in goldml/__init__.py.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/model_error.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/io/safe_path.hpp>
#include <goldml/oracle/case.hpp>
#include <goldml/oracle/chain.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/judge.hpp>
#include <goldml/oracle/selection.hpp>
#include <goldml/oracle/shrink.hpp>
#include <goldml/oracle/tolerance.hpp>
#include <goldml/oracle/verdict.hpp>
#include <goldml/version.hpp>

#include "arrays.hpp"
#include "backends.hpp"
#include "read_model.hpp"
#include "rows.hpp"

namespace py = pybind11;

namespace goldml::python {

namespace {

// A call of an operator: its desc, and a tensor for each operand in the order of the C structure.
struct call {
  any_desc desc;
  std::vector<std::optional<array_tensor>> tensors;  // none for an operand that is None
  std::size_t inputs;

  std::vector<const_tensor_ref> input_refs() const {
    std::vector<const_tensor_ref> refs;
    for (std::size_t i = 0; i < inputs; ++i) refs.push_back(tensors[i] ? tensors[i]->input() : const_tensor_ref());
    return refs;
  }
  std::vector<tensor_desc> output_descs() const {
    std::vector<tensor_desc> descs;
    for (std::size_t i = inputs; i < tensors.size(); ++i)
      descs.push_back(tensors[i] ? tensors[i]->desc : tensor_desc());
    return descs;
  }
};

const operator_description& find(std::string_view name) {
  const operator_description* const op = find_operator(name);
  if (op == nullptr) throw py::value_error(fmt::format("goldml has no operator {}", io::in_quotes(name)));
  return *op;
}

// `operands` has an array, None or a list of arrays for each operand; `attributes` is text as in the line of a case.
call make_call(const std::string& name, const py::sequence& operands, const std::string& attributes) {
  const operator_description& op = find(name);
  if (py::len(operands) > op.operands.size())
    throw py::type_error(fmt::format("{} takes {} arrays, got {}", op.name, op.operands.size(), py::len(operands)));
  oracle::test_case<any_desc> parsed =
      oracle::parse_case(op, attributes.empty() ? std::string(op.name) : std::string(op.name) + " " + attributes);
  call result{std::move(parsed.desc), {}, 0};
  const auto add = [&](const py::object& object, const operand_info& info) {
    const auto place = [&](const std::exception& e) { return fmt::format("{}: {}: {}", op.name, info.name, e.what()); };
    try {
      result.tensors.emplace_back(array_tensor(object));
    } catch (const py::type_error& e) {
      throw py::type_error(place(e));
    } catch (const py::value_error& e) {
      throw py::value_error(place(e));
    }
  };
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const bool given = i < py::len(operands) && !py::object(operands[i]).is_none();
    if (op.operands[i].is_array()) {
      if (given)
        for (const py::handle one : py::object(operands[i]))
          add(py::reinterpret_borrow<py::object>(one), op.operands[i]);
    } else if (given) {
      add(operands[i], op.operands[i]);
    } else {
      result.tensors.emplace_back(std::nullopt);
    }
  }
  result.inputs = op.input_count(result.tensors.size());
  return result;
}

std::vector<std::string> validate_call(const std::string& name, const py::sequence& operands,
                                       const std::string& attributes) {
  const call c = make_call(name, operands, attributes);
  std::vector<operand> checked;
  for (const auto& tensor : c.tensors) checked.push_back(tensor ? to_operand(tensor->input()) : operand());
  std::vector<violation> found;
  violation_sink sink(&found);
  check(c.desc, checked, sink);
  std::vector<std::string> lines;
  for (const violation& v : found) lines.push_back(to_string(v));
  return lines;
}

void evaluate_call(const std::string& name, const py::sequence& operands, const std::string& attributes,
                   const std::string& backend) {
  const call c = make_call(name, operands, attributes);
  std::vector<tensor_ref> outputs;
  for (std::size_t i = c.inputs; i < c.tensors.size(); ++i) {
    if (c.tensors[i] && !c.tensors[i]->array.writeable())
      throw py::value_error(fmt::format("{}: {}: the array cannot be written", name,
                                        c.desc.description().info_of(i, c.tensors.size()).name));
    outputs.push_back(c.tensors[i] ? c.tensors[i]->output() : tensor_ref());
  }
  const std::vector<const_tensor_ref> inputs = c.input_refs();
  const py::gil_scoped_release unlocked;
  tool::call_backend(backend, c.desc, inputs, outputs);
}

// A golden answer, with what the report needs. The inputs are kept, because the report shows them.
struct expected_answer {
  oracle::golden golden;
  std::shared_ptr<const call> made_by;                           // of expect()
  std::shared_ptr<const oracle::generated_case<any_desc>> test;  // of a generated case

  py::list values() const {
    py::list arrays;
    for (const oracle::golden_output& output : golden.answers.front()) arrays.append(to_array(output.values));
    return arrays;
  }
};

// An operand that is the golden answer of another call: its first output is the input with this number.
struct chained_operand {
  std::size_t tensor;
  const expected_answer* from;
};

// The operands with an array in place of each golden answer, which is added to `chained`.
py::list arrays_of(const operator_description& op, const py::sequence& operands,
                   std::vector<chained_operand>& chained) {
  std::size_t tensor = 0;
  const auto array_of = [&](const py::handle operand) -> py::object {
    const std::size_t number = tensor++;
    if (!py::isinstance<expected_answer>(operand)) return py::reinterpret_borrow<py::object>(operand);
    chained.push_back({number, &operand.cast<const expected_answer&>()});
    return to_array(chained.back().from->golden.answers.front().front().values);
  };
  py::list arrays;
  for (std::size_t i = 0; i < py::len(operands); ++i) {
    const py::object operand = operands[i];
    if (i >= op.operands.size() || !op.operands[i].is_array()) {
      arrays.append(array_of(operand));
    } else if (operand.is_none()) {
      arrays.append(operand);
    } else {
      py::list list;
      for (const py::handle one : operand) list.append(array_of(one));
      arrays.append(list);
    }
  }
  return arrays;
}

// New arrays of zeros for the outputs that the inputs of a call imply. A data type that they leave open is `dtype`.
py::list new_outputs(const std::string& name, const py::sequence& inputs, const std::string& attributes,
                     const py::object& dtype) {
  std::vector<chained_operand> chained;
  const call c = make_call(name, arrays_of(find(name), inputs, chained), attributes);
  std::vector<std::optional<tensor_desc>> descs;
  for (std::size_t i = 0; i < c.inputs; ++i)
    descs.push_back(c.tensors[i] ? std::optional(c.tensors[i]->desc) : std::nullopt);
  std::optional<data_type> open_type;
  if (!dtype.is_none()) open_type = type_of(py::dtype::from_args(dtype));
  py::list arrays;
  for (const tensor_desc& output : implied_outputs(c.desc, descs, open_type)) arrays.append(zeros(output));
  return arrays;
}

expected_answer expect_call(const std::string& name, const py::sequence& operands, const std::string& attributes,
                            std::optional<std::uint64_t> elements) {
  std::vector<chained_operand> chained;
  const py::list arrays = arrays_of(find(name), operands, chained);
  if (elements && !chained.empty())
    throw py::value_error(name + ": elements: wanted the device's own arrays, not the answer of a call");
  auto c = std::make_shared<call>(make_call(name, arrays, attributes));
  for (const chained_operand& operand : chained)
    if (operand.tensor >= c->inputs) throw py::type_error(name + ": an output is an array, not the answer of a call");
  const operator_description& op = c->desc.description();
  std::vector<const_tensor_ref> initial;  // what outputs contain that the call reads
  const auto is_given = [&](std::size_t k) { return c->tensors[k].has_value(); };
  for (std::size_t i = c->inputs; i < c->tensors.size(); ++i) {  // a golden answer has its own memory
    const bool reads = op.reads_output(i, c->tensors.size(), is_given);
    if (reads) initial.resize(c->tensors.size() - c->inputs);
    if (reads) initial[i - c->inputs] = c->tensors[i]->input();
    if (c->tensors[i]) c->tensors[i]->desc.strides = {};
  }
  if (elements && !initial.empty())
    throw py::value_error(name + ": elements: a call that reads its outputs before it writes them is judged whole");
  // An output that is None and must not be is reported as such.
  std::vector<std::optional<tensor_desc>> descs;
  for (const auto& tensor : c->tensors) descs.push_back(tensor ? std::optional(tensor->desc) : std::nullopt);
  std::vector<operand> checked = to_operands(descs);
  violation_sink sink;
  check(c->desc, checked, sink);
  if (sink.first()) throw error(*sink.first());
  const std::vector<tensor_desc> outputs = c->output_descs();
  const std::vector<const_tensor_ref> inputs = c->input_refs();
  oracle::golden golden = [&] {
    const py::gil_scoped_release unlocked;
    if (elements) return oracle::expect(c->desc, inputs, outputs, oracle::sample_options{*elements});
    std::vector<oracle::legal_values> held(inputs.begin(), inputs.end());
    for (const chained_operand& operand : chained) {
      held[operand.tensor] = oracle::legal_values_of(operand.from->golden);
      held[operand.tensor].golden = inputs[operand.tensor];
    }
    return oracle::expect_in_chain(c->desc, held, outputs, {}, (std::numeric_limits<std::size_t>::max)(), initial);
  }();
  // The report shows the inputs as they were, whatever the caller does with its arrays.
  for (std::size_t i = 0; i < c->inputs; ++i)
    if (c->tensors[i]) c->tensors[i] = array_tensor(c->tensors[i]->array.attr("copy")());
  for (std::size_t i = c->inputs; i < c->tensors.size(); ++i) c->tensors[i].reset();
  return {std::move(golden), std::move(c), nullptr};
}

// The value of an object of a class of this module. Throws TypeError for one that goldml has not made, such as by the
// __new__ of a base: pybind11 would give it memory without a value.
template <class T>
const T& value_of(const py::object& object) {
  if (!py::isinstance<T>(object) ||
      !reinterpret_cast<py::detail::instance*>(object.ptr())->get_value_and_holder().holder_constructed())
    throw py::type_error("goldml: wanted an object that goldml has made");
  return object.cast<const T&>();
}

struct judgement {
  std::string outcome;
  std::string report;
  std::uint64_t compared;
  std::uint64_t differing;
  std::uint64_t suspicious;
  std::uint64_t toward_zero;
  std::uint64_t overflowed;
  std::uint64_t hardly_tested;
  bool tolerated;
  oracle::fit_result fit;  // of the first output that has a statement
};

oracle::compare_options device_options(bool strict, bool refuses_reciprocals, bool close_functions, bool stable) {
  auto options = strict ? oracle::compare_options::strict() : oracle::compare_options{};
  if (refuses_reciprocals) options.reciprocals = oracle::reciprocal_errors::refuse;
  if (close_functions) options.functions = oracle::function_errors::close;
  options.stable = options.stable || stable;
  return options;
}

// The bytes that an array gives for an output of 4 bits, packed; nullopt if it is no such array.
std::optional<host_tensor> packed_answer(const oracle::golden_output& wanted, const const_tensor_ref& given) {
  if (!wanted.packed || !given.present() || given.desc().sizes != wanted.packed->sizes ||
      given.desc().data_type != unpacked_type(wanted.packed->data_type))
    return std::nullopt;
  host_tensor packed(tensor_desc{.data_type = wanted.packed->data_type, .sizes = given.desc().sizes});
  pack(given, packed.ref());
  const host_tensor numbers = unpacked(std::as_const(packed).ref());
  const auto* const bytes = static_cast<const std::byte*>(given.data());
  const dimensions strides = effective_strides(given.desc());
  std::size_t i = 0;
  for (const coordinate_tuple& c : coordinates_of(given.desc().sizes))
    if (numbers.bytes()[i++] != bytes[offset_of(c, strides)]) return std::nullopt;  // no number of 4 bits
  return packed;
}

judgement judge(const py::object& answer, const py::sequence& actual, bool strict, bool refuses_reciprocals,
                bool close_functions, bool stable, bool fit) {
  const auto& expected = value_of<expected_answer>(answer);
  std::vector<std::optional<array_tensor>> arrays;
  for (const py::handle one : actual)
    if (one.is_none())
      arrays.emplace_back();
    else
      arrays.emplace_back(py::reinterpret_borrow<py::object>(one));
  std::vector<const_tensor_ref> refs;
  for (const auto& one : arrays) refs.push_back(one ? one->input() : const_tensor_ref());
  std::vector<std::optional<host_tensor>> packed;
  for (std::size_t i = 0; i < refs.size() && i < expected.golden.answers.front().size(); ++i)
    packed.push_back(packed_answer(expected.golden.answers.front()[i], refs[i]));
  for (std::size_t i = 0; i < packed.size(); ++i)
    if (packed[i]) refs[i] = std::as_const(*packed[i]).ref();
  auto options = device_options(strict, refuses_reciprocals, close_functions, stable);
  options.fit = fit;
  const py::gil_scoped_release unlocked;
  oracle::judgement judged = oracle::compare(expected.golden, refs, options);
  const bool generated = expected.test != nullptr;
  const any_desc& desc = generated ? expected.test->text.desc : expected.made_by->desc;
  const oracle::judged_names of_call =
      oracle::names_of(desc, generated ? expected.test->input_refs() : expected.made_by->input_refs(),
                       expected.golden.answers.front().size());
  oracle::judge_fits(judged, expected.golden, refs, options, of_call);
  std::string report = oracle::report(expected.golden, refs, judged, options, of_call,
                                      generated ? expected.test->line() : std::string());
  const auto fits = std::find_if(judged.fits.begin(), judged.fits.end(), [](const oracle::fit_result& one) {
    return one.outcome != oracle::fit_outcome::none;
  });
  constexpr std::string_view names[] = {"agrees", "flagged", "undefined", "depends", "differs"};
  return {std::string(names[static_cast<std::size_t>(judged.outcome())]),
          std::move(report),
          judged.result.compared(),
          judged.result.differing(),
          judged.result.suspicious(),
          judged.result.toward_zero(),
          judged.result.overflowed(),
          judged.result.hardly_tested(),
          judged.tolerated(),
          fits == judged.fits.end() ? oracle::fit_result() : *fits};
}

py::object to_dict(const oracle::fit_result& fit) {
  if (fit.outcome == oracle::fit_outcome::none) return py::none();
  py::dict result;
  result["outcome"] = std::string(oracle::name_of(fit.outcome));
  result["rms"] = fit.rms;
  result["largest"] = fit.largest;
  result["bias"] = fit.bias;
  result["elements"] = fit.measured;
  result["independent"] = fit.independent;
  result["dependent"] = fit.dependent;
  result["model"] = fit.model;
  result["explained_by"] = fit.explained_by;
  result["rest"] = fit.rest;
  result["outliers"] = fit.outliers;
  return result;
}

// The tolerances of the golden answers that an iterable gives, by the name of NumPy's type.
py::dict tolerances(const py::iterable& answers, bool strict, bool refuses_reciprocals, bool close_functions,
                    bool stable) {
  oracle::tolerance_search search(device_options(strict, refuses_reciprocals, close_functions, stable));
  for (const py::handle one : answers) {
    const auto& expected = value_of<expected_answer>(py::reinterpret_borrow<py::object>(one));
    const py::gil_scoped_release unlocked;
    if (expected.test != nullptr)
      search.add(expected.test->text.desc, expected.test->input_refs(), expected.golden);
    else
      search.add(expected.made_by->desc, expected.made_by->input_refs(), expected.golden);
  }
  py::dict result;
  for (const oracle::tolerance& t : search.found()) {
    py::dict of;
    of["absolute"] = t.absolute;
    of["relative"] = t.relative;
    of["absolute_alone"] = t.absolute_alone;
    of["relative_alone"] = t.relative_alone;
    of["ulp"] = t.ulp;
    of["width"] = t.width;
    of["rounded"] = t.rounded;
    of["exact"] = t.exact;
    of["nans"] = t.nans;
    of["open"] = t.open;
    of["undefined"] = t.undefined;
    py::dict wrong;
    for (const oracle::let_through& device : t.wrong) {
      py::dict counts;
      for (const auto& [name, c] : {std::pair("outputs", device.outputs), std::pair("elements", device.elements)})
        counts[name] = py::dict(py::arg("wrong") = c.wrong, py::arg("pair") = c.pair, py::arg("ulp") = c.ulp,
                                py::arg("interval") = c.interval);
      wrong[py::str(std::string(name_of(device.device)))] = counts;
    }
    of["wrong"] = wrong;
    result[dtype_of(t.type).attr("name")] = of;
  }
  return result;
}

// A generated case. Its arrays are views of its memory, with its strides.
struct generated {
  std::shared_ptr<const oracle::generated_case<any_desc>> test;
};

// What cases() chooses. The names of operand_types are checked by goldml::oracle, the others by __init__.py.
struct case_selection {
  const oracle::any_operator* op;
  std::shared_ptr<const oracle::generate_options> options;
};

template <class Enum>
std::vector<Enum> enumerators_of(const std::vector<std::string>& names) {
  std::vector<Enum> result;
  for (const std::string& name : names) result.push_back(enumerator_from_name<Enum>(name).value());
  return result;
}

std::vector<data_type> data_types_of(const std::vector<std::string>& names) {
  std::vector<data_type> result;
  for (const std::string& name : names) result.push_back(data_type_from_name(name).value());
  return result;
}

// `attributes` are as in the line of a case.
case_selection select_cases(const std::string& name, std::uint64_t seed, std::optional<std::uint64_t> most_elements,
                            const std::string& sizes_class, const std::vector<std::string>& data_types,
                            const std::vector<std::uint32_t>& dimension_counts, const std::vector<std::uint32_t>& sizes,
                            const std::vector<std::pair<std::string, std::vector<std::string>>>& operand_types,
                            const std::vector<std::string>& strides, const std::vector<std::string>& data,
                            const std::string& level, const std::vector<std::string>& attributes) {
  oracle::generate_options options;
  options.seed = seed;
  options.most_elements = most_elements;
  options.sizes_class = enumerators_of<oracle::sizes_class>({sizes_class}).front();
  options.data_types = data_types_of(data_types);
  options.dimension_counts = dimension_counts;
  options.sizes = dimensions(sizes);
  for (const auto& [operand, types] : operand_types) options.operand_types.push_back({operand, data_types_of(types)});
  if (!strides.empty()) options.strides = enumerators_of<oracle::stride_pattern>(strides);
  if (!data.empty()) options.data = enumerators_of<oracle::data_class>(data);
  options.feature_level = feature_level_from_name(level).value();
  options.attributes = attributes;
  const oracle::any_operator& op = oracle::any_operator_of(find(name));
  oracle::detail::selection(op, options);  // refuses it now, not at the first case
  return {&op, std::make_shared<const oracle::generate_options>(std::move(options))};
}

generated generate(const case_selection& selection, std::uint64_t number) {
  const py::gil_scoped_release unlocked;
  return {std::make_shared<const oracle::generated_case<any_desc>>(oracle::make_case<any_desc>(
      *selection.op, oracle::sample_case<any_desc>(*selection.op, *selection.options, number)))};
}

// The simplest case that still fails, and how many were run; None if the given one does not fail. fails(Case) returns a
// bool, or a judgement. Its exceptions are propagated.
py::tuple shrink(const py::object& failing, const py::function& fails, std::uint64_t most_runs) {
  const auto& given = value_of<generated>(failing);
  const auto run = [&](const oracle::generated_case<any_desc>& c) {
    const py::gil_scoped_acquire locked;
    const py::object said = fails(generated{std::make_shared<const oracle::generated_case<any_desc>>(c)});
    if (py::isinstance<judgement>(said)) return !value_of<judgement>(said).tolerated;
    if (!py::isinstance<py::bool_>(said))
      throw py::type_error("shrink: fails(case) returned " +
                           py::str(py::handle(py::type::of(said))).cast<std::string>() +
                           ", wanted True where the case fails, or a Judgement");
    return said.cast<bool>();
  };
  const py::gil_scoped_release unlocked;
  const oracle::any_operator& op = oracle::any_operator_of(given.test->text.desc.description());
  const auto shrunk = oracle::shrink(op, given.test->text, run, {.most_runs = most_runs});
  std::optional<generated> smallest;
  if (shrunk.fails)
    smallest = {std::make_shared<const oracle::generated_case<any_desc>>(oracle::make_case<any_desc>(op, shrunk.text))};
  const py::gil_scoped_acquire locked;
  return py::make_tuple(smallest, shrunk.runs);
}

generated case_of_line(const std::string& line) {
  const operator_description& op = find(std::string_view(line).substr(0, line.find(' ')));
  const py::gil_scoped_release unlocked;
  return {std::make_shared<const oracle::generated_case<any_desc>>(
      oracle::make_case<any_desc>(oracle::any_operator_of(op), oracle::parse_case(op, line)))};
}

io::model_options options_of(const std::string& level, const std::vector<std::string>& policies) {
  io::model_options options;
  const auto known = feature_level_from_name(level);
  if (!known) throw py::value_error("goldml: unknown feature level " + io::in_quotes(level));
  options.feature_level = *known;
  options.policies = policies;
  return options;
}

py::dict run_model(const std::string& path, const std::string& backend, const std::string& level,
                   const std::vector<std::string>& policies, const std::optional<std::string>& output_folder) {
  io::model_options options = options_of(level, policies);
  if (output_folder) options.output_folder = io::path_of(*output_folder);
  std::ostringstream printed;
  io::model model = [&] {
    const py::gil_scoped_release unlocked;
    io::model read = tool::read_model(io::place_of(io::path_of(path)), options);
    tool::play_model({backend}, read, printed, io::default_max_work);
    return read;
  }();
  py::dict result;
  for (const io::model_resource& resource : model.resources)
    if (resource.type != data_type::unknown) result[py::str(resource.name)] = to_array(resource.type, resource.bytes);
  return result;
}

std::vector<std::string> validate_model(const std::string& path, const std::string& level,
                                        const std::vector<std::string>& policies) {
  io::model_options options = options_of(level, policies);
  options.validate_only = true;
  const py::gil_scoped_release unlocked;
  io::model model = tool::read_model(io::place_of(io::path_of(path)), options);
  std::vector<std::pair<std::string, violation>> found;
  io::validate_model(model, [&](std::string_view name, const violation& v) { found.emplace_back(name, v); });
  const std::vector<io::model_place> places = io::model_places(model).of(found);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < found.size(); ++i) lines.push_back(io::to_string(places[i], found[i].second));
  return lines;
}

}  // namespace

PYBIND11_MODULE(_goldml, m) {
  m.doc() = "The part of goldml that is C++. Use the module goldml.";
  m.attr("version") = fmt::format("{}.{}.{}", version.major_number, version.minor_number, version.patch_number);
  // Refusals: error is a std::invalid_argument, which pybind11 makes a ValueError.
  py::register_exception<tool::backend_failure>(m, "BackendFailure", PyExc_RuntimeError);

  m.attr("operators") = operator_rows();
  m.attr("names") = shared_names();
  m.def("evaluate", evaluate_call);
  m.def("validate_call", validate_call);
  m.def("new_outputs", new_outputs);
  m.def("expect", expect_call);
  m.def("judge", judge);
  m.def("tolerances", tolerances);
  py::class_<case_selection>(m, "Selection");
  m.def("select_cases", select_cases);
  m.def("generate", generate);
  m.def("shrink", shrink);
  m.def("case_of_line", case_of_line);
  m.def("run_model", run_model);
  m.def("validate_model", validate_model);

  const auto member = [](auto judgement::*field) {
    return [field](const py::object& self) { return value_of<judgement>(self).*field; };
  };
  py::class_<expected_answer>(m, "Expected", "The golden answer of a call, with a verdict for each element.")
      .def_property_readonly(
          "values", [](const py::object& self) { return value_of<expected_answer>(self).values(); },
          "The golden outputs, None for one that is absent. Undefined elements have any value.");
  py::class_<judgement>(m, "Judgement", "The result of judge(). True if every defined element is right.")
      .def("__bool__", member(&judgement::tolerated))
      .def("__repr__", member(&judgement::report))
      .def_property_readonly("outcome", member(&judgement::outcome),
                             "'agrees', 'flagged', 'undefined', 'depends' or 'differs'.")
      .def_property_readonly("report", member(&judgement::report), "The first differences, with their inputs.")
      .def_property_readonly("compared", member(&judgement::compared), "The number of elements that were compared.")
      .def_property_readonly("differing", member(&judgement::differing), "How many of them are wrong.")
      .def_property_readonly("suspicious", member(&judgement::suspicious),
                             "How many are accepted, but farther off than independent roundings get.")
      .def_property_readonly("toward_zero", member(&judgement::toward_zero),
                             "How many are FLOAT16 rounded toward zero.")
      .def_property_readonly("overflowed", member(&judgement::overflowed),
                             "How many infinities and NaN are accepted because an intermediate result may overflow.")
      .def_property_readonly("hardly_tested", member(&judgement::hardly_tested),
                             "Of how many elements nearly anything would be accepted.")
      .def_property_readonly(
          "fit", [](const py::object& self) { return to_dict(value_of<judgement>(self).fit); },
          "How large the errors of an output of sums are, or None if there is no statement.");
  py::class_<generated>(m, "Case", "A generated case: inputs, and the golden answer.")
      .def_property_readonly(
          "line", [](const py::object& self) { return value_of<generated>(self).test->line(); },
          "The line that reproduces it.")
      .def_property_readonly(
          "operator",
          [](const py::object& self) {
            return std::string(value_of<generated>(self).test->text.desc.description().name);
          },
          "The operator's name.")
      .def_property_readonly(
          "attributes", [](const py::object& self) { return attributes_of(value_of<generated>(self).test->text.desc); },
          "The attributes, policies and feature level, as call() takes them.")
      .def_property_readonly(
          "inputs",
          [](const py::object& self) {
            const auto& c = value_of<generated>(self);
            py::list arrays;
            for (const host_tensor& input : c.test->inputs) arrays.append(view_of(input, self));
            return arrays;
          },
          "Read-only arrays, with the case's strides; None for an operand that is absent.")
      .def_property_readonly(
          "outputs",
          [](const py::object& self) {
            py::list arrays;
            const auto& c = *value_of<generated>(self).test;
            for (std::size_t i = 0; i < c.outputs.size(); ++i) {
              const bool reads = !c.initial.empty() && !c.initial[i].omitted();
              const tensor_desc packed{.data_type = c.outputs[i].data_type, .sizes = c.outputs[i].sizes};
              arrays.append(reads ? to_array(oracle::detail::before_call(packed, c.initial[i].ref()))
                                  : zeros(c.outputs[i]));
            }
            return arrays;
          },
          "New arrays for the outputs, each time: of zeros, or of what the case reads there before it writes; None for "
          "one that is absent.")
      .def_property_readonly(
          "expected",
          [](const py::object& self) {
            const auto& c = value_of<generated>(self);
            return expected_answer{c.test->expected, nullptr, c.test};
          },
          "The golden answer, for judge().");
}

}  // namespace goldml::python
