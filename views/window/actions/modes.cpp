#include "views/window/actions/modes.h"

#include <QCoreApplication>

namespace iosx {
namespace {

struct Modes {
  Q_DECLARE_TR_FUNCTIONS(iosx::Modes)
};

}  // namespace

ModeRow row_of(Mode mode) {
  switch (mode) {
    case Mode::kExplore:
      return {QStringLiteral("explore"),
              Modes::tr("&Explore"),
              Modes::tr("Explore"),
              Modes::tr("One schedule: graph, stages, timeline, and why it is as it is"),
              {QStringLiteral("Ctrl+1")}};
    case Mode::kEditGraph:
      return {QStringLiteral("edit-graph"),
              Modes::tr("Edit &graph"),
              Modes::tr("Graph"),
              Modes::tr("Draw the network or change it: operators, connections, units and parts"),
              {QStringLiteral("Ctrl+2")}};
    case Mode::kEditSchedule:
      return {QStringLiteral("edit-schedule"),
              Modes::tr("Edit sc&hedule"),
              Modes::tr("Schedule"),
              Modes::tr("A copy of a schedule, changed by hand: what each change costs"),
              {QStringLiteral("Ctrl+3")}};
    case Mode::kCompare:
      return {QStringLiteral("compare"),
              Modes::tr("C&ompare"),
              Modes::tr("Compare"),
              Modes::tr("Several schedules and runs: what differs, where, and by how much"),
              {QStringLiteral("Ctrl+4")}};
  }
  return {};
}

}  // namespace iosx
