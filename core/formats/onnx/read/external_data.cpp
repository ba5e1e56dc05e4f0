#include "core/formats/onnx/read/external_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <ios>
#include <system_error>

#include "core/base/check.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxReadings = 4;
constexpr std::uint64_t kMaxGrown = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxWidened = std::uint64_t{2} << 30;  // 268 million integers
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 20;
constexpr Sentence kKeepInside{"put the file into the model's folder and use a relative path"};

bool leaves(const fs::path& relative) { return relative.empty() || *relative.begin() == ".."; }

}  // namespace

Result<fs::path> ExternalFolder::resolve(const std::string& location, const std::string& where) const {
  if (location.empty() || location.find('\0') != std::string::npos) {
    return fail(message("its external data has no usable location"), where, message("export the model again"));
  }
  if (folder_.empty()) {
    return fail(message("its data is in the file {}, but the model has no folder", name_text(location)), where,
                message("open the model from its file"));
  }
  const fs::path path(location);
  if (path.is_absolute())
    return fail(message("its data is at the absolute path {}", name_text(location)), where, kKeepInside);
  if (leaves(path.lexically_normal())) {
    return fail(message("its data is at {}, outside of the model's folder", name_text(location)), where, kKeepInside);
  }
  std::error_code error;
  const fs::path folder = fs::canonical(folder_, error);
  if (error) return fail(message("the model's folder cannot be read: {}", error.message()), where);
  const fs::path file = fs::canonical(folder / path, error);
  if (error) {
    return fail(message("its data is in the file {}, which cannot be read: {}", name_text(location), error.message()),
                where, message("put the file into the folder '{}'", folder_.string()));
  }
  if (leaves(file.lexically_relative(folder))) {
    return fail(message("its data is at {}, a link out of the model's folder", name_text(location)), where,
                kKeepInside);
  }
  if (!fs::is_regular_file(file, error)) {
    return fail(message("its data is at {}, which is not a regular file", name_text(location)), where, kKeepInside);
  }
  return file;
}

Result<std::uint64_t> ExternalFolder::size(const std::string& location, const std::string& where) const {
  IOS_TRY(const auto file, resolve(location, where));
  std::error_code error;
  const std::uint64_t size = fs::file_size(file, error);
  if (error) {
    return fail(message("the size of the file {} is unknown: {}", name_text(location), error.message()), where);
  }
  return size;
}

Result<void> ExternalFolder::check(const ExternalRange& range, const std::string& where) const {
  IOS_TRY(const auto bytes, size(range.location, where));
  if (range.offset <= bytes && range.length <= bytes - range.offset) return {};
  return fail(message("its data is bytes {} to {}+{} of the file {}, which has {}", range.offset, range.offset,
                      range.length, name_text(range.location), bytes),
              where, message("the file is truncated or belongs to another model: copy or export it again"));
}

Result<void> ExternalFolder::read(const ExternalRange& range, std::span<std::byte> bytes, const std::string& where) {
  IOS_CHECK(bytes.size() == range.length);
  if (auto checked = check(range, where); !checked) return checked;
  IOS_TRY(const auto path, resolve(range.location, where));
  IOS_TRY(const auto file_bytes, size(range.location, where));
  std::uint64_t& read_so_far = bytes_read_[range.location];
  read_so_far += range.length;
  if (read_so_far > kMaxReadings * file_bytes + kFreeBytes) {
    return fail(message("too many tensors share their data in the file {}", name_text(range.location)), where,
                message("export the model again, with each tensor's own data"));
  }
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(range.offset));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file)
    return fail(message("the file {} cannot be read", name_text(range.location)), where,
                message("check its permissions"));
  return {};
}

Result<void> ExternalFolder::grow(std::uint64_t bytes, const std::string& where) {
  if (bytes <= kMaxGrown - bytes_grown_) {
    bytes_grown_ += bytes;
    return {};
  }
  return fail(message("the sparse tensors of the model would need more than {} MB", kMaxGrown >> 20), where,
              message("export the model with dense weights"));
}

bool ExternalFolder::widen(std::uint64_t bytes) {
  if (bytes > kMaxWidened - bytes_widened_) return false;
  bytes_widened_ += bytes;
  return true;
}

}  // namespace iosx::onnx_import
