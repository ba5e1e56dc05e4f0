#include "core/documents/pytorch/python_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace iosx::pytorch {
namespace {

// Python's keywords, names that the written module calls besides kFromLanes, and attributes of
// torch.nn.Module and of the network's base class (python/lanes.py).
constexpr std::string_view kReserved =
    "False None True and as assert async await break case class continue def del elif else "
    "except finally for from global if import in is lambda match nonlocal not or pass raise "
    "return try type while with yield F INPUTS OUTPUTS Network WEIGHTS Path nn torch self super "
    "float batch lanes weights T_destination add_module apply bfloat16 buffers call_super_init "
    "children compile cpu cuda double dump_patches eval extra_repr forward get_buffer "
    "get_extra_state get_parameter get_submodule half ipu load_state_dict modules mtia "
    "named_buffers named_children named_modules named_parameters parameters "
    "register_backward_hook register_buffer register_forward_hook register_forward_pre_hook "
    "register_full_backward_hook register_full_backward_pre_hook "
    "register_load_state_dict_post_hook register_load_state_dict_pre_hook register_module "
    "register_parameter register_state_dict_post_hook register_state_dict_pre_hook "
    "requires_grad_ set_extra_state set_submodule share_memory state_dict to to_empty train "
    "training xpu zero_grad capture device load merged place sequential on_lanes side_by_side";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string class_name(std::string_view name) {
  std::string text;
  bool upper = true;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) {
      upper = true;
      continue;
    }
    text += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  if (text.empty() || is_digit(text.front())) text = "Network" + text;
  return text;
}

// Returns where the statement's last bracket that is in no other one opens, or npos. Brackets in strings count like
// others: what is wrapped has none.
std::size_t last_bracket(std::string_view statement) {
  std::size_t depth = 0;
  for (std::size_t i = statement.size(); i-- > 0;) {
    const char c = statement[i];
    if (c == ')' || c == ']' || c == '}') ++depth;
    if ((c == '(' || c == '[' || c == '{') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::string identifier(std::string_view text) {
  std::string made;
  for (const char c : text) {
    const char kept = is_letter(c) || is_digit(c) ? c : '_';
    if (kept == '_' && (made.empty() || made.back() == '_')) continue;  // Python has a meaning for __name
    made += kept;
  }
  while (!made.empty() && made.back() == '_') made.pop_back();
  if (made.empty() || is_digit(made.front())) made = "op_" + made;
  return made;
}

PythonNames::PythonNames(const Graph& graph) {
  std::istringstream reserved{std::string(kReserved)};
  for (std::string name; reserved >> name;) taken_.insert(name);
  for (const std::string_view name : kFromLanes) taken_.emplace(name);
  network_ = fresh(class_name(graph.name()));
  for (const Operator& op : graph.operators()) names_.push_back(fresh(op.name));
}

std::string PythonNames::fresh(std::string_view wish) {
  std::string first = identifier(wish);
  // stage_1 and group_1 are methods and functions of the written class.
  if (first.starts_with("stage_") || first.starts_with("group_")) first = "op_" + first;
  std::string name = first;
  for (int i = 2; !taken_.insert(name).second; ++i) name = fmt::format("{}_{}", first, i);
  return name;
}

std::string literal(float number) {
  if (std::isnan(number)) return "float('nan')";
  if (std::isinf(number)) return number < 0 ? "float('-inf')" : "float('inf')";
  return fmt::format("{}", number);
}

// JSON's strings are Python's too. Names need not be UTF-8, so what is not is replaced.
std::string string_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string pair_text(std::int64_t a, std::int64_t b) { return fmt::format("({}, {})", a, b); }

std::string tuple_text(std::span<const std::int64_t> numbers) {
  return numbers.size() == 1 ? fmt::format("({},)", numbers.front()) : fmt::format("({})", fmt::join(numbers, ", "));
}

std::string comment(std::string_view text) {
  const std::string string = string_text(text);
  return string.substr(1, string.size() - 2);
}

std::string filled(std::size_t depth, std::string_view text) {
  const std::string margin(4 * depth, ' ');
  std::string lines;
  while (margin.size() + text.size() > kColumns) {
    std::size_t at = text.rfind(' ', kColumns - margin.size());
    if (at == std::string_view::npos) at = text.find(' ');
    if (at == std::string_view::npos) break;
    lines += fmt::format("{}{}\n", margin, text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  return lines + fmt::format("{}{}\n", margin, text);
}

std::string line(std::size_t depth, const std::string& statement) {
  const std::string margin(4 * depth, ' ');
  const std::size_t open = last_bracket(statement);
  if (margin.size() + statement.size() <= kColumns || open == std::string::npos) return margin + statement + '\n';
  const std::size_t close = statement.find_last_of(")]");
  return fmt::format("{0}{1}\n{2}{0}{3}\n", margin, statement.substr(0, open + 1),
                     filled(depth + 1, std::string_view(statement).substr(open + 1, close - open - 1)),
                     statement.substr(close));
}

}  // namespace iosx::pytorch
