#include <string_view>

#include "core/import/ios_format.h"
#include "core/import/json_view.h"

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

std::string_view type_of(const IosNode& node) {
  if (node.sequential()) return "sequential";
  const Attributes& attributes = node.attributes;
  if (std::holds_alternative<Input>(attributes)) return "placeholder";
  if (std::holds_alternative<Conv>(attributes)) return "conv";
  if (std::holds_alternative<Pool>(attributes)) return "pool";
  if (const auto* activate = std::get_if<Activate>(&attributes)) {
    return activate->function == Activation::kRelu ? "relu" : "activation";
  }
  if (std::holds_alternative<Add>(attributes) || std::holds_alternative<Mul>(attributes)) return "element";
  return "identity";
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

void write_attributes(const Attributes& attributes, OrderedJson& json) {
  if (const auto* conv = std::get_if<Conv>(&attributes)) {
    json["out_channels"] = conv->out_channels;
    json["kernel"] = json_of(conv->kernel);
    json["stride"] = json_of(conv->stride);
    json["padding"] = json_of(conv->padding);
    json["groups"] = conv->groups;
    json["act"] = activation_name(conv->activation);
  } else if (const auto* pool = std::get_if<Pool>(&attributes)) {
    json["pool_type"] = pool_type(pool->kind);
    json["kernel"] = json_of(pool->kernel);
    json["stride"] = json_of(pool->stride);
    json["padding"] = json_of(pool->padding);
  } else if (const auto* activate = std::get_if<Activate>(&attributes)) {
    if (activate->function == Activation::kRelu) return;
    json["act_type"] = activation_name(activate->function);
    json["inplace"] = false;
  } else if (std::holds_alternative<Add>(attributes) || std::holds_alternative<Mul>(attributes)) {
    json["op_type"] = std::holds_alternative<Add>(attributes) ? "add" : "mul";
  }
}

OrderedJson json_of(const IosNode& node) {
  OrderedJson json;
  json["type"] = type_of(node);
  json["name"] = node.name;
  json["hint_name"] = node.hint_name;
  if (node.sequential()) {
    OrderedJson nodes = OrderedJson::array();
    for (const IosNode& inner : node.nodes) nodes.push_back(json_of(inner));
    json["nodes"] = std::move(nodes);
  } else if (!std::holds_alternative<Input>(node.attributes)) {
    json["inputs"] = inputs_of(node);
    write_attributes(node.attributes, json);
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
  // Names need not be UTF-8 (a builder takes any bytes), so what is not is replaced.
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace iosx
