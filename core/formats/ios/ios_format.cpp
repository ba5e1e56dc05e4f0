#include "core/formats/ios/ios_format.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "core/base/check.h"
#include "core/base/json/json_view.h"
#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

Extent read_extent(const JsonView& view, std::int64_t low) {
  const auto sizes = view.items(2, "integers [vertical, horizontal]");
  return {sizes[0].integer(low, kMaxExtent), sizes[1].integer(low, kMaxExtent)};
}

Shape read_shape(const JsonView& view) {
  const auto sizes = view.items(3, "integers [channels, height, width]");
  return {sizes[0].integer(1, kMaxExtent), sizes[1].integer(1, kMaxExtent), sizes[2].integer(1, kMaxExtent)};
}

Activation read_activation(const JsonView& view) {
  const std::string name = view.text(kMaxNameBytes);
  for (const auto activation : {Activation::kIdentity, Activation::kRelu, Activation::kSigmoid, Activation::kTanh}) {
    if (name == activation_name(activation)) return activation;
  }
  view.fail(message("unknown activation {}", in_quotes(name)), message("use relu, sigmoid, tanh or identity"));
  return Activation::kIdentity;
}

// Features that the format lacks but users may try: dropping them silently would compute something else.
void refuse_keys(const JsonView& view, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (view.has(key)) view.fail(message("the key '{}' is not part of this format", key), message("remove it"));
  }
}

// The names in the hint of a convolution that replaced several: "8 9 11" of convolution "8".
std::vector<std::string> replaced_names(const IosNode& node) {
  std::istringstream words(node.hint_name);
  std::vector<std::string> names;
  for (std::string word; words >> word;) names.push_back(word);
  const bool distinct = std::set<std::string>(names.begin(), names.end()).size() == names.size();
  const bool has_own = std::find(names.begin(), names.end(), node.name) != names.end();
  if (names.size() < 2 || !distinct || !has_own) names.clear();
  return names;
}

Conv read_conv(const JsonView& view, const IosNode& node) {
  refuse_keys(view, {"dilation"});
  Conv conv;
  conv.out_channels = view.at("out_channels").integer(1, kMaxExtent);
  conv.kernel = read_extent(view.at("kernel"), 1);
  conv.stride = read_extent(view.at("stride"), 1);
  conv.padding = read_extent(view.at("padding"), 0);
  conv.groups = view.at("groups").integer(1, kMaxExtent);
  conv.activation = read_activation(view.at("act"));
  conv.merged_from = replaced_names(node);
  return conv;
}

// The window of a global pool says nothing and is not kept.
Pool read_pool(const JsonView& view) {
  refuse_keys(view, {"dilation", "ceil_mode"});
  const std::string kind = view.at("pool_type").text(kMaxNameBytes);
  if (kind == "global_max") return Pool{PoolKind::kGlobalMax, {}, {}, {0, 0}, false};
  if (kind == "global_avg") return Pool{PoolKind::kGlobalAverage, {}, {}, {0, 0}, false};
  if (kind != "max" && kind != "avg") {
    view.at("pool_type")
        .fail(message("unknown pool type {}", in_quotes(kind)), message("use max, avg, global_max or global_avg"));
  }
  Pool pool;
  pool.kind = kind == "max" ? PoolKind::kMax : PoolKind::kAverage;
  pool.kernel = read_extent(view.at("kernel"), 1);
  pool.stride = read_extent(view.at("stride"), 1);
  pool.padding = read_extent(view.at("padding"), 0);
  return pool;
}

Attributes read_element(const JsonView& view) {
  const std::string op = view.at("op_type").text(kMaxNameBytes);
  if (op == "mul") return Mul{};
  if (op != "add")
    view.at("op_type").fail(message("unknown element-wise operation {}", in_quotes(op)), message("use mul or add"));
  return Add{};
}

IosValue read_value(const JsonView& view) {
  const auto parts = view.items(3, "elements [operator, begin, end]");
  IosValue value{parts[0].name(), parts[1].integer(0, kMaxExtent), parts[2].integer(1, kMaxExtent)};
  if (value.begin >= value.end) {
    view.fail(message("channels [{}, {}) of {} are empty", value.begin, value.end, in_quotes(value.producer)),
              message("begin must be less than end"));
  }
  return value;
}

std::vector<IosTerm> read_inputs(const JsonView& view) {
  std::vector<IosTerm> terms;
  for (const JsonView& item : view.items()) {
    IosTerm term;
    for (const JsonView& value : item.items()) term.push_back(read_value(value));
    if (term.empty()) item.fail(message("the term has no values"), message("remove it or name what it reads"));
    terms.push_back(std::move(term));
  }
  if (terms.empty()) view.fail(message("has no inputs"), message("every operator needs an input"));
  return terms;
}

