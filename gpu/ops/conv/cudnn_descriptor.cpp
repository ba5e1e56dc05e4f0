#include "gpu/ops/conv/cudnn_descriptor.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {

void check_cudnn(cudnnStatus_t status, std::string_view what) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  std::array<char, 1024> detail{};
  cudnnGetLastErrorString(detail.data(), detail.size());
  throw GpuError(
      fmt::format("cuDNN, {}: {}{}{}", what, cudnnGetErrorString(status), detail[0] != 0 ? ": " : "", detail.data()));
}

Descriptor::Descriptor(cudnnBackendDescriptorType_t type) {
  check_cudnn(cudnnBackendCreateDescriptor(type, &raw_), "creating a descriptor");
}

Descriptor::~Descriptor() {
  if (raw_ != nullptr) cudnnBackendDestroyDescriptor(raw_);
}

void Descriptor::finalize() { check_cudnn(cudnnBackendFinalize(raw_), "checking a descriptor"); }

void Descriptor::set_raw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
                         const void* values) {
  const cudnnStatus_t status = cudnnBackendSetAttribute(raw_, name, type, count, values);
  if (status != CUDNN_STATUS_SUCCESS) check_cudnn(status, fmt::format("setting attribute {}", static_cast<int>(name)));
}

std::int64_t Descriptor::count(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type) const {
  std::int64_t count = 0;
  const cudnnStatus_t status = cudnnBackendGetAttribute(raw_, name, type, 0, &count, nullptr);
  if (status != CUDNN_STATUS_SUCCESS) check_cudnn(status, fmt::format("counting attribute {}", static_cast<int>(name)));
  return count;
}

std::int64_t Descriptor::get_raw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t room,
                                 void* values) const {
  std::int64_t count = 0;
  const cudnnStatus_t status = cudnnBackendGetAttribute(raw_, name, type, room, &count, values);
  if (status != CUDNN_STATUS_SUCCESS) check_cudnn(status, fmt::format("reading attribute {}", static_cast<int>(name)));
  return std::min(count, room);
}

std::vector<Descriptor> Descriptor::descriptors(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                                std::int64_t room) const {
  room = std::max(room, count(name, CUDNN_TYPE_BACKEND_DESCRIPTOR));
  std::vector<Descriptor> made;
  std::vector<cudnnBackendDescriptor_t> raw;
  for (std::int64_t i = 0; i < room; ++i) raw.push_back(made.emplace_back(type).raw());
  made.erase(made.begin() + get_raw(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, room, raw.data()), made.end());
  return made;
}

std::string Descriptor::text(cudnnBackendAttributeName_t name) const {
  const std::vector<char> characters = get_all<char>(name);
  std::string text(characters.begin(), characters.end());
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

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

// Returns 1 where a description does not tell.
std::int64_t multiprocessors_of(const std::string& description) {
  const auto json = nlohmann::json::parse(description, nullptr, false);
  const auto field = json.is_object() ? json.find("multiProcessorCount") : json.end();
  return field != json.end() && field->is_number_integer() ? std::max<std::int64_t>(field->get<std::int64_t>(), 1) : 1;
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
  target->multiprocessors_ = properties.multiProcessorCount;
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
  target->multiprocessors_ = multiprocessors_of(json);
  return target;
}

CudnnTarget::~CudnnTarget() {
  if (handle_ != nullptr) cudnnDestroy(handle_);
}

void CudnnTarget::put_on_engine(Descriptor& engine) const {
  if (properties_) engine.set(CUDNN_ATTR_ENGINE_DEVICEPROP, *properties_);
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
