#include "gpu/profile/cupti_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <system_error>

#include "gpu/runtime/probe.h"

namespace iosx::gpu {
namespace {

constexpr const char* kName = "libcupti.so.13";
constexpr std::uint32_t kOldest = 130001;  // 13.0 of before could hang where its activities are switched off
constexpr Sentence kRemedy{
    "install CUPTI 13 (part of the CUDA toolkit; pip install nvidia-cuda-cupti), or set IOS_CUPTI to the path of "
    "libcupti.so.13"};

// Returns the names to try, in order; a library named by the user is the only one.
std::vector<std::string> candidates(const std::vector<std::filesystem::path>& folders) {
  std::error_code ignored;
  if (const char* const own = std::getenv("IOS_CUPTI"); own != nullptr && *own != '\0') {
    const std::filesystem::path path(own);
    return {std::filesystem::is_directory(path, ignored) ? (path / kName).string() : path.string()};
  }
  std::vector<std::string> all{kName};
  for (const std::filesystem::path& folder : folders) {
    if (std::filesystem::exists(folder / kName, ignored)) all.push_back((folder / kName).string());
  }
  return all;
}

class Functions {
 public:
  explicit Functions(void* handle) : handle_(handle) {}
  template <typename Function>
  void find(Function& function, const char* name) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what dlsym is for
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr && missing_.empty()) missing_ = name;
  }
  const std::string& missing() const { return missing_; }

 private:
  void* handle_;
  std::string missing_;
};

CuptiLibrary functions_of(void* handle, std::string& missing) {
  CuptiLibrary library{};
  Functions functions(handle);
  functions.find(library.get_version, "cuptiGetVersion");
  functions.find(library.get_result_string, "cuptiGetResultString");
  functions.find(library.subscribe, "cuptiSubscribe");
  functions.find(library.unsubscribe, "cuptiUnsubscribe");
  functions.find(library.enable_callback, "cuptiEnableCallback");
  functions.find(library.register_callbacks, "cuptiActivityRegisterCallbacks");
  functions.find(library.activity_enable, "cuptiActivityEnable");
  functions.find(library.activity_disable, "cuptiActivityDisable");
  functions.find(library.flush_all, "cuptiActivityFlushAll");
  functions.find(library.next_record, "cuptiActivityGetNextRecord");
  functions.find(library.dropped_records, "cuptiActivityGetNumDroppedRecords");
  functions.find(library.graph_node_id, "cuptiGetGraphNodeId");
  functions.find(library.profiler_initialize, "cuptiProfilerInitialize");
  functions.find(library.profiler_deinitialize, "cuptiProfilerDeInitialize");
  functions.find(library.device_supported, "cuptiProfilerDeviceSupported");
  functions.find(library.chip_name, "cuptiDeviceGetChipName");
  functions.find(library.host_initialize, "cuptiProfilerHostInitialize");
  functions.find(library.host_deinitialize, "cuptiProfilerHostDeinitialize");
  functions.find(library.add_metrics, "cuptiProfilerHostConfigAddMetrics");
  functions.find(library.config_image_size, "cuptiProfilerHostGetConfigImageSize");
  functions.find(library.config_image, "cuptiProfilerHostGetConfigImage");
  functions.find(library.number_of_passes, "cuptiProfilerHostGetNumOfPasses");
  functions.find(library.evaluate, "cuptiProfilerHostEvaluateToGpuValues");
  functions.find(library.counter_availability, "cuptiPmSamplingGetCounterAvailability");
  functions.find(library.sampling_enable, "cuptiPmSamplingEnable");
  functions.find(library.sampling_disable, "cuptiPmSamplingDisable");
  functions.find(library.sampling_config, "cuptiPmSamplingSetConfig");
  functions.find(library.sampling_start, "cuptiPmSamplingStart");
  functions.find(library.sampling_stop, "cuptiPmSamplingStop");
  functions.find(library.decode, "cuptiPmSamplingDecodeData");
  functions.find(library.counter_data_size, "cuptiPmSamplingGetCounterDataSize");
  functions.find(library.initialize_counter_data, "cuptiPmSamplingCounterDataImageInitialize");
  functions.find(library.counter_data_info, "cuptiPmSamplingGetCounterDataInfo");
  functions.find(library.sample_info, "cuptiPmSamplingCounterDataGetSampleInfo");
  missing = functions.missing();
  return library;
}

// Returns why there is no driver; empty: there is one.
std::string lacking_driver() { return why_not_loadable("libcuda.so.1"); }

// CUPTI opens these by their bare names when they are wanted, and takes what the loader's path has, of whatever
// version: those of its own folder are opened before. They stay.
void open_neighbours(void* cupti) {
  link_map* loaded = nullptr;
  if (dlinfo(cupti, RTLD_DI_LINKMAP, static_cast<void*>(&loaded)) != 0 || loaded == nullptr) return;
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(loaded->l_name).parent_path();
  for (const char* const name : {"libnvperf_host.so", "libnvperf_target.so"}) {
    if (!std::filesystem::exists(folder / name, ignored)) continue;
    dlopen((folder / name).c_str(), RTLD_LAZY | RTLD_LOCAL);
  }
}

