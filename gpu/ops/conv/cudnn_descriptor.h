#pragma once

#include <cudnn_graph.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Owns cuDNN's backend descriptors with types. Every function throws GpuError with cuDNN's message.
namespace iosx::gpu {

void check_cudnn(cudnnStatus_t status, std::string_view what);

namespace detail {
template <typename T>
constexpr cudnnBackendAttributeType_t attribute_type() {
  if constexpr (std::same_as<T, std::int64_t>) return CUDNN_TYPE_INT64;
  if constexpr (std::same_as<T, std::int32_t>) return CUDNN_TYPE_INT32;
  if constexpr (std::same_as<T, bool>) return CUDNN_TYPE_BOOLEAN;
  if constexpr (std::same_as<T, float>) return CUDNN_TYPE_FLOAT;
  if constexpr (std::same_as<T, double>) return CUDNN_TYPE_DOUBLE;
  if constexpr (std::same_as<T, char>) return CUDNN_TYPE_CHAR;
  if constexpr (std::same_as<T, void*>) return CUDNN_TYPE_VOID_PTR;
  if constexpr (std::same_as<T, cudnnHandle_t>) return CUDNN_TYPE_HANDLE;
  if constexpr (std::same_as<T, cudnnDataType_t>) return CUDNN_TYPE_DATA_TYPE;
  if constexpr (std::same_as<T, cudnnConvolutionMode_t>) return CUDNN_TYPE_CONVOLUTION_MODE;
  if constexpr (std::same_as<T, cudnnPointwiseMode_t>) return CUDNN_TYPE_POINTWISE_MODE;
  if constexpr (std::same_as<T, cudnnBackendHeurMode_t>) return CUDNN_TYPE_HEUR_MODE;
  if constexpr (std::same_as<T, cudnnBackendNumericalNote_t>) return CUDNN_TYPE_NUMERICAL_NOTE;
  if constexpr (std::same_as<T, cudnnBackendBehaviorNote_t>) return CUDNN_TYPE_BEHAVIOR_NOTE;
  if constexpr (std::same_as<T, cudnnBackendKnobType_t>) return CUDNN_TYPE_KNOB_TYPE;
}
}  // namespace detail

class Descriptor {
 public:
  explicit Descriptor(cudnnBackendDescriptorType_t type);
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  cudnnBackendDescriptor_t raw() const { return raw_; }

  template <typename T>
  void set(cudnnBackendAttributeName_t name, const T& value) {
    set_raw(name, detail::attribute_type<T>(), 1, &value);
  }
  void set(cudnnBackendAttributeName_t name, const Descriptor& value) { set_descriptors(name, {&value.raw_, 1}); }
  template <typename T>
  void set_all(cudnnBackendAttributeName_t name, std::span<const T> values) {
    set_raw(name, detail::attribute_type<T>(), static_cast<std::int64_t>(values.size()), values.data());
  }
  // In cuDNN's type system a descriptor's address is a void*, so they need a separate name.
  void set_descriptors(cudnnBackendAttributeName_t name, std::span<const cudnnBackendDescriptor_t> values) {
    set_raw(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<std::int64_t>(values.size()), values.data());
  }
  // No attribute may be set afterwards, and most can be read only then.
  void finalize();

  template <typename T>
  T get(cudnnBackendAttributeName_t name) const {
    T value{};
    get_raw(name, detail::attribute_type<T>(), 1, &value);
    return value;
  }
  // Returns all values of the attribute.
  template <typename T>
  std::vector<T> get_all(cudnnBackendAttributeName_t name) const {
    std::vector<T> values(static_cast<std::size_t>(count(name, detail::attribute_type<T>())));
    if (values.empty()) return values;
    const auto size = static_cast<std::int64_t>(values.size());
    values.resize(static_cast<std::size_t>(get_raw(name, detail::attribute_type<T>(), size, values.data())));
    return values;
  }
  // For attributes that do not tell their count; reads up to `room`.
  std::vector<Descriptor> descriptors(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                      std::int64_t room = 1) const;
  std::string text(cudnnBackendAttributeName_t name) const;

 private:
  void set_raw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
               const void* values);
  std::int64_t count(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type) const;
  // Returns the number of values written, at most `room`.
  std::int64_t get_raw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t room,
                       void* values) const;

  cudnnBackendDescriptor_t raw_ = nullptr;
};

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
  std::int64_t multiprocessors() const { return multiprocessors_; }
  void put_on_engine(Descriptor& engine) const;
  void put_on_heuristics(Descriptor& heuristics) const;
  void put_on_plan(Descriptor& plan) const;

 private:
  CudnnTarget() = default;

  std::string identity_;
  std::int64_t multiprocessors_ = 0;
  int device_ = 0;
  cudnnHandle_t handle_ = nullptr;        // owned
  std::optional<Descriptor> properties_;  // of a described GPU
};

}  // namespace iosx::gpu
