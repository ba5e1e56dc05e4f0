#include "gpu/ops/conv/plan_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "gpu/ops/conv/sealed_text.h"

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

}  // namespace iosx::gpu
