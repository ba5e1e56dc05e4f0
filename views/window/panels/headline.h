#pragma once

#include <QPointer>
#include <QString>
#include <QWidget>

#include "core/documents/project/workspace.h"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace iosx {

class ElidedLabel;
class Jobs;
class ScheduleChips;
class Session;
class ShownSaving;

// Says in a strip how fast the shown schedule is against the baseline, and why, and lists the schedules of the run.
// It says where the latencies come from, whether the search goes on or was stopped, and whether the settings have
// changed since. After a simulation it offers a measurement on this computer, which never starts by itself. Its height
// does not depend on what it says; with little width it says less, and its tips say the rest.
class Headline final : public QWidget {
  Q_OBJECT

 public:
  // All must outlive the widget.
  Headline(Session& session, Jobs& jobs, const ShownSaving& saving);

  QPushButton* measureButton() const { return measure_; }
  QSize sizeHint() const override { return minimumSizeHint(); }  // who places it gives it all the width
  QSize minimumSizeHint() const override { return {200, QWidget::minimumSizeHint().height()}; }

 signals:
  // The user asks for the difference between the shown schedule and its baseline.
  void answerAsked(const iosx::Choice& baseline, const iosx::Choice& shown);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  void showBadge();
  void showSearch(bool stale);
  void showStale(const QString& differs);
  void showMeasure();
  QString link(const QString& target, const QString& text) const;
  void fit();  // into the width
  void askAnswer();
  void goOn();  // with a search that was stopped

  Session& session_;
  Jobs& jobs_;
  QPointer<const ShownSaving> saving_;  // null while the window is destroyed
  QWidget* words_;                      // the next seven, in two lines
  QBoxLayout* first_;                   // line
  QBoxLayout* second_;                  // line
  QLabel* speed_;                       // large: the speed-up, or the latency of the baseline
  ElidedLabel* sentence_;
  QLabel* badge_;  // origin of the latencies
  QLabel* question_;
  QLabel* search_;  // of the search that has not ended
  ElidedLabel* stale_;
  ElidedLabel* detail_;  // why
  bool asks_ = false;    // the question has an answer
  ScheduleChips* chips_;
  QPushButton* measure_;
};

// Returns the settings that differ from those of the shown run: "batch 1, now 8; r 3, now no limit". Empty where
// none differs or nothing is shown.
QString stale_text(const Session& session);

}  // namespace iosx