// The error is what is wrong with it.
tl::expected<CuptiLibrary, std::string> load(const std::string& path) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const words = dlerror();
    return tl::unexpected(words == nullptr ? path : std::string(words));
  }
  std::string wrong;
  CuptiLibrary library = functions_of(handle, wrong);
  if (!wrong.empty()) {
    wrong = fmt::format("{} is too old: it has no {}", path, wrong);
  } else if (lacking_driver().empty()) {
    std::uint32_t version = 0;
    library.get_version(&version);
    if (version < kOldest) wrong = fmt::format("{} is too old: its version is {}, not {}", path, version, kOldest);
  }
  if (wrong.empty()) {
    open_neighbours(handle);
    return library;
  }
  dlclose(handle);
  return tl::unexpected(wrong);
}

// Returns the first library that will do.
Result<CuptiLibrary> open_library(const std::vector<std::filesystem::path>& folders) {
  std::string words;
  for (const std::string& path : candidates(folders)) {
    auto library = load(path);
    if (library) return *library;
    words += (words.empty() ? "" : "; ") + library.error();
  }
  return fail(message("CUPTI cannot be loaded: {}", words), "profiling", kRemedy);
}

// Returns " (RmProfilingAdminOnly: 1)", as the driver says; empty where it does not.
std::string admin_only() {
  std::ifstream file("/proc/driver/nvidia/params");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("RmProfilingAdminOnly")) return fmt::format(" ({})", line);
  }
  return {};
}

}  // namespace

Result<const CuptiLibrary*> CuptiLibrary::open(const std::vector<std::filesystem::path>& folders, bool host_side) {
  if (const std::string why = host_side ? std::string() : lacking_driver(); !why.empty()) {
    return fail(message("there is no NVIDIA driver: {}", why), "profiling",
                message("install NVIDIA driver 580 or newer"));
  }
  static std::mutex mutex;
  static std::optional<CuptiLibrary> opened;
  const std::scoped_lock lock(mutex);
  if (!opened) {
    IOS_TRY(auto library, open_library(folders));
    opened = library;
  }
  return &*opened;
}

std::vector<std::filesystem::path> cupti_folders() {
  std::vector<std::filesystem::path> folders;
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* const root = std::getenv(variable); root != nullptr && *root != '\0') {
      folders.push_back(std::filesystem::path(root) / "lib64");
      folders.push_back(std::filesystem::path(root) / "extras/CUPTI/lib64");
    }
  }
  for (const char* const root : {"/usr/local/cuda", "/usr/local/cuda-13", "/usr/local/cuda-13.0"}) {
    for (const char* const folder : {"lib64", "lib", "extras/CUPTI/lib64", "targets/x86_64-linux/lib"}) {
      folders.push_back(std::filesystem::path(root) / folder);
    }
  }
  // cuDNN may come from a Python package, on the loader's path: CUPTI's own package is its neighbour there.
  if (const char* const paths = std::getenv("LD_LIBRARY_PATH")) {
    const std::string all(paths);
    for (std::size_t begin = 0; begin <= all.size();) {
      const std::size_t end = std::min(all.find(':', begin), all.size());
      const std::filesystem::path folder(all.substr(begin, end - begin));
      if (folder.filename() == "lib" && folder.parent_path().filename() == "cudnn") {
        const std::filesystem::path nvidia = folder.parent_path().parent_path();
        for (const char* const neighbour : {"cu13/lib", "cuda_cupti/lib"}) folders.push_back(nvidia / neighbour);
      }
      begin = end + 1;
    }
  }
  return folders;
}

Message cupti_remedy(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return message(
          "the driver lets only administrators read the counters{}: run this program with sudo, or in a container with "
          "--cap-add SYS_ADMIN, or allow everyone (options nvidia NVreg_RestrictProfilingToAdminUsers=0 in "
          "/etc/modprobe.d, then restart)",
          admin_only());
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return message(
          "another profiler uses the counters: end Nsight, nsys, ncu, DCGM's profiling and other CUPTI programs");
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return message("this virtual GPU provides no counters: its administrator must allow profiling");
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return message("a part of a GPU (MIG) has no counters of its own: use a whole GPU");
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return message("there are no counters while confidential computing is on");
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED: return message("this kind of GPU has no counters");
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED: return message("there are no counters while SLI is on");
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return message("Windows Subsystem for Linux has no counters: use Linux itself");
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      return message(
          "this GPU cannot be sampled: GPUs of the Turing generation (7.5) or newer can; a newer CUPTI may support it");
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return message("there is not enough memory for samples: end other programs on the GPU");
    case CUPTI_ERROR_NOT_COMPATIBLE:
    case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
      return message("the driver and CUPTI do not match: install NVIDIA driver 580 or newer");
    default: return {};
  }
}

Result<void> CuptiLibrary::check(CUptiResult result, const char* function) const {
  if (result == CUPTI_SUCCESS) return {};
  const char* words = nullptr;
  if (get_result_string(result, &words) != CUPTI_SUCCESS || words == nullptr) words = "?";
  return fail(message("{}: {} ({})", function, words, static_cast<int>(result)), "profiling", cupti_remedy(result));
}

}  // namespace iosx::gpu
