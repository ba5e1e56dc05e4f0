#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/simulated/captured.h"

namespace iosx {

// A launch as recorded on a GPU, of which a network has many: its blocks, the facts of its operator, and what it took
// on one stream.
struct RecordedKind {
  simulated::Family family = simulated::Family::kStream;
  int blocks = 1;
  int warps = 1;
  int blocks_per_sm = 1;
  simulated::LaunchFacts facts;
  double alone_us = 0;  // 0: not known
  int seen = 0;         // launches on one stream; 0: alone_us is that of similar ones
};

struct RecordedLaunch {
  std::size_t kind = 0;
  std::size_t lane = 0;
  std::vector<std::size_t> waits;  // earlier launches
};

// A schedule that ran as these launches.
struct RecordedRun {
  std::string schedule;
  double measured_us = 0;
  std::vector<RecordedLaunch> launches;
};

struct RecordedNetwork {
  std::string name;
  bool timed = true;  // launches are from timelines; false: as the simulated device made them on the day of the record
  std::vector<RecordedKind> kinds;
  std::vector<RecordedRun> runs;
};

// Reads what gpu/bench/calibrate.py makes of run files. `origin` begins every message.
Result<std::vector<RecordedNetwork>> parse_recorded(std::string_view json, const std::string& origin);

enum class LaunchTimes { kMeasured, kForetold };

// Simulates the recorded launches, each of which takes alone what was measured or what the model says, with errors if
// the model has a draw.
double simulated_us(const simulated::CapturedModel& model, const simulated::Machine& machine,
                    const RecordedNetwork& network, const RecordedRun& run, LaunchTimes times);

// Simulated against measured latencies of networks.
struct CapturedRow {
  std::string network;
  std::string schedule;
  double measured_us = 0;
  double simulated_us = 0;
  // Gains over the sequential schedule. Nine of ten are between low and high where errors are drawn. 0: no such
  // schedule.
  double measured_gain = 0;
  double gain_low = 0;
  double gain_high = 0;
};
struct CapturedScore {
  double latency_error = 0;  // mean of |relative error|
  double gain_error = 0;     // the same of gains over the sequential schedule
  std::size_t gains = 0;
  std::size_t gains_within = 0;  // that nine of ten draws hold
  std::size_t pairs_right = 0;
  std::size_t pairs = 0;  // of schedules of one network that differ by more than 3 %
};
CapturedScore score_of(std::span<const CapturedRow> rows);
CapturedScore score_of(std::span<const CapturedRow> rows, std::string_view network);

struct CapturedTable {
  std::vector<CapturedRow> rows;
  CapturedScore score;
};
struct CapturedValidation {
  CapturedTable fitted;          // figures that are fitted to all networks
  CapturedTable held_out;        // each network by figures that are fitted to the others
  CapturedTable held_out_known;  // families of kernels that no other network has, by figures that are fitted to it
  CapturedTable untimed;         // networks that no figure is fitted to: their launches were not recorded
  // Constants of held_out by the network that is held out, as JSON.
  std::map<std::string, std::string> folds;
};

// Returns the figures of a network that is held out, with those of families that only it has as fitted to it.
simulated::CapturedFigures with_known_families(simulated::CapturedFigures held_out,
                                               const simulated::CapturedFigures& fitted, const RecordedNetwork& network,
                                               std::span<const RecordedNetwork> all);

CapturedValidation validate_captured(std::span<const RecordedNetwork> networks, const simulated::CapturedEngine& engine,
                                     const simulated::Machine& machine);

}  // namespace iosx
