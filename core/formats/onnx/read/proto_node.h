#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/model.h"
#include "core/formats/onnx/read/external_data.h"
#include "core/formats/onnx/read/functions.h"

// Convert nodes, attributes, functions and declared shapes from protobuf messages to plain values. The data of tensors
// is moved out of the messages.
namespace iosx::onnx_import {

std::string domain_of(const std::string& written);  // "ai.onnx" is ""

Result<FunctionNode> take_node(onnx::NodeProto& proto, std::size_t index, ExternalFolder& folder);
Result<Function> take_function(onnx::FunctionProto& proto, ExternalFolder& folder);
ValueInfo read_value_info(const onnx::ValueInfoProto& proto);

}  // namespace iosx::onnx_import
