#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gpu/ops/conv/cudnn_descriptor.h"

namespace iosx::gpu {

// Returns cuDNN's description of a GPU as JSON: everything on which its choices depend. Needs the GPU; throws GpuError.
std::string device_description(int device);

// The GPU for which plans are made: an existing one or a described one, which needs no driver.
class CudnnTarget {
 public:
  static std::shared_ptr<const CudnnTarget> live(int device);
  static std::shared_ptr<const CudnnTarget> described(const std::string& json);
  ~CudnnTarget();
  CudnnTarget(const CudnnTarget&) = delete;
  CudnnTarget& operator=(const CudnnTarget&) = delete;

  // Returns model, generation and number of multiprocessors: plans are stored for GPUs that agree in them.
  const std::string& identity() const { return identity_; }
  cudnnHandle_t handle() const { return handle_; }  // null: described
  // Makes an existing GPU the calling thread's current one, into which plans compiled at run time are loaded.
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
