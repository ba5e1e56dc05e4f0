#include "core/devices/cpu/processor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <dnnl.hpp>
#include <fstream>
#include <limits>
#include <string_view>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace iosx::cpu {
namespace {

#if defined(__x86_64__)
constexpr unsigned kFlushToZero = 0x8000;       // results
constexpr unsigned kDenormalsAreZero = 0x0040;  // operands
constexpr unsigned kInvalid = 0x0001;           // since it was cleared
unsigned control() { return _mm_getcsr(); }
void set_control(unsigned value) { _mm_setcsr(value); }
#else
constexpr unsigned kFlushToZero = 0;
constexpr unsigned kDenormalsAreZero = 0;
constexpr unsigned kInvalid = 0;
unsigned control() { return 0; }
void set_control(unsigned /*value*/) {}
#endif

// Returns what follows "KEY" and a colon in a file of such lines.
std::string line_of(const char* file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

// Returns the number that a file holds; the largest there is if it holds none ("max").
std::int64_t number_in(const char* file) {
  std::ifstream in(file);
  std::int64_t number = 0;
  return in >> number ? number : std::numeric_limits<std::int64_t>::max();
}

// Returns the bytes that the process's control group may still take.
std::int64_t group_memory() {
  const std::int64_t limit = number_in("/sys/fs/cgroup/memory.max");
  const std::int64_t used = number_in("/sys/fs/cgroup/memory.current");
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  return limit == kNone || used == kNone ? kNone : std::max<std::int64_t>(limit - used, 0);
}

}  // namespace

std::string processor_model() {
  const auto number = [](std::string_view key) { return line_of("/proc/cpuinfo", key); };
  const std::string family = number("cpu family");
  if (family.empty()) return number("CPU part");
  return fmt::format("{}.{}.{}", family, number("model\t"), number("stepping"));
}

std::string processor_name() {
  std::string name = line_of("/proc/cpuinfo", "model name");
  return name.empty() ? "CPU" : name;
}

std::string instruction_set() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::sse41: return "SSE 4.1";
    case dnnl::cpu_isa::avx: return "AVX";
    case dnnl::cpu_isa::avx2: return "AVX2";
    case dnnl::cpu_isa::avx2_vnni: return "AVX2, VNNI";
    case dnnl::cpu_isa::avx512_core: return "AVX-512";
    case dnnl::cpu_isa::avx512_core_vnni: return "AVX-512, VNNI";
    case dnnl::cpu_isa::avx512_core_bf16: return "AVX-512, bfloat16";
    case dnnl::cpu_isa::avx512_core_amx: return "AVX-512, AMX";
    default: return "other instructions";
  }
}

std::string onednn_version() {
  const dnnl_version_t& version = *dnnl::version();
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

bool bfloat16_available() {
  const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
  return isa == dnnl::cpu_isa::avx512_core_bf16 || isa == dnnl::cpu_isa::avx512_core_amx;
}

std::int64_t available_memory() {
  constexpr std::int64_t kKibibyte = 1024;
  const std::string free = line_of("/proc/meminfo", "MemAvailable");  // "12345 kB"
  const std::int64_t pages = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  const std::int64_t system = free.empty() ? pages : std::strtoll(free.c_str(), nullptr, 10) * kKibibyte;
  return std::min(system, group_memory());
}

void forget_invalid() { set_control(control() & ~kInvalid); }

bool invalid_noted() { return kInvalid == 0 || (control() & kInvalid) != 0; }

FlushDenormals::FlushDenormals() : before_(control()) { forever(); }

FlushDenormals::~FlushDenormals() { set_control(before_); }

void FlushDenormals::forever() { set_control(control() | kFlushToZero | kDenormalsAreZero); }

}  // namespace iosx::cpu
