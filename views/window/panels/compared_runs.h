#pragma once

#include <QObject>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/documents/project/workspace.h"
#include "views/compare/latency_bar.h"
#include "views/tables/project_model.h"

class QAction;

namespace iosx {

class ComparePage;
class SelectionModel;
class Session;
class TimeAxisModel;
class TimelineView;

// Feeds the page that compares from the workspace: with what is picked there, or else the shown run's schedules. A
// question may show two others for a while, which changes nothing in the workspace.
class ComparedRuns final : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  ComparedRuns(Session& session, SelectionModel& selection, QObject* parent = nullptr);

  ComparePage* page() const { return page_; }
  TimelineView* timeline() const { return timeline_; }
  void setActive(bool active);  // a page that nobody sees does not follow
  void refresh();               // now, whether anybody sees the page or not: figures are made of it

  // Shows these two until the page is left, something else is picked, or showPicked() is called.
  void showPair(const Choice& baseline, const Choice& other);
  void showPicked();
  // Shows the schedule beside what is shown, or no longer; the last one stays. What is shown is then what is picked.
  void pick(const Choice& choice, bool picked);
  // Makes it B, and picks it where others are picked.
  void showHandMade(const Choice& choice);

  // Returns what is compared, in the workspace's words. It need not be on the page yet.
  std::vector<Choice> choices() const;
  // These find what one of the page's subjects is, and one of its bars of others; none where there is no such.
  std::optional<Choice> choice(std::size_t subject) const;
  std::optional<ExternalId> external(std::size_t bar) const;

 signals:
  void shownChanged(const iosx::ComparedChoices& shown);  // by the page, while somebody sees it

 private:
  // A pair is shown for a while instead of what is picked; it keeps what was picked when that began.
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
  void showExternal(std::optional<NetworkId> network);  // beside runs of it

  Session& session_;
  TimeAxisModel* time_;
  TimelineView* timeline_;
  ComparePage* page_;
  QAction* back_;  // to what is picked, where a pair is shown
  std::optional<Pair> pair_;
  std::optional<Choice> b_;           // that was chosen, or made by hand last; it need not be shown
  std::vector<Choice> compared_;      // the page's subjects
  std::vector<ExternalId> external_;  // the page's bars of others
  bool active_ = false;
};

}  // namespace iosx
