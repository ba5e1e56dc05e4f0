#include "gpu/ops/conv/trial_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <exception>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "gpu/ops/conv/sealed_text.h"

namespace iosx::gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTrying = ".trying-";  // STEM.trying-PID: at most one trial, of a process
constexpr const char* kEnded = ".ended";     // STEM.ended: a line a trial
constexpr std::size_t kMostEnded = 10'000;   // lines; a cache may forget

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TrialLog::TrialLog(std::optional<fs::path> folder, const std::string& key) : key_(key) {
  if (!folder) return;
  stem_ = *folder / hex(hash_of(key));
  try {
    read_ended();
  } catch (const std::exception&) {  // no folder, no permission, no memory: a cache may fail
  }
}

TrialLog::~TrialLog() {
  if (file_ < 0) return;
  std::error_code ignored;
  if (!trying_) fs::remove(path_, ignored);
  close(file_);
}

// The trials of processes that are gone join the others for good.
void TrialLog::read_ended() {
  const std::string kept = text_of(file());
  if (const auto lines = unsealed(key_, kept)) {
    std::istringstream in{std::string(*lines)};
    for (std::string line; std::getline(in, line) && ended_.size() < kMostEnded;) ended_.insert(line);
  }
  const std::string prefix = stem_->filename().string() + kTrying;
  std::error_code error;
  std::vector<fs::path> gone;
  for (const auto& entry : fs::directory_iterator(stem_->parent_path(), error)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const int file = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    if (flock(file, LOCK_SH | LOCK_NB) == 0) {
      const std::string text = text_of(entry.path());
      const auto trial = unsealed(key_, text);
      if (trial && !trial->empty()) ended_.emplace(*trial);
      gone.push_back(entry.path());
    }
    close(file);
  }
  if (gone.empty()) return;
  keep_ended();
  for (const fs::path& file : gone) fs::remove(file, error);
}

fs::path TrialLog::file() const { return stem_ ? fs::path(stem_->string() + kEnded) : fs::path(); }

void TrialLog::keep_ended() const {
  std::string lines;
  for (const std::string& trial : ended_) lines += trial + '\n';
  const fs::path target = file();
  const fs::path temporary = fmt::format("{}.{}", target.string(), getpid());
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out << sealed(key_, lines);
  out.close();
  std::error_code error;
  if (out) fs::rename(temporary, target, error);
}

void TrialLog::open() {
  std::error_code error;
  fs::create_directories(stem_->parent_path(), error);
  path_ = fmt::format("{}{}{}", stem_->string(), kTrying, getpid());
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file_ < 0) return;
  if (flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  close(std::exchange(file_, -1));
}

// Writes all in one write, so that a process that ends leaves the whole of it or nothing.
void TrialLog::write(const std::string& trial) const {
  const std::string text = trial.empty() ? std::string() : sealed(key_, trial);
  if (ftruncate(file_, 0) != 0) return;
  if (pwrite(file_, text.data(), text.size(), 0) < 0) return;  // a cache may fail
}

void TrialLog::begin(const std::string& trial) {
  if (!stem_) return;
  if (file_ < 0) open();
  if (file_ < 0) return;
  write(trial);
  trying_ = true;
}

void TrialLog::end() {
  if (!std::exchange(trying_, false)) return;
  write({});
}

Trial::Trial(TrialLog* log, const std::string& what)
    : log_(log), ended_(log != nullptr && log->ended(what)), exceptions_(std::uncaught_exceptions()) {
  if (log_ != nullptr && !ended_) log_->begin(what);
}

Trial::~Trial() {
  if (log_ != nullptr && !ended_ && std::uncaught_exceptions() == exceptions_) log_->end();
}

}  // namespace iosx::gpu
