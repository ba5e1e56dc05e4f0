#pragma once

#include <memory>
#include <utility>

#include "views/edit_graph/graph_controller.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/window/devices/listed_workers.h"
#include "views/window/devices/predictor_training.h"

namespace iosx {

// Objects that outlive windows, which are recreated for a change of language, for example: the controllers of the
// edit modes, the list of workers, and the keeper of predictors. Its arguments must outlive it.
struct Controllers {
  // The board shows the activity of the workers of the registry's devices: see ListedWorkers.
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
