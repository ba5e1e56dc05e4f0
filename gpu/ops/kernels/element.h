#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

#include "gpu/ops/kernels/host_device.h"

// Convert elements of tensors to and from the floats that kernels compute with, and to their bits.
namespace iosx::gpu::kernels {

IOS_HD float to_float(float x) { return x; }
IOS_HD float to_float(__half x) { return __half2float(x); }
IOS_HD float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

// Converts to the nearest number of the type, ties to even.
template <class T>
struct FromFloat;
template <>
struct FromFloat<float> {
  IOS_HD static float of(float x) { return x; }
};
template <>
struct FromFloat<__half> {
  IOS_HD static __half of(float x) { return __float2half_rn(x); }
};
template <>
struct FromFloat<__nv_bfloat16> {
  IOS_HD static __nv_bfloat16 of(float x) { return __float2bfloat16_rn(x); }
};

IOS_HD std::uint32_t bits_of(std::uint16_t x) { return x; }
IOS_HD std::uint32_t bits_of(std::uint32_t x) { return x; }
IOS_HD std::uint32_t bits_of(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
}
IOS_HD std::uint32_t bits_of(__half x) { return static_cast<__half_raw>(x).x; }
IOS_HD std::uint32_t bits_of(__nv_bfloat16 x) { return static_cast<__nv_bfloat16_raw>(x).x; }

}  // namespace iosx::gpu::kernels
