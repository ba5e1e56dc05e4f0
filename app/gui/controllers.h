#pragma once

#include "views/edit_graph/graph_controller.h"
#include "views/edit_schedule/schedule_controller.h"

namespace iosx {

// Holds the controllers of the modes in which something is edited. They outlive windows, which come and go, as when
// another language is chosen. Session and jobs must outlive them.
struct Controllers {
  Controllers(Session& session, Jobs& jobs) : graph(session, jobs), schedule(session, jobs) {}

  GraphController graph;
  ScheduleController schedule;
};

}  // namespace iosx
