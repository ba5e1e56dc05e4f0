#include "core/documents/report/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>
#include <span>
#include <streambuf>
#include <system_error>
#include <vector>

#include "core/base/files.h"
#include "core/devices/store/store_file.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// Connects a stream to a NewFile. Errors are kept, and end the stream.
class NewFileBuffer final : public std::streambuf {
 public:
  explicit NewFileBuffer(NewFile& file) : file_(file) { setp(room_.data(), room_.data() + room_.size()); }
  // Also writes the rest.
  Result<void> finish() {
    pass_on();
    return done_ ? file_.finish() : done_;
  }

 private:
  bool pass_on() {
    if (done_) done_ = file_.write(std::as_bytes(std::span<const char>(pbase(), pptr())));
    setp(room_.data(), room_.data() + room_.size());
    return done_.has_value();
  }
  int_type overflow(int_type c) override {
    if (!pass_on()) return traits_type::eof();
    return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                           : sputc(traits_type::to_char_type(c));
  }
  int sync() override { return pass_on() ? 0 : -1; }

  NewFile& file_;
  std::vector<char> room_ = std::vector<char>(std::size_t{1} << 16);
  Result<void> done_;
};

// Writes into a device or a pipe, and does not wait for a pipe without a reader.
Result<void> write_directly(const fs::path& path, FunctionRef<void(std::ostream&)> write) {
  errno = 0;
  const int reader = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (reader < 0 && errno == ENXIO) {
    return fail(message("could not be written: no program reads this pipe"), path.string(),
                message("start the program that reads it first"));
  }
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  if (reader >= 0) ::close(reader);  // only now: whoever reads would take it for the end
  write(file);
  file.close();
  if (file.good()) return {};
  const char* const why = errno != 0 ? std::strerror(errno) : "unknown reason";
  return fail(message("could not be written: {}", why), path.string(), message("choose another place"));
}

}  // namespace

Result<void> check_writable(const fs::path& path) {
  std::error_code error;
  const fs::path folder = folder_of(path);
  if (path.empty()) return fail(message("an empty file name"), "-o", message("name a file"));
  if (path == kStandardOutput)
    return fail(message("this cannot be written to standard output"), "-", message("name a file"));
  if (fs::is_directory(path, error)) return fail(message("is a folder"), path.string(), message("name a file"));
  if (!fs::is_directory(folder, error)) {
    return fail(message("could not be written: its folder does not exist"), path.string(),
                message("create the folder first"));
  }
  if (const auto kind = store::look_at(path);
      kind && (*kind == store::Kind::kStore || *kind == store::Kind::kDamaged)) {
    return fail(message("is a measurement store, which is never overwritten"), path.string(),
                message("name another file"));
  }
  const bool special = fs::exists(path, error) && !fs::is_regular_file(path, error);
  const fs::path& target = special || fs::exists(path, error) ? path : folder;
  if (access(target.c_str(), W_OK) != 0) {
    return fail(message("could not be written: {}", std::strerror(errno)), path.string(),
                message("choose another place"));
  }
  return {};
}

Result<void> write_file(const fs::path& path, std::string_view text, Readers readers) {
  return write_file(
      path, [&](std::ostream& out) { out.write(text.data(), static_cast<std::streamsize>(text.size())); }, readers);
}

Result<void> write_file(const fs::path& path, FunctionRef<void(std::ostream&)> write, Readers readers) {
  if (auto possible = check_writable(path); !possible) return possible;
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) return write_directly(path, write);  // a device
  errno = 0;
  NewFile file(path, readers);
  if (file.descriptor() < 0) return file.error();
  NewFileBuffer buffer(file);
  std::ostream stream(&buffer);
  write(stream);
  return buffer.finish();
}

Result<void> make_folder(const fs::path& path) {
  if (path == kStandardOutput)
    return fail(message("several files cannot be written to standard output"), "-", message("name a folder"));
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && fs::is_directory(path, error)) return {};
  const std::string why = error ? error.message() : "a file is in its place";
  return fail(message("the folder could not be created: {}", why), path.string(), message("choose another place"));
}

}  // namespace iosx
