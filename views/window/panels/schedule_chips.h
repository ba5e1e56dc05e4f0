#pragma once

#include <QButtonGroup>
#include <QString>
#include <QWidget>
#include <cstddef>
#include <vector>

class QMenu;
class QToolButton;

namespace iosx {

class Session;
class ShownSaving;

// Lists the schedules of the shown run in a row, each with its speed-up over the baseline; the shown schedule is
// outlined. A click shows another one, the arrow keys move among them. Those without room are in a menu at the end: the
// shown schedule and the baseline last, then the fastest.
class ScheduleChips final : public QWidget {
  Q_OBJECT

 public:
  // Both must outlive the widget.
  ScheduleChips(Session& session, const ShownSaving& saving);

  void refresh();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;  // for the shown schedule and the menu

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QString text(std::size_t result) const;
  QString tip(std::size_t result) const;
  std::vector<std::size_t> byRank() const;  // the first are the last to go into the menu
  void measure();                           // the chips' widths, which their fonts decide
  void place();
  void fillMenu();

  Session& session_;
  const ShownSaving& saving_;
  QButtonGroup group_;
  // As of the last refresh: the window may be laid out before the next, when the session shows another run already.
  std::vector<QToolButton*> chips_;   // one per result
  std::vector<std::size_t> by_rank_;  // the shown schedule first
  QToolButton* more_;
  QMenu* menu_;
};

}  // namespace iosx
