#pragma once

#include <QObject>
#include <vector>

#include "core/workspace/workspace.h"
#include "views/compare/latency_bar.h"
#include "views/style/theme.h"

namespace iosx {

class ComparePage;
class SelectionModel;
class Session;
class TimeAxisModel;
class TimelineView;

// The page that compares, fed from the workspace: what is picked there, or else the shown run's schedules.
class ComparedRuns final : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  ComparedRuns(Session& session, SelectionModel& selection, QObject* parent = nullptr);

  ComparePage* page() const { return page_; }
  TimelineView* timeline() const { return timeline_; }
  void setActive(bool active);  // a page that nobody sees does not follow
  void setTheme(const Theme& theme);

 private:
  void refresh();
  std::vector<Choice> choices() const;

  Session& session_;
  TimeAxisModel* time_;
  TimelineView* timeline_;
  ComparePage* page_;
  std::vector<Choice> compared_;  // the page's subjects
  bool active_ = false;
};

}  // namespace iosx
