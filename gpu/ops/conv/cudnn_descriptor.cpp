#include "gpu/ops/conv/cudnn_descriptor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

}  // namespace iosx::gpu
