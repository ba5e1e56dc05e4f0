#pragma once

#include <optional>
#include <string>

namespace iosx {

// Keeps the chosen method of a device per problem, from run to run. Methods round differently and the fastest is found
// by trials: without a keeper two runs could give outputs that differ in their last bits. Problems and methods are
// texts of the device.
class MethodKeeper {
 public:
  virtual ~MethodKeeper() = default;

  // Returns the kept method of the problem; none where there is none or it cannot be read.
  virtual std::optional<std::string> find(const std::string& problem) = 0;
  // Keeps the method, unless another process has kept one since, and returns the valid one.
  virtual std::string keep(const std::string& problem, const std::string& method) = 0;
};

}  // namespace iosx
