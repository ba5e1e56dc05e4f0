#include "tests/gpu/driver/machine.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace iosx::gpu::test {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

constexpr std::array kChips{
    Chip{"H100", "NVIDIA H100 80GB HBM3", 90, 132, 80 * kGiB, 1980000, 2619000, 50 << 20, 228 << 10, 227 << 10},
    Chip{"H200", "NVIDIA H200", 90, 132, 141 * kGiB, 1980000, 3201000, 60 << 20, 228 << 10, 227 << 10},
    Chip{"A100", "NVIDIA A100-SXM4-80GB", 80, 108, 80 * kGiB, 1410000, 1593000, 40 << 20, 164 << 10, 163 << 10},
    Chip{"T4", "Tesla T4", 75, 40, 15 * kGiB, 1590000, 5001000, 4 << 20, 64 << 10, 64 << 10, 1024, 16}};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

[[noreturn]] void refuse(const char* name, const std::string& value) {
  std::fprintf(stderr, "the driver made up for tests knows no %s=%s\n", name, value.c_str());
  std::_Exit(3);
}

const Chip* find(std::string_view id) {
  const auto* const found = std::ranges::find(kChips, id, &Chip::id);
  return found == kChips.end() ? nullptr : found;
}

Failure read_failure() {
  constexpr const char* kName = "IOS_MADE_UP_FAILURE";
  const std::string text = variable(kName);
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string what = text.substr(0, equals);
  const std::int64_t number = equals == text.size() ? 0 : std::atoll(text.c_str() + equals + 1);
  Failure failure;
  if (what == "driver-too-old") {
    failure.driver_too_old = true;
  } else if (what == "memory" && number > 0) {
    failure.memory_mib = number;
  } else if (what == "illegal-address" && number > 0) {
    failure.illegal_address = number;
  } else if (what == "capture" && number > 0) {
    failure.first_capture = failure.last_capture = number;
  } else if (what == "captures" && number > 0) {
    failure.first_capture = number;
    failure.last_capture = std::numeric_limits<std::int64_t>::max();
  } else if (!text.empty()) {
    refuse(kName, text);
  }
  return failure;
}

}  // namespace

std::span<const Chip> chips() { return kChips; }

const Chip& chip(std::string_view id) {
  const Chip* const found = find(id);
  if (found == nullptr) refuse("chip", std::string(id));
  return *found;
}

const Chip& machine() {
  static const Chip& chosen = [&]() -> const Chip& {
    constexpr const char* kName = "IOS_MADE_UP_GPU";
    const std::string id = variable(kName);
    const Chip* const found = id.empty() ? &kChips.front() : find(id);
    if (found == nullptr) refuse(kName, id);
    return *found;
  }();
  return chosen;
}

const Failure& failure() {
  static const Failure read = read_failure();
  return read;
}

int driver_cuda() { return failure().driver_too_old ? 12040 : 13000; }

}  // namespace iosx::gpu::test
