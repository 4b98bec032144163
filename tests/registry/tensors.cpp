// T1, T2 and T5 to T10 for each operand of every operator: one part of a valid case is changed, and its code is
// reported first.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/oracle/generate.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"
#include "../support/refusals.hpp"

using namespace goldml;

namespace {

// A change to one tensor, and the code of its violation; "" if it stays valid.
struct change {
  std::string_view what;
  std::string (*make)(tensor_desc&, const operand_info&);
};

constexpr std::uint32_t top = 0xFFFF'FFFF;

const std::vector<change> changes{
    {"a type that is no buffer",
     [](tensor_desc& t, const operand_info&) {
       t.type = tensor_type::invalid;
       return std::string("T2");
     }},
    {"a first size of 0",
     [](tensor_desc& t, const operand_info&) {
       t.sizes[0] = 0;
       return std::string("T5");
     }},
    {"a last size of 0",
     [](tensor_desc& t, const operand_info&) {
       t.sizes[t.sizes.size() - 1] = 0;
       return std::string("T5");
     }},
    {"more than 2^32-1 elements",
     [](tensor_desc& t, const operand_info&) {
       const bool one = t.sizes.size() == 1;  // a single size cannot exceed the limit
       t.total_tensor_size_in_bytes = {};
       t.strides = one ? dimensions{2} : dimensions{};
       if (one) t.sizes = {top};
       for (std::size_t i = 0; !one && i < t.sizes.size(); ++i) t.sizes[i] = i < 2 ? 0x1'0000 : 1;
       return std::string("T6");
     }},
    {"a span of more than 2^32-1 elements",
     [](tensor_desc& t, const operand_info&) {
       t.total_tensor_size_in_bytes = {};
       t.strides = packed_strides(t.sizes);
       t.sizes[0] = 3;
       t.strides[0] = top;
       return std::string("T6");
     }},
    {"more bytes than 2^32-1 elements have",
     [](tensor_desc& t, const operand_info&) {
       t.total_tensor_size_in_bytes = saturated;
       return std::string("T6");
     }},
    {"a byte too little",
     [](tensor_desc& t, const operand_info&) {
       t.total_tensor_size_in_bytes = buffer_tensor_size_in_bytes(t) - 1;
       return std::string("T7");
     }},
    {"no bytes at all",
     [](tensor_desc& t, const operand_info&) {
       t.total_tensor_size_in_bytes = 0;
       return std::string("T7");
     }},
    {"an alignment that is no power of two",
     [](tensor_desc& t, const operand_info&) {
       t.guaranteed_base_offset_alignment = 48;
       return std::string("T8");
     }},
    {"an alignment below the element's size",
     [](tensor_desc& t, const operand_info&) {
       const std::uint32_t size = element_size_in_bytes(t.data_type);
       t.guaranteed_base_offset_alignment = size <= 1 ? 3 : size / 2;
       return std::string("T8");
     }},
    {"strides of 0",
     [](tensor_desc& t, const operand_info& info) {
       t.total_tensor_size_in_bytes = {};
       t.strides = dimensions::filled(t.sizes.size(), 0);
       const bool shares = info.role == operand_role::output && element_count(t.sizes) > 1;
       return std::string(shares ? "T9" : "");
     }},
    {"an unknown flag",
     [](tensor_desc& t, const operand_info&) {
       t.flags = static_cast<tensor_flags>(2);
       return std::string("T10");
     }},
    {"owned by DirectML",
     [](tensor_desc& t, const operand_info& info) {
       t.flags = tensor_flags::owned_by_dml;
       return std::string(info.role == operand_role::output ? "T10" : "");
     }},
    {"a large alignment",
     [](tensor_desc& t, const operand_info&) {
       t.guaranteed_base_offset_alignment = 256;
       return std::string();
     }},
    {"more bytes than are needed",
     [](tensor_desc& t, const operand_info&) {
       t.total_tensor_size_in_bytes = total_tensor_size_in_bytes(t) + 5;
       return std::string();
     }},
};

// The code for an input that is OWNED_BY_DML; "" where the operator's page does not forbid it.
std::string code_of_owned_input(const oracle::any_operator& op) {
  return op.name() == "RNN" ? "RN9" : op.name() == "LSTM" ? "LS9" : op.name() == "GRU" ? "GR9" : "";
}

}  // namespace

