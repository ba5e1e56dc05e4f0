#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Says where and when a comparison was made.
struct RunPlace {
  std::string host;
  std::string system;   // "Linux 6.1.0 x86_64"
  std::string program;  // version of IOS Explorer
  std::chrono::sys_seconds when{};
  friend bool operator==(const RunPlace&, const RunPlace&) = default;
};

// Is the network that was compared, as it was opened.
struct RunNetwork {
  std::string source;                  // a built-in one's name, or a path there
  std::shared_ptr<const Graph> graph;  // that of the comparison in the parts that its file declares
  bool batched = true;                 // see Document
};

// Is a comparison with all that is needed to show it again, elsewhere and later.
struct Run {
  Comparison comparison;
  CompareOptions
      options;  // `given`, `start` and all that is of one computer are empty: the results hold what was given
  RunNetwork network;
  // Weights or large constants came from the network's file. In a run that was opened from a file they are made up all
  // the same: the numbers stay in the network's file.
  bool own_weights = false;
  RunPlace place;
};

// Returns this computer, now.
RunPlace this_place(std::string program);

// Makes a run of a comparison that was just made here.
Run make_run(Comparison comparison, CompareOptions options, RunNetwork network, std::string program);

// Returns "2026-03-01 14:05 UTC".
std::string time_text(std::chrono::sys_seconds time);
// Returns "recorded on gpu-server, 2026-03-01 14:05 UTC": that is Comparison::recorded.
Message recorded_text(const RunPlace& place);
// Says the same with the device.
Message recorded_text(const Run& run);

}  // namespace iosx
