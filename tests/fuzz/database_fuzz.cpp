#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "core/devices/store/measurement_store.h"
#include "core/formats/external/read_external.h"

namespace {

namespace fs = std::filesystem;

// A folder of this process, in memory where the system has that.
const fs::path& folder() {
  static const fs::path path = [] {
    std::error_code error;
    const fs::path root = fs::is_directory("/dev/shm", error) ? fs::path("/dev/shm") : fs::temp_directory_path();
    const fs::path made = root / ("ios-database-fuzz-" + std::to_string(getpid()));
    fs::create_directories(made);
    return made;
  }();
  return path;
}

void empty_folder() {
  for (const auto& entry : fs::directory_iterator(folder())) fs::remove(entry.path());
}

// Whatever a store's file holds, it is opened, set aside or refused in words, and then answers without a crash.
void try_store(const fs::path& file) {
  const auto read = iosx::MeasurementStore::open(file, iosx::MeasurementStore::Access::kReadOnly);
  IOS_CHECK(read || !read.error().what.empty());
  auto store = iosx::MeasurementStore::open(file);
  if (!store) {
    IOS_CHECK(!store.error().what.empty());
    return;
  }
  const auto visited = (*store)->visit({}, [](const iosx::MeasurementSet&, const iosx::Measurement& measurement,
                                              const std::string& /*features*/) { return iosx::check(measurement); });
  IOS_CHECK(visited || !visited.error().what.empty());
  const auto info = (*store)->info();
  IOS_CHECK(info || !info.error().what.empty());
}

}  // namespace

// libFuzzer's entry: any bytes as a database, of measurements or of nsys.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fs::path file = folder() / "a.db";
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto runs = iosx::read_external(file, "fuzz", {});
  IOS_CHECK(runs ? !runs->empty() : !runs.error().what.empty());
  try_store(file);
  empty_folder();
  return 0;
}
