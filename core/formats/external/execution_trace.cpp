#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/text.h"
#include "core/formats/external/json_elements.h"
#include "core/formats/external/open_recording.h"

namespace iosx::external {
namespace {

using Node = nlohmann::json;

constexpr std::size_t kMostNodes = 4 * kMostSpans;
constexpr std::size_t kMostAccesses = 20'000'000;

// Splits "aten::add_(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)" into its parameters.
std::vector<std::string_view> parameters_of(std::string_view schema) {
  std::string_view head = schema.substr(0, schema.find("->"));
  const std::size_t open = head.find('(');
  const std::size_t close = head.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close <= open) return {};
  head = head.substr(open + 1, close - open - 1);
  std::vector<std::string_view> parameters;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= head.size(); ++i) {
    const char c = i < head.size() ? head[i] : ',';
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < head.size())) continue;
    const std::string_view parameter = trimmed(head.substr(begin, i - begin));
    if (!parameter.empty() && parameter != "*") parameters.push_back(parameter);
    begin = i + 1;
  }
  return parameters;
}

const Node* member(const Node* node, const char* key) {
  if (node == nullptr || !node->is_object()) return nullptr;
  const auto found = node->find(key);
  return found == node->end() ? nullptr : &*found;
}
const Node* element(const Node* list, std::size_t i) {
  return list != nullptr && list->is_array() && i < list->size() ? &(*list)[i] : nullptr;
}
std::int64_t whole(const Node* node, std::int64_t otherwise) {
  if (node == nullptr) return otherwise;
  if (node->is_number_unsigned() && node->get<std::uint64_t>() > std::uint64_t{INT64_MAX}) return otherwise;
  if (node->is_number_integer()) return node->get<std::int64_t>();
  return node->is_string() ? read_number<std::int64_t>(node->get_ref<const std::string&>()).value_or(otherwise)
                           : otherwise;
}
std::string_view word(const Node* node) {
  return node != nullptr && node->is_string() ? std::string_view(node->get_ref<const std::string&>())
                                              : std::string_view();
}

std::int64_t bytes(double count) {
  return static_cast<std::int64_t>(std::clamp(count, 0.0, static_cast<double>(StorageRange::kAllBytes)));
}

// Adds the bytes of [tensor, storage, offset, elements, bytes of one, device], or of a list of these.
void add_tensors(const Node& value, const Node* shape, const Node* stride, std::vector<StorageRange>& out) {
  if (!value.is_array()) return;
  if (value.size() == 6 && value[5].is_string() && value[0].is_number_integer()) {
    const auto number = [&](std::size_t i) { return static_cast<double>(whole(&value[i], 0)); };
    if (number(3) <= 0) return;
    StorageRange range{.storage = whole(&value[1], 0)};
    const std::size_t axes = stride != nullptr && stride->is_array() ? stride->size() : 0;
    bool known = axes > 0 && shape != nullptr && shape->is_array() && shape->size() == axes;
    double last = number(2) + 1;  // behind the last element
    for (std::size_t i = 0; i < axes && known; ++i) {
      known = (*shape)[i].is_number_integer() && (*stride)[i].is_number_integer();
      last +=
          (static_cast<double>(whole(&(*shape)[i], 1)) - 1) * std::abs(static_cast<double>(whole(&(*stride)[i], 0)));
    }
    if (known) {
      range.begin = bytes(number(2) * number(4));
      range.end = bytes(last * number(4));
    }
    out.push_back(range);
    return;
  }
  for (std::size_t i = 0; i < value.size(); ++i) add_tensors(value[i], element(shape, i), element(stride, i), out);
}

// The values of a node's inputs or outputs, in either form of the format.
struct Side {
  const Node* values = nullptr;
  const Node* shapes = nullptr;
  const Node* strides = nullptr;
};
Side side_of(const Node& node, const char* key, const char* shapes) {
  const Node* const side = member(&node, key);
  if (side != nullptr && side->is_object())
    return {member(side, "values"), member(side, "shapes"), member(side, "strides")};
  return {side, member(&node, shapes), nullptr};
}

