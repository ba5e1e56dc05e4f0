#include "gpu/ops/conv/plan_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace iosx::gpu {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;

template <typename T>
const T* find(const std::map<std::string, T>& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

// Returns each problem's `most` fastest ways.
json ways_json(const std::map<std::string, std::vector<PlanStore::Way>>& ways, std::size_t most) {
  json problems = json::object();
  for (const auto& [problem, list] : ways) {
    json& kept = problems[problem] = json::array();
    for (const PlanStore::Way& way : list) {
      if (kept.size() == most || !std::isfinite(way.latency.count())) break;
      kept.push_back({{"name", way.name}, {"plan", way.plan}, {"milliseconds", way.latency.count()}});
    }
  }
  return problems;
}

std::map<std::string, std::vector<PlanStore::Way>> ways_of(const json& problems) {
  std::map<std::string, std::vector<PlanStore::Way>> ways;
  for (const auto& [problem, list] : problems.items()) {
    std::vector<PlanStore::Way>& kept = ways[problem];
    for (const json& way : list) {
      kept.push_back({way.at("name").get<std::string>(), way.at("plan").get<std::string>(),
                      Millis(way.at("milliseconds").get<double>())});
    }
  }
  return ways;
}

// Returns the file's text, empty if it cannot be read or is too long.
std::string contents(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size > kMaxFileBytes) return {};
  std::ifstream in(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

void replace(const std::filesystem::path& file, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  const std::filesystem::path temporary = fmt::format("{}.{}", file.string(), getpid());
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out) {
    std::filesystem::rename(temporary, file, error);
    if (!error) return;
  }
  std::filesystem::remove(temporary, error);
}

std::string seal_of(std::string_view purpose, std::string_view text) {
  return hex(hash_of(fmt::format("{}\n{}\n{}", purpose.size(), purpose, text)));
}

namespace fs = std::filesystem;

constexpr const char* kTrying = ".trying-";  // STEM.trying-PID: at most one trial, of a process
constexpr const char* kEnded = ".ended";     // STEM.ended: a line a trial
constexpr std::size_t kMostEnded = 10'000;   // lines; a cache may forget

}  // namespace

PlanStore::PlanStore(std::optional<std::filesystem::path> folder, std::string key) : key_(std::move(key)) {
  if (!folder) return;
  file_ = *folder / (hex(hash_of(key_)) + ".json");
  const std::string file = contents(*file_);
  const auto text = unsealed(key_, file);
  if (!text) return;
  try {
    const json stored = json::parse(*text);
    auto ways = ways_of(stored.at("problems"));
    ranks_ = stored.at("stages").get<std::map<std::string, std::vector<std::size_t>>>();
    ways_ = std::move(ways);
  } catch (const json::exception&) {
    ranks_.clear();
  }
}

PlanStore::~PlanStore() { save(); }

const std::vector<PlanStore::Way>* PlanStore::ways(const std::string& problem) const { return find(ways_, problem); }

void PlanStore::set_ways(const std::string& problem, std::vector<Way> ways) {
  ways_[problem] = std::move(ways);
  changed_ = true;
}

const std::vector<std::size_t>* PlanStore::ranks(const std::string& stage) const { return find(ranks_, stage); }

void PlanStore::set_ranks(const std::string& stage, std::vector<std::size_t> ranks) {
  ranks_[stage] = std::move(ranks);
  changed_ = true;
}

void PlanStore::save() noexcept {
  if (!file_ || !changed_) return;
  try {
    // Excess entries are dropped, the slowest ways first; ranks count from the fastest, so they stay valid.
    std::size_t most = 1;
    for (const auto& [problem, list] : ways_) most = std::max(most, list.size());
    for (; most > 0; most /= 4) {
      const json stored = {{"key", key_}, {"problems", ways_json(ways_, most)}, {"stages", ranks_}};
      const std::string text = sealed(key_, stored.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
      if (text.size() > kMaxFileBytes) continue;
      replace(*file_, text);
      changed_ = false;
      return;
    }
  } catch (...) {  // no memory, most likely: a cache may fail
  }
}

std::optional<std::filesystem::path> default_plan_folder() {
  const auto folder = [](const char* variable) -> std::optional<std::filesystem::path> {
    const char* value = std::getenv(variable);
    if (value == nullptr || !std::filesystem::path(value).is_absolute()) return std::nullopt;
    return value;
  };
  if (const auto cache = folder("XDG_CACHE_HOME")) return *cache / "ios-explorer" / "gpu";
  if (const auto home = folder("HOME")) return *home / ".cache" / "ios-explorer" / "gpu";
  return std::nullopt;
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::string sealed(std::string_view purpose, std::string_view text) {
  return fmt::format("{}\n{}", seal_of(purpose, text), text);
}

std::optional<std::string_view> unsealed(std::string_view purpose, std::string_view sealed_text) {
  const std::size_t end = sealed_text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = sealed_text.substr(end + 1);
  if (sealed_text.substr(0, end) != seal_of(purpose, text)) return std::nullopt;
  return text;
}

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
  const std::string kept = contents(file());
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
      const std::string text = contents(entry.path());
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
  replace(file(), sealed(key_, lines));
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
