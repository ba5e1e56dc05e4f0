#include "gpu/ops/conv/cudnn_target.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "gpu/ops/conv/sealed_text.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

std::string identity_of(const std::string& description) {
  const auto json = nlohmann::json::parse(description, nullptr, false);
  std::string identity;
  for (const char* name : {"deviceName", "deviceVer", "multiProcessorCount"}) {
    const auto field = json.is_object() ? json.find(name) : json.end();
    if (!json.is_object() || field == json.end()) return hex(hash_of(description));
    identity += fmt::format("{}{}", identity.empty() ? "" : " ",
                            field->is_string() ? field->get<std::string>() : field->dump());
  }
  return identity;
}

void check_cuda(cudaError_t error, int device) {
  if (error != cudaSuccess) throw GpuError(fmt::format("CUDA, using GPU {}: {}", device, cudaGetErrorString(error)));
}

}  // namespace

std::string device_description(int device) {
  Descriptor properties(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
  properties.set(CUDNN_ATTR_DEVICEPROP_DEVICE_ID, std::int32_t{device});
  properties.finalize();
  return properties.text(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION);
}

std::shared_ptr<const CudnnTarget> CudnnTarget::live(int device) {
  const std::shared_ptr<CudnnTarget> target(new CudnnTarget());
  target->device_ = device;
  target->make_current();
  check_cudnn(cudnnCreate(&target->handle_), "starting cuDNN");
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device), device);
  target->identity_ =
      fmt::format("{} {}{}0 {}", properties.name, properties.major, properties.minor, properties.multiProcessorCount);
  return target;
}

void CudnnTarget::make_current() const {
  if (!properties_) check_cuda(cudaSetDevice(device_), device_);
}

std::shared_ptr<const CudnnTarget> CudnnTarget::described(const std::string& json) {
  const std::shared_ptr<CudnnTarget> target(new CudnnTarget());
  Descriptor& properties = target->properties_.emplace(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
  properties.set_all<char>(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, json);
  properties.finalize();
  target->identity_ = identity_of(json);
  return target;
}

CudnnTarget::~CudnnTarget() {
  if (handle_ != nullptr) cudnnDestroy(handle_);
}

void CudnnTarget::put_on_heuristics(Descriptor& heuristics) const {
  if (properties_) heuristics.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, *properties_);
}

void CudnnTarget::put_on_plan(Descriptor& plan) const {
  if (properties_) {
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, *properties_);
  } else {
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, handle_);
  }
}

}  // namespace iosx::gpu
