#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"

namespace iosx::onnx_import {

// The place of a tensor in another file.
struct ExternalRange {
  std::string location;  // as in the model: relative to its folder
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

// The folder of a model, the only place from which external data is read.
class ExternalFolder {
 public:
  // An empty folder means that the model does not come from a file, and has no external data.
  explicit ExternalFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Returns the file of a location. Errors: absolute paths, paths that leave the folder (by ".." or a symbolic link),
  // and files that are not regular. `where` names the tensor in errors.
  Result<std::filesystem::path> resolve(const std::string& location, const std::string& where) const;
  // Checks that offset and length lie in the file.
  Result<void> check(const ExternalRange&, const std::string& where) const;
  // Fills `bytes`, whose size is the length, after the checks above. A file may be read a few times over at most,
  // because many tensors of one range would take more memory than the file.
  Result<void> read(const ExternalRange&, std::span<std::byte> bytes, const std::string& where);
  // Counts memory of a tensor that is larger than its data in the file: the dense form of a sparse one.
  Result<void> grow(std::uint64_t bytes, const std::string& where);
  // Does the same for integers of 8 and 16 bits, which take eight bytes each in a HostTensor. Returns false, and
  // counts nothing, once those of the whole model would take too many.
  bool widen(std::uint64_t bytes);
  // Returns the size of the file in bytes.
  Result<std::uint64_t> size(const std::string& location, const std::string& where) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::uint64_t> bytes_read_;  // by location
  std::uint64_t bytes_grown_ = 0;
  std::uint64_t bytes_widened_ = 0;
};

// Returns a tensor's values, from the message or another file. It frees the message's data, so that a large model is
// not in memory twice. Unsupported types give an opaque tensor. `where` names the tensor in errors: negative or too
// large dims, data that does not fit the dims, segments, and those of ExternalFolder.
Result<HostTensor> take_tensor(onnx::TensorProto& tensor, ExternalFolder& folder, const std::string& where);

// Returns the dense form of a sparse tensor.
Result<HostTensor> take_sparse_tensor(onnx::SparseTensorProto& tensor, ExternalFolder& folder,
                                      const std::string& where);

}  // namespace iosx::onnx_import
