#include "core/base/byte_source.h"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/base/files.h"

namespace iosx {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18U;
constexpr std::string_view kGzip = "\x1F\x8B";

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}
  Result<std::string_view> next() override { return std::exchange(text_, {}); }

 private:
  std::string_view text_;
};

class FileSource final : public ByteSource {
 public:
  FileSource(std::ifstream file, std::string origin, std::stop_token stop)
      : file_(std::move(file)), origin_(std::move(origin)), stop_(std::move(stop)) {}
  Result<std::string_view> next() override {
    if (stop_.stop_requested()) return fail(message("was not read to its end: reading was stopped"), origin_);
    if (!file_) return std::string_view();
    block_.resize(kBlock);
    file_.read(block_.data(), static_cast<std::streamsize>(kBlock));
    if (file_.bad()) return fail(message("cannot be read: {}", std::strerror(errno)), origin_);
    return std::string_view(block_).substr(0, static_cast<std::size_t>(file_.gcount()));
  }

 private:
  std::ifstream file_;
  std::string origin_;
  std::stop_token stop_;
  std::string block_;
};

// Unpacks what begins as gzip does, passes on anything else, and counts.
class UnpackedSource final : public ByteSource {
 public:
  UnpackedSource(std::unique_ptr<ByteSource> raw, std::string origin)
      : raw_(std::move(raw)), origin_(std::move(origin)) {}
  ~UnpackedSource() override {
    if (gzip_) inflateEnd(&stream_);
  }
  UnpackedSource(const UnpackedSource&) = delete;
  UnpackedSource& operator=(const UnpackedSource&) = delete;

  Result<std::string_view> next() override {
    if (std::exchange(first_, false)) {
      IOS_TRY(held_, raw_->next());
      gzip_ = held_.starts_with(kGzip) && inflateInit2(&stream_, MAX_WBITS + 16) == Z_OK;
      if (!gzip_) return counted(held_);
    }
    if (!gzip_) {
      IOS_TRY(const auto bytes, raw_->next());
      return counted(bytes);
    }
    IOS_TRY(const auto bytes, inflated());
    return counted(bytes);
  }

 private:
  Result<std::string_view> counted(std::string_view bytes) {
    if ((count_ += bytes.size()) <= kMostSourceBytes) return bytes;
    return fail(message("has more than {} MiB", kMostSourceBytes >> 20U), origin_, message("record fewer runs"));
  }

  tl::unexpected<Error> damaged() const {
    return fail(message("is damaged or cut off: gzip cannot unpack it"), origin_, message("copy or record it again"));
  }

  Result<std::string_view> inflated() {
    out_.resize(kBlock);
    stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
    stream_.avail_out = static_cast<uInt>(kBlock);
    while (stream_.avail_out == kBlock) {
      if (held_.empty()) {
        IOS_TRY(held_, raw_->next());
        if (held_.empty() && !ended_) return damaged();
      }
      // Several packed pieces may follow one another; zeros behind them are padding.
      if (std::exchange(ended_, false)) {
        if (!held_.starts_with(kGzip.front())) return std::string_view();
        if (inflateReset(&stream_) != Z_OK) return damaged();
      }
      const std::size_t piece = std::min<std::size_t>(held_.size(), kBlock);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(held_.data()));  // zlib does not write there
      stream_.avail_in = static_cast<uInt>(piece);
      const int state = inflate(&stream_, Z_NO_FLUSH);
      held_.remove_prefix(piece - stream_.avail_in);
      if (state == Z_STREAM_END) {
        ended_ = true;
      } else if (state != Z_OK && state != Z_BUF_ERROR) {
        return damaged();
      }
    }
    return std::string_view(out_).substr(0, kBlock - stream_.avail_out);
  }

  std::unique_ptr<ByteSource> raw_;
  std::string origin_;
  bool first_ = true;
  bool gzip_ = false;
  bool ended_ = false;  // one packed piece has
  z_stream stream_{};
  std::string_view held_;  // packed bytes that were not unpacked yet
  std::string out_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> source_of(std::string_view text, const std::string& origin) {
  return std::make_unique<UnpackedSource>(std::make_unique<TextSource>(text), origin);
}

Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& path, std::stop_token stop) {
  IOS_TRY(check_regular_file(path));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fail(message("cannot be opened: {}", std::strerror(errno)), path.string(), message("check its permissions"));
  }
  return std::make_unique<UnpackedSource>(std::make_unique<FileSource>(std::move(file), path.string(), std::move(stop)),
                                          path.string());
}

Result<std::string> head_of(ByteSource& source, std::size_t most) {
  std::string head;
  while (head.size() < most) {
    IOS_TRY(const auto bytes, source.next());
    if (bytes.empty()) break;
    head += bytes.substr(0, most - head.size());
  }
  return head;
}

Result<std::string> all_of(ByteSource& source, const std::string& origin) {
  std::string all;
  while (true) {
    IOS_TRY(const auto bytes, source.next());
    if (bytes.empty()) return all;
    if (all.size() + bytes.size() > kMostHeldBytes) {
      return fail(message("has more than {} MiB", kMostHeldBytes >> 20U), origin, message("record fewer runs"));
    }
    all += bytes;
  }
}

Result<std::string> inflated(std::string_view packed, std::uint64_t most, const std::string& origin) {
  const auto damaged = [&] {
    return fail(message("is damaged or cut off: zlib cannot unpack it"), origin, message("copy or record it again"));
  };
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return damaged();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&stream, inflateEnd);
  std::string all;
  std::string block(kBlock, '\0');
  for (int state = Z_OK; state != Z_STREAM_END;) {
    const std::size_t piece = std::min<std::size_t>(packed.size(), kBlock);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib does not write there
    stream.avail_in = static_cast<uInt>(piece);
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(kBlock);
    state = inflate(&stream, Z_NO_FLUSH);
    packed.remove_prefix(piece - stream.avail_in);
    const std::size_t made = kBlock - stream.avail_out;
    if ((state != Z_OK && state != Z_STREAM_END) || (state == Z_OK && made == 0 && packed.empty())) return damaged();
    if (all.size() + made > most)
      return fail(message("has more than {} MiB", kMostHeldBytes >> 20U), origin, message("record fewer runs"));
    all.append(block, 0, made);
  }
  return all;
}

}  // namespace iosx
