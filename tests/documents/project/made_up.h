#pragma once

#include "core/analysis/compare/compare.h"
#include "core/devices/registry.h"
#include "core/documents/project/workspace.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx::test {

inline WorkspaceNetwork network_of(Graph graph, std::string source) {
  WorkspaceNetwork network;
  network.document.graph = std::make_shared<const Graph>(std::move(graph));
  network.source = std::move(source);
  return network;
}

// Two merged, and the other middle ones copied from the greedy schedule; for a fork of at least 3.
inline WorkspaceDraft draft_of(const Graph& fork_join) {
  WorkspaceDraft draft{.start = greedy_schedule(fork_join), .schedule_kind = ScheduleKind::kGreedy, .title = "Greedy"};
  draft.schedule = draft.start;
  draft.schedule.name = "mine";
  std::vector<Group>& groups = draft.schedule.stages[1].groups;
  groups[0].steps[0].units.push_back(groups[1].steps[0].units.front());
  groups.erase(groups.begin() + 1);
  draft.locked = {0, 1};
  return draft;
}

// Makes a comparison on the simulated V100.
inline std::shared_ptr<const Run> run_on(const WorkspaceNetwork& network, std::vector<ScheduleKind> schedule_kinds,
                                         std::int64_t batch = 1) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  auto device = devices.open("tesla-v100");
  CompareOptions options;
  options.schedule_kinds = std::move(schedule_kinds);
  options.batch = batch;
  auto comparison = must(compare(*network.document.graph, **device, options, {}));
  return std::make_shared<const Run>(
      make_run(std::move(comparison), options, {network.source, network.document.graph, true}, "1.2.3"));
}

}  // namespace iosx::test
