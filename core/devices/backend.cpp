#include "core/devices/backend.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/devices/device.h"

#ifdef __has_feature
#define IOS_HAS_FEATURE(name) __has_feature(name)
#else
#define IOS_HAS_FEATURE(name) 0
#endif

namespace iosx {
namespace {

#if defined(__SANITIZE_ADDRESS__) || IOS_HAS_FEATURE(address_sanitizer)
constexpr std::string_view kSanitizer = " address sanitizer";
#elif defined(__SANITIZE_THREAD__) || IOS_HAS_FEATURE(thread_sanitizer)
constexpr std::string_view kSanitizer = " thread sanitizer";
#else
constexpr std::string_view kSanitizer;
#endif

template <typename... Types>
std::string sizes() {
  std::string text;
  ((text += fmt::format(" {}", sizeof(Types))), ...);
  return text;
}

// NDEBUG leaves nothing out of a type; if it did, the sizes would show it.
std::string describe_build() {
  return fmt::format(
      "{} C++{} ABI {} library {} strings {}{} sizes{}", __VERSION__, __cplusplus, __GXX_ABI_VERSION,
#ifdef __GLIBCXX__
      __GLIBCXX__, _GLIBCXX_USE_CXX11_ABI,
#else
      _LIBCPP_VERSION, 0,
#endif
      kSanitizer,
      sizes<DeviceBackend, DeviceRegistry::Entry, DeviceInfo, Device, LoadedPlan, Result<std::unique_ptr<Device>>,
            Result<std::unique_ptr<LoadedPlan>>, Result<RunResult>, Error, LowerOptions, ExecutionPlan, Buffer,
            TensorView, Kernel, Attributes, Work, PlanStage, PlanOutput, Parameters, Tensor, Shape, TimingOptions,
            LoadOptions, RunOptions, RunResult, Latency, Trace, KernelSpan, StageSpan, Counter, JobContext, Progress,
            std::stop_token, std::string, std::vector<int>, std::function<void()>>());
}

namespace fs = std::filesystem;

constexpr Sentence kBuildAgain{"build the back end and this program together, from one source"};

// Returns the remedy for the loader's message.
Message remedy_for(std::string_view loader) {
  if (loader.find("libcudnn") != std::string_view::npos) {
    return message("install cuDNN 9 for CUDA 13, or set LD_LIBRARY_PATH to the folder that has libcudnn.so.9");
  }
  if (loader.find("cannot open shared object file") != std::string_view::npos) {
    return message("install the package of that library, or set LD_LIBRARY_PATH to the folder that has it");
  }
  if (loader.find("Permission denied") != std::string_view::npos) return message("make the file readable");
  if (loader.find("invalid ELF header") != std::string_view::npos) return message("name the back end's library");
  return message("build the back end again");
}

// The loader quotes what it read, whatever that is.
std::string printable(std::string_view words) {
  constexpr std::size_t kMost = 300;
  std::string text;
  for (const char c : words.substr(0, kMost)) text += c >= ' ' && c <= '~' ? c : '?';
  return words.size() > kMost ? text + "..." : text;
}

Result<void> check_is_file(const fs::path& library) {
  std::error_code error;
  const fs::file_status status = fs::status(library, error);
  if (status.type() == fs::file_type::not_found) {
    return fail(message("there is no such back end: it was not built or not installed"), library.string(),
                message("install CUDA toolkit 13 and cuDNN 9 and build again"));
  }
  if (error)
    return fail(message("cannot be read: {}", error.message()), library.string(), message("check its permissions"));
  if (!fs::is_regular_file(status))
    return fail(message("is not a file"), library.string(), message("name the back end's library"));
  return {};
}

// The loader maps what the headers promise, and the program dies where the file ends before that. The table of sections
// is the last thing in a library, so its end is the file's.
bool is_cut_short(const fs::path& library) {
  Elf64_Ehdr header{};
  std::ifstream stream(library, std::ios::binary);
  if (!stream.read(reinterpret_cast<char*>(&header), sizeof(header))) return false;  // the loader says what it is
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  std::error_code error;
  const auto size = fs::file_size(library, error);
  return !error &&
         (header.e_shoff > size || size - header.e_shoff < std::uint64_t{header.e_shnum} * header.e_shentsize);
}

Result<void> check_fits(const DeviceBackend* backend, const fs::path& library) {
  if (backend == nullptr) return fail(message("this back end provides no devices"), library.string(), kBuildAgain);
  if (backend->abi != kBackendAbi) {
    return fail(message("this back end was built for another version: its interface has number {}, this program's {}",
                        backend->abi, kBackendAbi),
                library.string(), kBuildAgain);
  }
  const std::string_view build = backend->build == nullptr ? "" : backend->build;
  if (build != backend_build()) {
    return fail(message("this back end was built differently: '{}', this program '{}'", build, backend_build()),
                library.string(), kBuildAgain);
  }
  if (backend->list_devices == nullptr)
    return fail(message("this back end provides no devices"), library.string(), kBuildAgain);
  return {};
}

// A device that is not there although it was promised is an error of its own.
DeviceRegistry::Factory checked(DeviceRegistry::Factory open, std::string id) {
  return [open = std::move(open), id = std::move(id)]() -> Result<std::unique_ptr<Device>> {
    auto device = open ? open() : Result<std::unique_ptr<Device>>();
    if (device && *device == nullptr)
      return fail(message("the back end returned no device"), id, message("this is a bug of the back end"));
    return device;
  };
}

}  // namespace

const char* backend_build() {
  static const std::string text = describe_build();
  return text.c_str();
}

Result<std::vector<DeviceRegistry::Entry>> load_backend(const fs::path& library) {
  IOS_TRY(check_is_file(library));
  if (is_cut_short(library))
    return fail(message("the file is truncated"), library.string(), message("build the back end again"));
  // A path without a slash would be looked for in the system's folders. Its handle is never closed: devices and their
  // code live on.
  void* const handle = dlopen(fs::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const words = dlerror();
    const std::string loader = printable(words == nullptr ? "no reason was given" : words);
    return fail(message("the back end cannot be loaded: {}", loader), library.string(), remedy_for(loader));
  }
  const auto entry = reinterpret_cast<BackendEntry>(dlsym(handle, kBackendEntryName));
  if (entry == nullptr) {
    return fail(message("is not a back end: it has no function {}", kBackendEntryName), library.string(), kBuildAgain);
  }
  const DeviceBackend* const backend = entry();
  IOS_TRY(check_fits(backend, library));
  std::vector<DeviceRegistry::Entry> entries;
  backend->list_devices(entries);
  for (DeviceRegistry::Entry& entry : entries) {
    // One that cannot be used has nothing to open.
    if (entry.unavailable.empty()) entry.open = checked(std::move(entry.open), entry.info.id);
  }
  return entries;
}

}  // namespace iosx
