#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace iosx {

// A float32 tensor in host memory, row-major in the order of its dims. Copies share the elements, which never
// change.
class Tensor {
 public:
  Tensor() = default;  // none: empty() is true
  // The product of the dims must be the number of elements; no dims mean one element.
  Tensor(std::vector<std::int64_t> dims, std::vector<float> elements)
      : dims_(std::move(dims)), elements_(std::make_shared<const std::vector<float>>(std::move(elements))) {}
  // Takes shared elements; not null.
  Tensor(std::vector<std::int64_t> dims, std::shared_ptr<const std::vector<float>> elements)
      : dims_(std::move(dims)), elements_(std::move(elements)) {}

  bool empty() const { return elements_ == nullptr; }
  std::span<const std::int64_t> dims() const { return dims_; }
  std::span<const float> elements() const {
    return elements_ ? std::span<const float>(*elements_) : std::span<const float>();
  }

 private:
  std::vector<std::int64_t> dims_;
  std::shared_ptr<const std::vector<float>> elements_;
};

}  // namespace iosx
