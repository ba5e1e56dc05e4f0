#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/devices/store/measurement_store.h"

namespace iosx::test {

// A new empty folder, removed with its content at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::vector<std::string> names() const;  // of its files, sorted

 private:
  std::filesystem::path path_;
};

MeasurementSet some_set(const std::string& fingerprint = "processor A, 8 cores", std::int64_t batch = 1,
                        const std::string& precision = "f32");

// All different, and each the same every time.
Measurement some_measurement(std::uint64_t number);
StageKey some_key(std::uint64_t number);
std::vector<Measurement> some_measurements(std::uint64_t begin, std::uint64_t end);
std::vector<StageKey> some_keys(std::uint64_t begin, std::uint64_t end);

// Returns all of a measurement's content, to compare.
std::string words(const Measurement& measurement);

std::unique_ptr<MeasurementStore> open_store(const std::filesystem::path& file);  // a test failure if it cannot be
std::int64_t rows_of(MeasurementStore& store);

std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, const std::string& bytes);

// Executes the statements on the file, made if missing, without any protection or limits, like other programs and
// attackers. An error is a test failure.
void write_database(const std::filesystem::path& file, const std::string& sql);

}  // namespace iosx::test
