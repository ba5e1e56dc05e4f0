#include <string_view>

#include "core/base/check.h"
#include "core/base/json/json_view.h"
#include "core/formats/ios/ios_format.h"
#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

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
