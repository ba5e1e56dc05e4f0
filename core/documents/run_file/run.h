#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Where and when a comparison was made.
struct RunPlace {
  std::string host;
  std::string system;   // "Linux 6.1.0 x86_64"
  std::string program;  // version of IOS Explorer
  std::chrono::sys_seconds when{};
  friend bool operator==(const RunPlace&, const RunPlace&) = default;
};

// The compared network, as it was opened.
struct RunNetwork {
  std::string source;                  // the name of a built-in one, or a path there
  std::shared_ptr<const Graph> graph;  // the comparison's, in the parts that its file declares
  bool batched = true;                 // as in Document
};

// A comparison with everything needed to show it again, elsewhere and later.
struct Run {
  Comparison comparison;
  CompareOptions options;  // `given`, `start` and options of one computer are empty: the results hold given schedules
  RunNetwork network;
  // Weights or large constants came from the network's file. In a run opened from a file they are made up: the numbers
  // stay in the network's file.
  bool own_weights = false;
  RunPlace place;
};

// Returns this computer, now.
RunPlace this_place(std::string program);

// Makes a run from a comparison that was just made here.
Run make_run(Comparison comparison, CompareOptions options, RunNetwork network, std::string program);

// Returns "2026-03-01 14:05 UTC".
std::string time_text(std::chrono::sys_seconds time);
// Returns "recorded on gpu-server, 2026-03-01 14:05 UTC", for Comparison::recorded.
Message recorded_text(const RunPlace& place);
// Returns the same with the device.
Message recorded_text(const Run& run);

}  // namespace iosx