IosNode read_node(const JsonView& unlabelled, bool inside_sequential);

void read_kind(const JsonView& view, const std::string& type, bool inside_sequential, IosNode& node) {
  if (type == "conv") {
    node.attributes = read_conv(view, node);
  } else if (type == "pool") {
    node.attributes = read_pool(view);
  } else if (type == "relu") {
    node.attributes = Activate{Activation::kRelu};
  } else if (type == "activation") {
    node.attributes = Activate{read_activation(view.at("act_type"))};
  } else if (type == "element") {
    node.attributes = read_element(view);
  } else if (type == "identity") {
    node.attributes = Identity{};
  } else if (type == "sequential" && inside_sequential) {
    view.fail(message("a sequential is inside a sequential"),
              message("write its operators directly into the outer one"));
  } else if (type == "sequential") {
    const JsonView list = view.at("nodes");
    for (const JsonView& item : list.items()) node.nodes.push_back(read_node(item, true));
    if (node.nodes.empty()) list.fail(message("a sequential needs operators"));
  } else if (type == "placeholder") {
    view.fail(message("a placeholder inside a block"), message("the network's only placeholder is its 'input'"));
  } else {
    view.at("type").fail(message("unknown operator type {}", in_quotes(type)),
                         message("known are conv, pool, relu, activation, element, identity, sequential"));
  }
  if (type != "sequential") node.inputs = read_inputs(view.at("inputs"));
}

void read_names(const JsonView& view, IosNode& node) {
  node.name = view.at("name").name();
  node.hint_name = view.has("hint_name") ? view.at("hint_name").text(kMaxHintBytes) : node.name;
  node.place = view.labelled(node.name).place();
}

IosNode read_node(const JsonView& unlabelled, bool inside_sequential) {
  IosNode node;
  read_names(unlabelled, node);
  const JsonView view = unlabelled.labelled(node.name);
  const std::string type = view.at("type").text(kMaxNameBytes);
  read_kind(view, type, inside_sequential, node);
  if (view.has("output_shape")) node.output_shape = read_shape(view.at("output_shape"));
  return node;
}

IosNode read_placeholder(const JsonView& view) {
  IosNode node;
  read_names(view, node);
  const std::string type = view.at("type").text(kMaxNameBytes);
  if (type != "placeholder") view.at("type").fail(message("must be 'placeholder', not {}", in_quotes(type)));
  node.output_shape = read_shape(view.at("output_shape"));
  node.attributes = Input{*node.output_shape};
  return node;
}

std::vector<IosStage> read_stages(const JsonView& view) {
  std::vector<IosStage> stages;
  for (const JsonView& stage_view : view.items()) {
    IosStage stage;
    for (const JsonView& group_view : stage_view.items()) {
      IosGroup group;
      for (const JsonView& unit : group_view.items()) group.push_back(unit.name());
      if (group.empty()) group_view.fail(message("the group is empty"), message("remove it"));
      stage.push_back(std::move(group));
    }
    if (stage.empty()) stage_view.fail(message("the stage is empty"), message("remove it"));
    stages.push_back(std::move(stage));
  }
  return stages;
}

IosBlock read_block(const JsonView& view) {
  IosBlock block;
  block.place = view.place();
  if (view.has("enter_node")) {
    const JsonView enter = view.at("enter_node");
    const bool placeholder = enter.has("type") && enter.at("type").text(kMaxNameBytes) == "placeholder";
    block.enter = placeholder ? read_placeholder(enter) : read_node(enter, false);
    if (view.has("enter_name") && view.at("enter_name").name() != block.enter->name) {
      view.at("enter_name").fail(message("is not the name of enter_node, {}", in_quotes(block.enter->name)));
    }
  }
  for (const JsonView& item : view.at("inner_nodes").items()) block.nodes.push_back(read_node(item, false));
  block.nodes.push_back(read_node(view.at("exit_node"), false));
  if (view.has("stages")) block.stages = read_stages(view.at("stages"));
  return block;
}

using OrderedJson = nlohmann::ordered_json;  // keeps the original's order of keys

OrderedJson json_of(const Shape& shape) {
  return OrderedJson::array({shape.channels(), shape.height(), shape.width()});
}
OrderedJson json_of(const Extent& extent) { return OrderedJson::array({extent.height, extent.width}); }

std::string_view pool_type(PoolKind kind) {
  switch (kind) {
    case PoolKind::kMax: return "max";
    case PoolKind::kAverage: return "avg";
    case PoolKind::kGlobalMax: return "global_max";
    case PoolKind::kGlobalAverage: return "global_avg";
  }
  return "max";
}

