#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gpu/ops/conv/cudnn_descriptor.h"

namespace iosx::gpu {

// Returns cuDNN's description of a GPU as JSON: what its choices depend on. It needs the GPU and throws GpuError.
std::string device_description(int device);

// A CudnnTarget is the GPU that plans are made for: one that is there, or one that is only described. For the latter no
// driver is needed.
class CudnnTarget {
 public:
  static std::shared_ptr<const CudnnTarget> live(int device);
  static std::shared_ptr<const CudnnTarget> described(const std::string& json);
  ~CudnnTarget();
  CudnnTarget(const CudnnTarget&) = delete;
  CudnnTarget& operator=(const CudnnTarget&) = delete;

  // Returns model, generation and number of multiprocessors: plans are kept for GPUs that agree in them.
  const std::string& identity() const { return identity_; }
  cudnnHandle_t handle() const { return handle_; }  // null: described
  // Makes a GPU that is there the calling thread's current one: plans compiled at run time are loaded into that.
  void make_current() const;
  void put_on_heuristics(Descriptor& heuristics) const;
  void put_on_plan(Descriptor& plan) const;

 private:
  CudnnTarget() = default;

  std::string identity_;
  int device_ = 0;
  cudnnHandle_t handle_ = nullptr;        // owned
  std::optional<Descriptor> properties_;  // of a described GPU
};

}  // namespace iosx::gpu