TEST_CASE("registry T2, T5 to T10: one error in one tensor", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const auto infos = op.operands();
    for (std::uint64_t number = 0; number < goldml_test::random_count(100); ++number) {
      const auto legal = oracle::sample_case(op, {.seed = 32, .most_elements = 40}, number);
      REQUIRE(goldml_test::violations_of(legal.desc, legal.tensors).empty());
      for (std::size_t i = 0; i < legal.tensors.size(); ++i)
        for (const change& one : changes) {
          if (!legal.tensors[i]) continue;
          auto c = legal;
          const operand_info& info = infos[place_of_tensor(infos, i, c.tensors.size()).info];
          const std::string code = one.make(*c.tensors[i], info);
          const auto all = goldml_test::violations_of(c.desc, c.tensors);
          std::vector<std::string> about;
          for (const violation& v : all)
            if (v.operand == info.name && is_tensor_rule(v.rule)) about.emplace_back(v.rule);
          const auto wanted = code.empty() ? std::vector<std::string>{} : std::vector<std::string>{code};
          const bool owned = c.tensors[i]->flags == tensor_flags::owned_by_dml;
          const std::string expected = code.empty() && owned ? code_of_owned_input(op) : code;
          const bool first = expected.empty() ? all.empty() : !all.empty() && all.front().rule == expected;
          if (about != wanted || !first) FAIL_CHECK(one.what << ", " << code << ": " << to_string(c));
        }
    }
  });
}

TEST_CASE("registry T1: a tensor or its memory is missing", "[registry]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    const auto infos = op.operands();
    for (std::uint64_t number = 0; number < 20; ++number) {
      const auto legal = oracle::sample_case(op, {.seed = 33, .most_elements = 40}, number);
      for (std::size_t i = 0; i < legal.tensors.size(); ++i) {
        auto c = legal;
        const operand_info& info = infos[place_of_tensor(infos, i, c.tensors.size()).info];
        INFO(info.name << ": " << to_string(c));
        c.tensors[i].reset();
        const auto all = goldml_test::violations_of(c.desc, c.tensors);
        if (info.optional) {
          // No operator may be without any output: the rule about that is the operator's own.
          std::size_t outputs = 0;
          for (std::size_t j = 0; j < c.tensors.size(); ++j)
            if (c.tensors[j] && infos[place_of_tensor(infos, j, c.tensors.size()).info].role == operand_role::output)
              ++outputs;
          // Which go together is a rule of its own (RG2, RG3).
          if (op.name().starts_with("MULTIHEAD_ATTENTION") || op.name() == "ROI_ALIGN_GRAD") {
            CHECK(std::none_of(all.begin(), all.end(), [](const violation& v) { return is_tensor_rule(v.rule); }));
          } else if (outputs > 0) {
            CHECK(all.empty());
          } else {
            REQUIRE(all.size() == 1);
            CHECK_FALSE(is_tensor_rule(all.front().rule));
          }
          continue;
        }
        REQUIRE_FALSE(all.empty());
        CHECK(all.front().rule == "T1");
        CHECK(all.front().operand == info.name);

        // Null memory of a size, and a null pointer inside DirectML's structure.
        auto operands = to_operands(legal.tensors);
        const auto first_rule = [&] {
          violation_sink sink;
          check(legal.desc, operands, sink);
          return sink.first() ? std::string(sink.first()->rule) + " " + std::string(sink.first()->operand) : "none";
        };
        CHECK(first_rule() == "none");
        operands[i].null_member = "Sizes";
        CHECK(first_rule() == "T1 " + std::string(info.name));
        operands[i] = to_operand(const_tensor_ref(*legal.tensors[i], nullptr, 4096));
        CHECK(first_rule() == "T1 " + std::string(info.name));
      }
    }
  });
}
