#pragma once

#include <QObject>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/documents/project/workspace.h"
#include "views/compare/comparison_data.h"
#include "views/tables/project_model.h"

class QAction;

namespace iosx {

class ComparePage;
class SelectionModel;
class Session;
class TimeAxisModel;
class TimelineView;

// Supplies the comparison page from the workspace: with the picked schedules, or else those of the shown run. A
// question may show two others temporarily, without a change of the workspace.
class ComparedRuns final : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  ComparedRuns(Session& session, SelectionModel& selection, QObject* parent = nullptr);

  ComparePage* page() const { return page_; }
  TimelineView* timeline() const { return timeline_; }
  void setActive(bool active);  // a page that nobody sees does not follow
  void refresh();               // now, whether anybody sees the page or not: figures are made of it

  // Shows these two until the page is left, another is picked, or showPicked() is called.
  void showPair(const Choice& baseline, const Choice& other);
  void showPicked();
  // Adds the schedule to the shown ones, or removes it; the last one stays. The shown ones are then picked.
  void pick(const Choice& choice, bool picked);
  // Makes it B, and picks it where others are picked.
  void showHandMade(const Choice& choice);

  // Returns the compared schedules as choices of the workspace, perhaps before the page shows them.
  std::vector<Choice> choices() const;
  // Return the choice of one of the page's subjects, and the external run of one of its bars; none where there is none.
  std::optional<Choice> choice(std::size_t subject) const;
  std::optional<ExternalId> external(std::size_t bar) const;

 signals:
  void shownChanged(const iosx::ComparedChoices& shown);  // by the page, while somebody sees it

 private:
  // A pair shown temporarily, with the picked ones at its begin.
  struct Pair {
    Choice baseline;
    Choice other;
    std::vector<Choice> picked;
    std::optional<Choice> picked_baseline;
  };

  void follow();
  void showTimelines();
  void showColumns();  // on both canvases
  void race();         // at the playhead, on both canvases
  void tellShown();
  void keepB();  // the page's
  std::optional<Choice> baseline() const;
  void chooseBaseline(const Choice& choice);
  void showExternal(std::optional<NetworkId> network);  // with its runs

  Session& session_;
  TimeAxisModel* time_;
  TimelineView* timeline_;
  ComparePage* page_;
  QAction* back_;  // to the picked ones, while a pair is shown
  std::optional<Pair> pair_;
  std::optional<Choice> b_;           // chosen, or last made by hand; possibly not shown
  std::vector<Choice> compared_;      // the page's subjects
  std::vector<ExternalId> external_;  // the page's external bars
  bool active_ = false;
};

}  // namespace iosx