OrderedJson inputs_of(const IosNode& node) {
  OrderedJson terms = OrderedJson::array();
  for (const IosTerm& term : node.inputs) {
    OrderedJson values = OrderedJson::array();
    for (const IosValue& value : term) values.push_back(OrderedJson::array({value.producer, value.begin, value.end}));
    terms.push_back(std::move(values));
  }
  return terms;
}

// Writes the node's type and, after its inputs, the format's other keys of the operator.
struct Words {
  OrderedJson& json;
  const IosNode& node;

  void begin(std::string_view type) const {
    json["type"] = type;
    json["name"] = node.name;
    json["hint_name"] = node.hint_name;
  }
  void begin_with_inputs(std::string_view type) const {
    begin(type);
    json["inputs"] = inputs_of(node);
  }

  void operator()(const Input& /*input*/) const { begin("placeholder"); }
  void operator()(const Conv& conv) const {
    begin_with_inputs("conv");
    json["out_channels"] = conv.out_channels;
    json["kernel"] = json_of(conv.kernel);
    json["stride"] = json_of(conv.stride);
    json["padding"] = json_of(conv.padding);
    json["groups"] = conv.groups;
    json["act"] = activation_name(conv.activation);
  }
  void operator()(const Pool& pool) const {
    begin_with_inputs("pool");
    json["pool_type"] = pool_type(pool.kind);
    json["kernel"] = json_of(pool.kernel);
    json["stride"] = json_of(pool.stride);
    json["padding"] = json_of(pool.padding);
  }
  void operator()(const Activate& activate) const {
    if (activate.function == Activation::kRelu) return begin_with_inputs("relu");
    begin_with_inputs("activation");
    json["act_type"] = activation_name(activate.function);
    json["inplace"] = false;
  }
  void operator()(const OneOf<Add, Mul> auto& element) const {
    begin_with_inputs("element");
    json["op_type"] = kind_name(element);
  }
  void operator()(const Identity& /*identity*/) const { begin_with_inputs("identity"); }
  // The format has no words for these: unit_to_ios() says them with others, or is refused.
  void otherwise() const { IOS_CHECK(false); }
};

OrderedJson json_of(const IosNode& node) {
  OrderedJson json;
  const Words words{json, node};
  if (node.sequential()) {
    words.begin("sequential");
    OrderedJson nodes = OrderedJson::array();
    for (const IosNode& inner : node.nodes) nodes.push_back(json_of(inner));
    json["nodes"] = std::move(nodes);
  } else {
    visit_kind(words, node.attributes);
  }
  if (node.output_shape) json["output_shape"] = json_of(*node.output_shape);
  return json;
}

OrderedJson json_of(const IosBlock& block) {
  OrderedJson json;
  if (block.enter) {
    json["enter_name"] = block.enter->name;
    json["enter_node"] = json_of(*block.enter);
  }
  OrderedJson inner = OrderedJson::array();
  for (std::size_t i = 0; i + 1 < block.nodes.size(); ++i) inner.push_back(json_of(block.nodes[i]));
  json["inner_nodes"] = std::move(inner);
  json["exit_node"] = json_of(block.nodes.back());
  json["stages"] = block.stages;
  return json;
}

}  // namespace

bool agree(const IosNode& a, const IosNode& b) {
  if (a.name != b.name || a.hint_name != b.hint_name || a.attributes != b.attributes || a.inputs != b.inputs)
    return false;
  if (a.output_shape && b.output_shape && a.output_shape != b.output_shape) return false;
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), agree);
}

Result<IosDocument> read_ios_document(std::string_view text, const std::string& origin) {
  IOS_TRY(const auto json, parse_json(text, origin));
  FirstError errors(origin);
  const JsonView view(json, errors);
  if (view.has("format")) {
    const std::string format = view.at("format").text(kMaxNameBytes);
    if (format == "iosx-schedule") {
      view.fail(message("this is a schedule, not a network"), message("open the network first, then the schedule"));
    }
  }
  IosDocument document;
  document.name = view.at("name").name();
  document.input = read_placeholder(view.at("input"));
  const JsonView blocks = view.at("blocks");
  for (const JsonView& item : blocks.items()) document.blocks.push_back(read_block(item));
  if (document.blocks.empty())
    blocks.fail(message("there are no blocks"), message("a network needs at least one operator"));
  if (errors.error()) return tl::unexpected(*errors.error());
  return document;
}

std::string write_ios_document(const IosDocument& document) {
  OrderedJson json;
  json["name"] = document.name;
  json["input"] = json_of(document.input);
  OrderedJson blocks = OrderedJson::array();
  for (const IosBlock& block : document.blocks) blocks.push_back(json_of(block));
  json["blocks"] = std::move(blocks);
  // Names need not be UTF-8 (a builder takes any bytes), so invalid bytes are replaced.
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace iosx
