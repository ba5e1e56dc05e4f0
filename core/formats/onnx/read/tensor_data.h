#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"
#include "core/formats/onnx/read/external_data.h"

namespace iosx::onnx_import {

// Returns a tensor's values, from the message or another file. It frees the message's data, so that a large model is
// not in memory twice. Unsupported types give an opaque tensor. `where` names the tensor in errors: negative or too
// large dims, data that does not fit the dims, segments, and those of ExternalFolder.
Result<HostTensor> take_tensor(onnx::TensorProto& tensor, ExternalFolder& folder, const std::string& where);

// Returns the dense form of a sparse tensor.
Result<HostTensor> take_sparse_tensor(onnx::SparseTensorProto& tensor, ExternalFolder& folder,
                                      const std::string& where);

}  // namespace iosx::onnx_import
