#pragma once

namespace iosx::gpu {

// The base of what has several implementations: it is destroyed through a pointer and never copied.
class Interface {
 public:
  Interface() = default;
  virtual ~Interface() = default;
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
};

}  // namespace iosx::gpu
