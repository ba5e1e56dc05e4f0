#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "core/base/result.h"

namespace iosx::onnx_import {

// Says where a file beside the model keeps a tensor.
struct ExternalRange {
  std::string location;  // as the model writes it: relative to its folder
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

// Is the folder of a model: the only place that external data is read from.
class ExternalFolder {
 public:
  // An empty folder says that the model does not come from a file, and has no external data.
  explicit ExternalFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Returns the file behind a location. Absolute paths and those that leave the folder, by ".." or by a symbolic link,
  // are refused, and so is what is not a regular file. `where` names the tensor in errors.
  Result<std::filesystem::path> resolve(const std::string& location, const std::string& where) const;
  // Checks that offset and length lie in the file.
  Result<void> check(const ExternalRange&, const std::string& where) const;
  // Fills `bytes`, whose size is the length. It checks as above. A file is read a few times over at most: many tensors
  // that share one range would take more memory than there are bytes.
  Result<void> read(const ExternalRange&, std::span<std::byte> bytes, const std::string& where);
  // Accounts for memory that a tensor takes though no file holds as much: the dense form of a sparse one.
  Result<void> grow(std::uint64_t bytes, const std::string& where);
  // Does the same for integers of 8 and 16 bits, which take eight bytes each as HostTensors have them. Returns false
  // once those of the whole model would take too many, and then accounts nothing.
  bool widen(std::uint64_t bytes);
  // Returns how many bytes the file behind the location has.
  Result<std::uint64_t> size(const std::string& location, const std::string& where) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::uint64_t> bytes_read_;  // by location
  std::uint64_t bytes_grown_ = 0;
  std::uint64_t bytes_widened_ = 0;
};

}  // namespace iosx::onnx_import
