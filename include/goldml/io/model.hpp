// A DxDispatch model that has been read: buffers, operators on them, and commands in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_desc.hpp>
#include <goldml/core/violation.hpp>
#include <goldml/io/files.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/operators/operators.hpp>

namespace goldml::io {

// The default output folder. Files in it are replaced.
inline constexpr std::string_view own_output_folder = "goldml-outputs";

inline constexpr std::size_t most_portable_places = 100;

struct model_options {
  goldml::feature_level feature_level = goldml::feature_level::latest;
  std::optional<std::filesystem::path> output_folder = std::nullopt;  // none: own_output_folder in own_folder_in
  std::filesystem::path own_folder_in = {};                           // empty: the current folder
  bool overwrite = false;                                             // replace existing files in output_folder, too
  bool allow_outside = false;  // any path, not only below the model's folder and the output folder
  std::uint64_t max_memory = std::uint64_t{8} << 30;  // in bytes, for all buffers together
  bool validate_only = false;                         // allocate no buffers: the model can only be validated
  bool dxdispatch_format = false;                     // print commands print what DxDispatch prints
  std::vector<std::string> policies = {};  // NAME=VALUE, for every dispatchable whose operator has the policy
  // Is called for what DxDispatch would refuse (M15). The place is known for the first `most_portable_places`.
  std::function<void(const violation&, const model_place&)> portable = nullptr;
  std::function<void(std::string_view)> warn = nullptr;  // is called for each member that goldml ignores
};

struct model_resource {
  std::string name;
  data_type type = data_type::unknown;     // how values are read and printed; unknown for mixed constants
  std::uint64_t size_in_bytes = 0;         // of the whole buffer
  std::vector<std::byte> bytes;            // the buffer; empty in a model read with validate_only
  std::uint64_t values_size_in_bytes = 0;  // of the initial values, of a model that was read
};

// A range of a resource.
struct model_binding {
  std::size_t resource;  // index in model::resources
  std::uint64_t offset_in_bytes;
  std::uint64_t size_in_bytes;
  bool is_initial = false;  // of the initial contents: `resource` is an index in model::initial_copies
};

struct model_dispatchable {
  std::string name;
  any_desc desc;
  std::vector<std::optional<tensor_desc>> tensors;             // one per operand, in the order of the C structure
  std::vector<std::optional<model_binding>> initial_bindings;  // likewise; of inputs with OWNED_BY_DML only
};

struct dispatch_command {
  std::size_t dispatchable;                            // index in model::dispatchables
  std::vector<std::optional<model_binding>> bindings;  // one per operand
};

struct print_command {
  std::size_t resource;
  bool verbose;
  bool as_dxdispatch = false;
};

struct write_file_command {
  std::size_t resource;
  file_place target;                      // checked, in the output folder
  bool replaces;                          // a file that existed before the model is played
  std::vector<std::uint32_t> dimensions;  // of a .npy file; none: flat
  bool is_npy = false;                    // or else raw bytes
};

using model_command = std::variant<dispatch_command, print_command, write_file_command>;

// What the places of messages are found in.
struct model_source {
  std::string text;
  std::string file;  // safe for terminals; empty: the text is not of a file
};

struct model {
  std::vector<model_resource> resources;
  std::vector<model_dispatchable> dispatchables;
  std::vector<model_command> commands;
  // DirectML reads inputs with OWNED_BY_DML once, before the first command. These are copies of the resources that such
  // an input reads and a dispatch writes.
  std::vector<model_resource> initial_copies = {};
  std::shared_ptr<const model_source> source = nullptr;  // of a model that was read
  std::uint64_t memory_left = saturated;                 // of max_memory, in bytes, beside all buffers
};

}  // namespace goldml::io
