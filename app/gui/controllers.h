#pragma once

#include <memory>
#include <utility>

#include "app/gui/listed_workers.h"
#include "views/edit_graph/graph_controller.h"
#include "views/edit_schedule/schedule_controller.h"

namespace iosx {

// Holds what outlives windows, which come and go, as when another language is chosen: the controllers of the modes in
// which something is edited, and the list of workers. What it is given must outlive it.
struct Controllers {
  // The board has what the workers of the registry's devices do: see ListedWorkers.
  Controllers(DeviceRegistry& devices, Session& session, Jobs& jobs, std::shared_ptr<WorkerBoard> board = nullptr)
      : graph(session, jobs), schedule(session, jobs), workers(devices, session, std::move(board)) {}

  GraphController graph;
  ScheduleController schedule;
  ListedWorkers workers;
};

}  // namespace iosx
