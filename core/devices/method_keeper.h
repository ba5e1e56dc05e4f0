#pragma once

#include <optional>
#include <string>

namespace iosx {

// Keeps which of several methods a device computes a problem by, from run to run. Methods round differently, and which
// one is the fastest is found out by trying them: without a keeper two runs could give outputs that differ in their
// last bits. Problems and methods are the device's own words.
class MethodKeeper {
 public:
  virtual ~MethodKeeper() = default;

  // Returns the method that is kept for the problem; nothing where none is, or where it cannot be read.
  virtual std::optional<std::string> find(const std::string& problem) = 0;
  // Keeps the method, unless another process has kept one since, and returns the one that counts from now on.
  virtual std::string keep(const std::string& problem, const std::string& method) = 0;
};

}  // namespace iosx
