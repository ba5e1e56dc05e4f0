#pragma once

#include <QObject>

#include "views/window/actions/actions.h"

namespace iosx {

class ComparedRuns;
class ExperimentShelf;
class ExportMenu;
class SelectionModel;
class Session;
class Settings;

// Connects the comparison page with the rest of the program: buttons in its head, its context menu, the
// experiments, and the user's arrangement, which the settings keep.
class CompareController final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  CompareController(Session& session, SelectionModel& selection, ComparedRuns& compared, const Actions& actions,
                    ExportMenu& exports, Settings& settings, QObject* parent);

  ExperimentShelf* experiments() const { return experiments_; }

 private:
  void explore(int subject, int stage);

  Session& session_;
  SelectionModel& selection_;
  ComparedRuns& compared_;
  const Actions& actions_;
  Settings& settings_;
  ExperimentShelf* experiments_;
};

}  // namespace iosx
