#include "views/window/actions/modes.h"

#include <QCoreApplication>

namespace iosx {
namespace {

struct Modes {
  Q_DECLARE_TR_FUNCTIONS(iosx::Modes)
};

}  // namespace

QString mode_name(Mode mode) {
  switch (mode) {
    case Mode::kExplore: return QStringLiteral("explore");
    case Mode::kEditGraph: return QStringLiteral("edit-graph");
    case Mode::kEditSchedule: return QStringLiteral("edit-schedule");
    case Mode::kCompare: return QStringLiteral("compare");
  }
  return {};
}

QString mode_title(Mode mode) {
  switch (mode) {
    case Mode::kExplore: return Modes::tr("&Explore");
    case Mode::kEditGraph: return Modes::tr("Edit &graph");
    case Mode::kEditSchedule: return Modes::tr("Edit sc&hedule");
    case Mode::kCompare: return Modes::tr("C&ompare");
  }
  return {};
}

QString mode_word(Mode mode) {
  switch (mode) {
    case Mode::kExplore: return Modes::tr("Explore");
    case Mode::kEditGraph: return Modes::tr("Graph");
    case Mode::kEditSchedule: return Modes::tr("Schedule");
    case Mode::kCompare: return Modes::tr("Compare");
  }
  return {};
}

QString mode_tip(Mode mode) {
  switch (mode) {
    case Mode::kExplore: return Modes::tr("One schedule: graph, stages, timeline, and why it is as it is");
    case Mode::kEditGraph: return Modes::tr("Draw the network or change it: operators, connections, units and parts");
    case Mode::kEditSchedule: return Modes::tr("A copy of a schedule, changed by hand: what each change costs");
    case Mode::kCompare: return Modes::tr("Several schedules and runs: what differs, where, and by how much");
  }
  return {};
}

QKeySequence mode_keys(Mode mode) {
  switch (mode) {
    case Mode::kExplore: return {QStringLiteral("Ctrl+1")};
    case Mode::kEditGraph: return {QStringLiteral("Ctrl+2")};
    case Mode::kEditSchedule: return {QStringLiteral("Ctrl+3")};
    case Mode::kCompare: return {QStringLiteral("Ctrl+4")};
  }
  return {};
}

}  // namespace iosx
