#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/model.h"
#include "core/formats/onnx/read/tensor_data.h"

namespace iosx::onnx_import {

// A function that the model defines: nodes that call it stand for its body.
struct Function {
  std::string domain;
  std::string name;
  std::string overload = {};  // distinguishes those of one name
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Node> nodes;
  std::map<std::string, Attribute, std::less<>> defaults;  // of attributes that a call may leave out
  std::map<std::string, std::int64_t, std::less<>> opsets;

  std::string where() const;  // for messages
};

// Replaces every node that calls a function, in branches too, by the function's body, whose tensors get new names.
// Domains that only functions import are added to `opsets`. Errors name the function: two of one name and overload,
// recursion, another version of a domain than the model's, and more than a million nodes.
Result<std::vector<Node>> inline_functions(std::vector<Node> nodes, const std::vector<Function>& functions,
                                           std::map<std::string, std::int64_t, std::less<>>& opsets);

// Convert nodes, attributes, functions and declared shapes from protobuf messages to plain values. The data of tensors
// is moved out of the messages.
std::string domain_of(const std::string& written);  // "ai.onnx" is ""

Result<Node> take_node(onnx::NodeProto& proto, std::size_t index, ExternalFolder& folder);
Result<Function> take_function(onnx::FunctionProto& proto, ExternalFolder& folder);
ValueInfo read_value_info(const onnx::ValueInfoProto& proto);

}  // namespace iosx::onnx_import
