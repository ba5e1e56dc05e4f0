// A driver library (libcuda.so.1) made up for tests, for the GPU of machine.h: what cuDNN 9 asks of a driver while it
// compiles, builds, keeps and restores plans of a described GPU, and what CUDA's runtime asks to find out that a driver
// is too old. It loads compiled kernels as a driver would and runs none: what launches is refused.
//
// A runtime that finds this driver new enough asks it for tables that NVIDIA documents nowhere. It does not have them,
// and the runtime gives up. Tests of what comes after that use cuda_runtime.cpp.
#include <cuda.h>
#include <elf.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/gpu/driver/machine.h"

// A loaded library is the image that its owner keeps; the kernels in it are known by their names' addresses there.
struct CUlib_st {
  std::string_view image;
};

namespace {

int images = 0;
std::string kernel;  // the last one that was looked up

// Returns an ELF image's size, which nobody tells a driver: its section headers are at its end.
std::size_t size_of(const Elf64_Ehdr& header) {
  return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}

}  // namespace

extern "C" {

// Tests ask it how many compiled kernels cuDNN has had loaded in this process.
__attribute__((visibility("default"))) int made_up_images() { return images; }
// Its name tells the tile that its blocks compute.
__attribute__((visibility("default"))) const char* made_up_kernel() { return kernel.c_str(); }

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) { return *version = iosx::gpu::test::driver_cuda(), CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int* count) { return *count = 1, CUDA_SUCCESS; }
CUresult cuCtxGetCurrent(CUcontext* context) { return *context = nullptr, CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult, const char** name) { return *name = "an error of the made-up driver", CUDA_SUCCESS; }
CUresult cuGetErrorString(CUresult error, const char** text) { return cuGetErrorName(error, text); }
CUresult cuGetExportTable(const void** table, const CUuuid*) { return *table = nullptr, CUDA_ERROR_NOT_FOUND; }

// Takes machine code for this GPU only.
CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option*, void**, unsigned, CUlibraryOption*,
                           void**, unsigned) {
  Elf64_Ehdr header{};
  std::memcpy(&header, code, sizeof(header));
  const auto architecture = static_cast<int>(header.e_flags >> 8 & 0xff);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != EM_CUDA) return CUDA_ERROR_INVALID_IMAGE;
  if (architecture != iosx::gpu::test::machine().capability) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  *library = new CUlib_st{{static_cast<const char*>(code), size_of(header)}};
  ++images;
  return CUDA_SUCCESS;
}
CUresult cuLibraryUnload(CUlibrary library) { return delete library, CUDA_SUCCESS; }

CUresult cuLibraryGetKernel(CUkernel* found, CUlibrary library, const char* name) {
  kernel = name;
  const std::size_t at = library->image.find(name);
  if (at == std::string_view::npos) return CUDA_ERROR_NOT_FOUND;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast,cppcoreguidelines-pro-type-reinterpret-cast): an identity
  *found = reinterpret_cast<CUkernel>(const_cast<char*>(library->image.data() + at));
  return CUDA_SUCCESS;
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute, CUkernel, CUdevice) { return *value = 0, CUDA_SUCCESS; }
CUresult cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel, CUdevice) {
  const bool too_much =
      which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value > iosx::gpu::test::machine().block_shared;
  return too_much ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

// CUDA's runtime takes these from here alone. What a driver does not have is null.
#undef cuGetProcAddress
CUresult cuGetProcAddress_v2(const char* name, void** function, int, cuuint64_t,
                             CUdriverProcAddressQueryResult* found) {
  struct Entry {
    const char* name;
    void* function;
  };
  static const std::array entries{Entry{"cuInit", reinterpret_cast<void*>(cuInit)},
                                  Entry{"cuDriverGetVersion", reinterpret_cast<void*>(cuDriverGetVersion)},
                                  Entry{"cuDeviceGetCount", reinterpret_cast<void*>(cuDeviceGetCount)},
                                  Entry{"cuGetExportTable", reinterpret_cast<void*>(cuGetExportTable)},
                                  Entry{"cuGetProcAddress", reinterpret_cast<void*>(cuGetProcAddress_v2)}};
  *function = nullptr;
  for (const Entry& entry : entries) {
    if (std::string_view(entry.name) == name) *function = entry.function;
  }
  if (found != nullptr) {
    *found = *function == nullptr ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND : CU_GET_PROC_ADDRESS_SUCCESS;
  }
  return CUDA_SUCCESS;
}

// cuDNN wants these to be there and calls none of them before it runs a plan. cuda.h has other names for some.
#define REFUSE(name) CUresult refused_##name() __asm__(#name) __attribute__((alias("refuse_all")));
CUresult refuse_all() { return CUDA_ERROR_NOT_SUPPORTED; }
REFUSE(cuCtxGetLimit)
REFUSE(cuCtxPopCurrent)
REFUSE(cuCtxPushCurrent)
REFUSE(cuDeviceGet)
REFUSE(cuLaunchCooperativeKernel)
REFUSE(cuLaunchKernel)
REFUSE(cuLaunchKernelEx)
REFUSE(cuLibraryLoadFromFile)
REFUSE(cuLinkAddData)
REFUSE(cuLinkComplete)
REFUSE(cuLinkCreate)
REFUSE(cuLinkDestroy)
REFUSE(cuOccupancyMaxPotentialClusterSize)
REFUSE(cuStreamGetCtx)

}  // extern "C"
