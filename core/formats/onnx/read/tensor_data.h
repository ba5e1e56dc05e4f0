#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"
#include "core/formats/onnx/read/external_data.h"

namespace iosx::onnx_import {

// Returns a tensor's values, from the message itself or from a file beside the model. It frees the data that the
// message holds, so that a large model is not in memory twice. Types that we do not support give an opaque tensor.
// `where` names the tensor in errors, which are: dims that are negative or too large, data that does not fit the dims,
// segments, and what ExternalFolder says.
Result<HostTensor> take_tensor(onnx::TensorProto& tensor, ExternalFolder& folder, const std::string& where);

// Returns the dense form of a sparse tensor.
Result<HostTensor> take_sparse_tensor(onnx::SparseTensorProto& tensor, ExternalFolder& folder,
                                      const std::string& where);

}  // namespace iosx::onnx_import
