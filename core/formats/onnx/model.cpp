#include "core/formats/onnx/model.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/text.h"

namespace iosx::onnx_import {
namespace {

const std::string* name_at(const std::vector<std::string>& names, std::size_t i) {
  return i < names.size() && !names[i].empty() ? &names[i] : nullptr;
}

// Returns the attribute's value if there is one and it is a T.
template <typename T>
Result<std::optional<T>> typed_attribute(const Node& node, std::string_view name, std::string_view kind) {
  const Attribute* const attribute = find_attribute(node, name);
  if (attribute == nullptr) return std::nullopt;
  if (const T* const value = std::get_if<T>(attribute)) return *value;
  return fail(message("its attribute {} is not {}", name_text(name), kind), node.where(),
              message("export the model again"));
}

template <typename T>
Result<T> attribute_or(const Node& node, std::string_view name, T absent, std::string_view kind) {
  IOS_TRY(auto value, typed_attribute<T>(node, name, kind));
  return std::move(value).value_or(std::move(absent));
}

}  // namespace

std::string name_text(std::string_view name) {
  constexpr std::size_t kMost = 120;
  if (name.size() <= kMost) return fmt::format("'{}'", name);
  return fmt::format("'{}…'", name.substr(0, character_until(name, kMost)));
}

std::string Node::where() const {
  if (name.empty()) return fmt::format("node {} ({})", index, op_type.substr(0, 60));
  return fmt::format("node {} ({} {})", index, op_type.substr(0, 60), name_text(name));
}

const std::string* Node::input(std::size_t i) const { return name_at(inputs, i); }
const std::string* Node::output(std::size_t i) const { return name_at(outputs, i); }

std::int64_t OnnxModel::opset() const {
  const auto found = opsets.find(std::string_view());
  return found == opsets.end() ? 0 : found->second;
}

const Attribute* find_attribute(const Node& node, std::string_view name) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? nullptr : &found->second;
}

std::size_t bytes_of(const Node& node) {
  std::size_t bytes = node.name.size() + node.op_type.size() + node.domain.size();
  for (const auto* names : {&node.inputs, &node.outputs}) {
    for (const std::string& name : *names) bytes += sizeof(name) + name.size();
  }
  for (const auto& [name, attribute] : node.attributes) {
    bytes += sizeof(attribute) + name.size();
    if (const auto* text = std::get_if<std::string>(&attribute)) bytes += text->size();
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&attribute))
      bytes += list->size() * sizeof((*list)[0]);
    if (const auto* list = std::get_if<std::vector<float>>(&attribute)) bytes += list->size() * sizeof((*list)[0]);
    if (const auto* list = std::get_if<std::vector<std::string>>(&attribute)) {
      for (const std::string& text : *list) bytes += sizeof(text) + text.size();
    }
    if (const auto* graphs = std::get_if<Subgraphs>(&attribute)) {
      for (const std::string& text : graphs->names) bytes += sizeof(text) + text.size();
      for (const std::string& text : graphs->captures) bytes += sizeof(text) + text.size();
      if (graphs->branch == nullptr) continue;  // else it may come to stand for the copy
      for (const Node& inner : graphs->branch->nodes) bytes += sizeof(inner) + bytes_of(inner);
    }
  }
  return bytes;
}

Result<std::int64_t> int_attribute(const Node& node, std::string_view name, std::int64_t absent) {
  return attribute_or<std::int64_t>(node, name, absent, "an integer");
}

Result<float> float_attribute(const Node& node, std::string_view name, float absent) {
  return attribute_or<float>(node, name, absent, "a number");
}

Result<std::string> string_attribute(const Node& node, std::string_view name, std::string absent) {
  return attribute_or<std::string>(node, name, std::move(absent), "a text");
}

Result<std::optional<std::vector<std::int64_t>>> ints_attribute(const Node& node, std::string_view name) {
  return typed_attribute<std::vector<std::int64_t>>(node, name, "a list of integers");
}

Result<std::optional<std::vector<float>>> floats_attribute(const Node& node, std::string_view name) {
  return typed_attribute<std::vector<float>>(node, name, "a list of numbers");
}

}  // namespace iosx::onnx_import
