// How long workers take behind their launchers, and what their deaths cost:
//
//   workers_bench NETWORK MILLIS [--kills N] NAME=COMMAND[;;COMMAND...]...
//
// For each row: the time from nothing to the first measurement, then measurements a second (plans of the network's
// stages, MILLIS of timed runs each), and with --kills N the same once more while N workers are killed at random
// moments: how many measurements were lost, and whether all plans were answered. A row "here=ID" measures in this
// process.
#include <fmt/format.h>

#include <algorithm>

#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "app/devices/all_devices.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

struct Row {
  std::string name;
  std::vector<iosx::WorkerCommand> commands;  // empty: in this process
  std::string here;
};

Row row_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  Row row{text.substr(0, equals), {}, {}};
  std::string rest = text.substr(equals + 1);
  if (row.name == "here") return {row.name, {}, rest};
  while (true) {
    const std::size_t end = rest.find(";;");
    auto command = iosx::worker_command(rest.substr(0, end));
    if (!command) {
      fmt::print(stderr, "{}\n", command.error().text());
      std::exit(2);
    }
    row.commands.push_back(*command);
    if (end == std::string::npos) return row;
    rest = rest.substr(end + 2);
  }
}

// Kills the newest process of a worker again and again.
class Killer {
 public:
  explicit Killer(int most) : thread_([this, most](const std::stop_token& stop) { kill(stop, most); }) {}
  int kills() {
    thread_.request_stop();
    thread_.join();
    return kills_;
  }

 private:
  void kill(const std::stop_token& stop, int most) {
    std::mt19937 random(1);
    while (!stop.stop_requested() && kills_ < most) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1000 + random() % 1000));
      if (std::system("pkill -9 -n -f '^[^ ]*(iosx|scripted_worker).* (worker|--millis)'") == 0) ++kills_;
    }
  }
  std::atomic<int> kills_{0};
  std::jthread thread_;
};

std::vector<iosx::ExecutionPlan> plans_of(const iosx::Graph& graph, const iosx::DeviceInfo& device) {
  iosx::StagePlanner planner(graph, 1, device.lowering);
  std::vector<iosx::ExecutionPlan> plans;
  for (const iosx::Schedule& schedule : {iosx::greedy_schedule(graph), iosx::one_by_one_schedule(graph)}) {
    for (const iosx::Stage& stage : schedule.stages) plans.push_back(planner.plan(stage).plan);
  }
  return plans;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return fmt::print(stderr, "see the first lines of workers_bench.cpp\n"), 2;
  const auto graph = iosx::zoo_network(argv[1]);
  if (!graph) return fmt::print(stderr, "there is no network {}\n", argv[1]), 2;
  iosx::TimingOptions timing{.min_time = iosx::Millis(std::atof(argv[2]))};
  timing.max_time = timing.min_time;
  timing.repeats = 1;
  int kills = 0;
  int first = 3;
  if (std::string_view(argv[3]) == "--kills" && argc > 5) kills = std::atoi(argv[4]), first = 5;

  fmt::print("{:<28} {:>9} {:>14} {:>8} {:>6} {:>6}  {}\n", "launcher", "first [s]", "measurements/s", "ratio", "kills",
             "lost", "all answered");
  double base = 0;
  for (int i = first; i < argc; ++i) {
    const Row row = row_of(argv[i]);
    const auto begin = Clock::now();
    std::unique_ptr<iosx::Device> device;
    if (row.commands.empty()) {
      iosx::DeviceRegistry registry;
      iosx::add_all_devices(registry);
      auto opened = registry.open(row.here);
      if (!opened) return fmt::print(stderr, "{}\n", opened.error().text()), 1;
      device = std::move(*opened);
    } else {
      auto link = iosx::WorkerLink::start(row.commands[0].command, {}, {});
      if (!link) {
        fmt::print("{:<28} does not work: {}\n", row.name, link.error().what.text());
        continue;
      }
      auto known = iosx::known_of(link->hello());
      std::vector<iosx::WorkerLink> started;
      started.push_back(std::move(*link));
      device = iosx::make_worker_device(std::move(known), row.commands, {}, std::move(started));
    }
    const auto plans = plans_of(*graph, device->info());
    if (auto one = device->measure(std::span(plans).first(1), timing, {}); !one) {
      return fmt::print(stderr, "{}: {}\n", row.name, one.error().text()), 1;
    }
    const double to_first = seconds_since(begin);
    // Once untimed, so that every worker runs and has the weights.
    if (!device->measure(plans, timing, {})) return 1;
    const auto start = Clock::now();
    const auto answers = device->measure(plans, timing, {});
    if (!answers) return fmt::print(stderr, "{}: {}\n", row.name, answers.error().text()), 1;
    const double rate = static_cast<double>(plans.size()) / seconds_since(start);
    if (base == 0) base = rate;
    fmt::print("{:<28} {:>9.2f} {:>14.1f} {:>8.2f}", row.name, to_first, rate, rate / base);
    if (kills > 0 && !row.commands.empty()) {
      std::size_t answered = 0;
      std::size_t asked = 0;
      Killer killer(kills);
      const auto until = Clock::now();
      while (seconds_since(until) < 1.6 * kills) {
        const auto some = device->measure(plans, timing, {});
        asked += plans.size();
        if (some)
          answered += static_cast<std::size_t>(
              std::ranges::count_if(*some, [](const auto& latency) { return !latency.is_left_out(); }));
      }
      const int made = killer.kills();
      const auto notices = device->take_notices();
      fmt::print(" {:>6} {:>6}  {} of {}", made, notices.size(), answered, asked);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  return 0;
}
