#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json/json_stream.h"
#include "core/base/text.h"
#include "core/formats/external/open_recording.h"

namespace iosx::external {
namespace {

using Node = nlohmann::json;

constexpr std::size_t kMostNodes = 4 * kMostSpans;
constexpr std::size_t kMostValues = 1'000'000;  // of one node
constexpr std::size_t kMostAccesses = 20'000'000;
constexpr std::size_t kMostBrackets = 64;

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

// Builds one node at a time.
class NodeReader final : public JsonSink {
 public:
  ExecutionTrace out;
  bool has_nodes = false;
  Message refusal;

  bool begin(bool object) override {
    ++depth_;
    if (depth_ == 2 && !object && key_ == "nodes") in_nodes_ = has_nodes = true;
    if (!in_nodes_ || depth_ < 3) return true;
    if (open_.size() >= kMostBrackets) return refuse(message("brackets are nested more than {} deep", kMostBrackets));
    Node* const made = depth_ == 3 ? &(node_ = Node()) : add(Node());
    if (made == nullptr) return refuse(message("one of its nodes has more than {} values", kMostValues));
    *made = object ? Node::object() : Node::array();
    open_.push_back(made);
    return true;
  }
  bool end(bool /*object*/) override {
    if (depth_ == 2) in_nodes_ = false;
    if (in_nodes_ && depth_ >= 3) open_.pop_back();
    return --depth_ != 2 || !in_nodes_ || take();
  }
  bool key(std::string_view text) override {
    key_ = text;
    return true;
  }
  bool string(std::string_view text) override { return !inside() || add(Node(std::string(text))) != nullptr || full(); }
  bool number(std::string_view text) override {
    if (!inside()) return true;
    if (const auto value = read_number<std::int64_t>(text)) return add(Node(*value)) != nullptr || full();
    return add(Node(read_number<double>(text).value_or(0))) != nullptr || full();
  }
  bool literal() override { return !inside() || add(Node()) != nullptr || full(); }

 private:
  bool inside() const { return in_nodes_ && depth_ >= 3; }
  bool refuse(Message why) {
    refusal = std::move(why);
    return false;
  }
  bool full() { return refuse(message("one of its nodes has more than {} values", kMostValues)); }

  Node* add(Node value) {
    if (++values_ > kMostValues) return nullptr;
    Node& list = *open_.back();
    if (list.is_array()) {
      list.push_back(std::move(value));
      return &list.back();
    }
    Node& place = list[key_];
    place = std::move(value);
    return &place;
  }

  bool take() {
    values_ = 0;
    if (!node_.is_object()) return true;
    if (out.nodes.size() == kMostNodes) return refuse(message("has more than {} operators", kMostNodes));
    ExecutionNode node = node_of(node_);
    accesses_ += node.reads.size() + node.writes.size() + node.fresh.size();
    if (accesses_ > kMostAccesses) return refuse(message("has more than {} tensors", kMostAccesses));
    out.nodes.push_back(std::move(node));
    return true;
  }

  Node node_;
  std::vector<Node*> open_;
  std::string key_;
  std::size_t depth_ = 0;
  bool in_nodes_ = false;
  std::size_t values_ = 0;
  std::size_t accesses_ = 0;
};

}  // namespace

bool is_execution_trace(std::string_view head) {
  const auto has = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
  return has("\"nodes\"") && has("\"schema\"") && !has("\"traceEvents\"");
}

Result<ExecutionTrace> read_execution_trace(ByteSource& source, const std::string& origin) {
  NodeReader reader;
  IOS_TRY(const auto fault, stream_json(source, reader));
  if (!reader.refusal.empty()) return fail(reader.refusal, origin, message("record fewer steps"));
  if (fault) {
    return fail(message("is not valid JSON: {}", fault->what),
                fmt::format("{}: line {}, column {}", origin, fault->line, fault->column),
                message("check that it is the right file, and complete"));
  }
  if (!reader.has_nodes || reader.out.nodes.empty()) {
    return fail(message("is JSON, but no execution trace"), origin,
                message("record it with PyTorch's ExecutionTraceObserver"));
  }
  std::ranges::stable_sort(reader.out.nodes, {}, &ExecutionNode::id);
  return std::move(reader.out);
}

}  // namespace iosx::external