ExecutionNode node_of(const Node& from) {
  ExecutionNode node{.id = whole(member(&from, "id"), 0), .name = std::string(word(member(&from, "name")))};
  const Node* const parent = member(&from, "ctrl_deps");
  node.parent = whole(parent != nullptr ? parent : member(&from, "parent"), -1);
  const Node* const attributes = member(&from, "attrs");
  const auto attribute = [&](const char* key) -> const Node* {
    if (attributes == nullptr || !attributes->is_array()) return member(&from, key);
    for (const Node& one : *attributes) {
      if (word(member(&one, "name")) == key) return member(&one, "value");
    }
    return nullptr;
  };
  node.record_function =
      static_cast<std::int32_t>(std::clamp<std::int64_t>(whole(attribute("rf_id"), -1), -1, INT32_MAX));
  node.thread = whole(attribute("tid"), 0);
  const std::string_view schema = word(attribute("op_schema"));
  const auto parameters = parameters_of(schema);
  const bool told_by_name =
      std::ranges::any_of(std::initializer_list<const char*>{"record_param_comms", "nccl:", "c10d", "triton"},
                          [&](const char* begin) { return node.name.starts_with(begin); });
  node.known = !schema.empty() || told_by_name;
  const Side inputs = side_of(from, "inputs", "input_shapes");
  const std::size_t count = inputs.values != nullptr && inputs.values->is_array() ? inputs.values->size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<StorageRange> found;
    add_tensors((*inputs.values)[i], element(inputs.shapes, i), element(inputs.strides, i), found);
    const std::string_view parameter = i < parameters.size() ? parameters[i] : std::string_view();
    const bool out_only = parameter.ends_with("!) out") || parameter.ends_with("!)[] out");
    const bool written = parameter.find('!') != std::string_view::npos || (node.known && schema.empty());
    if (!out_only) node.reads.insert(node.reads.end(), found.begin(), found.end());
    if (written) node.writes.insert(node.writes.end(), found.begin(), found.end());
  }
  std::vector<StorageRange> made;
  if (const Node* const outputs = side_of(from, "outputs", "output_shapes").values; outputs != nullptr)
    add_tensors(*outputs, nullptr, nullptr, made);
  std::set<std::int64_t> fresh;
  for (const StorageRange& one : made) fresh.insert(one.storage);
  for (const StorageRange& one : node.reads) fresh.erase(one.storage);
  for (const StorageRange& one : node.writes) fresh.erase(one.storage);
  node.fresh.assign(fresh.begin(), fresh.end());
  return node;
}

}  // namespace

bool is_execution_trace(std::string_view head) {
  const auto has = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
  return has("\"nodes\"") && has("\"schema\"") && !has("\"traceEvents\"");
}

Result<ExecutionTrace> read_execution_trace(ByteSource& source, const std::string& origin) {
  ExecutionTrace out;
  std::size_t accesses = 0;
  JsonElements reader({"nodes"}, [&](std::string_view /*list*/, const nlohmann::json& element) -> Message {
    if (!element.is_object()) return {};
    if (out.nodes.size() == kMostNodes) return message("has more than {} operators", kMostNodes);
    ExecutionNode node = node_of(element);
    accesses += node.reads.size() + node.writes.size() + node.fresh.size();
    if (accesses > kMostAccesses) return message("has more than {} tensors", kMostAccesses);
    out.nodes.push_back(std::move(node));
    return {};
  });
  IOS_TRY(reader.read(source, origin));
  if (out.nodes.empty()) {
    return fail(message("is JSON, but no execution trace"), origin,
                message("record it with PyTorch's ExecutionTraceObserver"));
  }
  std::ranges::stable_sort(out.nodes, {}, &ExecutionNode::id);
  return out;
}

}  // namespace iosx::external
