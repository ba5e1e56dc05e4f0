#pragma once

#include <memory>
#include <utility>

#include "views/edit_graph/graph_controller.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/window/devices/listed_workers.h"
#include "views/window/devices/predictor_keeper.h"

namespace iosx {

// Holds what outlives windows, which come and go, as when another language is chosen: the controllers of the modes in
// which something is edited, the list of workers, and who keeps predictors. What it is given must outlive it.
struct Controllers {
  // The board has what the workers of the registry's devices do: see ListedWorkers.
  Controllers(DeviceRegistry& devices, Session& session, Jobs& jobs, std::shared_ptr<WorkerBoard> board = nullptr)
      : graph(session, jobs),
        schedule(session, jobs),
        workers(devices, session, std::move(board)),
        predictors(devices, session, jobs) {}

  GraphController graph;
  ScheduleController schedule;
  ListedWorkers workers;
  PredictorKeeper predictors;
};

}  // namespace iosx
