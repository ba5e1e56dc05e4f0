// A worker whose device is a fake one, and which fails as it is told:
//   scripted_worker [--millis N] [--log FILE] [--die-on KERNEL] [--hang-on KERNEL] [--refuse KERNEL]
//                   [--methods yes] [--fingerprint TEXT] [--die-in-run FILE] [--marked ANYTHING] [--peak FLOPS]
//                   [--turn FOLDER]
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "core/workers/worker.h"
#include "tests/support/fake_devices.h"
#include "tests/support/lower.h"

namespace {

using Options = std::map<std::string, std::string>;

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  return options;
}

// Is the fake device with these habits.
class ScriptedFake final : public iosx::Device {
 public:
  explicit ScriptedFake(Options options) : options_(std::move(options)), info_(fake_.info()) {
    if (options_.contains("--fingerprint")) info_.fingerprint = options_["--fingerprint"];
  }

  const iosx::DeviceInfo& info() const override { return info_; }
  std::optional<iosx::PeakRates> peak_rates() const override {
    const auto peak = options_.find("--peak");
    if (peak == options_.end()) return std::nullopt;
    return iosx::PeakRates{.flops_per_s = std::stod(peak->second), .bytes_per_s = 1};
  }
  std::string methods_key() const override { return options_.contains("--methods") ? "scripted" : ""; }
  void keep_methods(std::unique_ptr<iosx::MethodKeeper> keeper) override { keeper_ = std::move(keeper); }

 private:
  // Whether the plan is this kernel alone.
  bool is_about(const char* option, const iosx::ExecutionPlan& plan) const {
    const auto found = options_.find(option);
    return found != options_.end() && plan.kernels.size() == 1 && plan.kernels[0].name == found->second;
  }

  iosx::Result<std::vector<iosx::Latency>> do_measure(std::span<const iosx::ExecutionPlan> plans,
                                                      const iosx::TimingOptions& timing,
                                                      const iosx::JobContext& job) override {
    for (const iosx::ExecutionPlan& plan : plans) {
      if (is_about("--die-on", plan)) ::raise(SIGKILL);
      if (is_about("--hang-on", plan)) std::this_thread::sleep_for(std::chrono::hours(1));
      if (is_about("--refuse", plan))
        return iosx::fail(iosx::message("has no way to compute this"), plan.kernels[0].name);
      const auto millis = options_.find("--millis");
      for (int left = millis == options_.end() ? 0 : std::stoi(millis->second); left > 0 && !job.stopped(); --left) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      // Two at once on its hardware would find the file there.
      if (const auto folder = options_.find("--turn"); folder != options_.end()) {
        const std::string busy = folder->second + "/busy";
        std::FILE* const alone = std::fopen(busy.c_str(), "wx");
        if (alone == nullptr) return iosx::fail(iosx::message("is disturbed by another worker"));
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::fclose(alone);
        std::filesystem::remove(busy);
      }
      if (keeper_ && !keeper_->find("a problem")) keeper_->keep("a problem", fmt::format("found by {}", ::getpid()));
      log();
    }
    return fake_.measure(plans, timing, job);
  }

  iosx::Result<std::unique_ptr<iosx::LoadedPlan>> do_load(iosx::ExecutionPlan plan, const iosx::LoadOptions& options,
                                                          const iosx::JobContext& job) override {
    // Dies as long as the file is there, which the first death takes away unless it is called "always".
    if (const auto file = options_.find("--die-in-run"); file != options_.end()) {
      fake_.before_run = [path = std::filesystem::path(file->second)] {
        if (!std::filesystem::exists(path)) return;
        if (path.filename() != "always") std::filesystem::remove(path);
        ::raise(SIGKILL);
      };
    }
    return fake_.load(std::move(plan), options, job);
  }

  void log() const {
    const auto file = options_.find("--log");
    if (file == options_.end()) return;
    std::FILE* const log = std::fopen(file->second.c_str(), "a");
    if (log == nullptr) return;
    const std::string line = fmt::format("{}\n", ::getpid());
    std::fwrite(line.data(), 1, line.size(), log);
    std::fclose(log);
  }

  Options options_;
  iosx::test::FakeDevice fake_;
  iosx::DeviceInfo info_;
  std::unique_ptr<iosx::MethodKeeper> keeper_;
};

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of(argc, argv);
  ScriptedFake device(options);
  const iosx::WorkerEnds ends{.input = 0, .output = iosx::own_standard_output()};
  if (!options.contains("--turn")) return iosx::serve(device, "scripted", ends);
  auto turn = iosx::HostTurn::open(options.at("--turn"), {{"fake", 0}});
  return turn ? iosx::serve(device, "scripted", ends, &*turn) : 3;
}
