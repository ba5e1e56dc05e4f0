#pragma once

#include <QString>
#include <QWidget>
#include <limits>

#include "core/analysis/compare/comparison.h"
#include "core/documents/project/workspace.h"

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace iosx {

class Jobs;
class Session;

// Describes the shown run's result in one large sentence that asks where the time went, with a link to the answer;
// also the origin of its latencies, and whether the settings have changed since. After a simulation it offers a
// measurement on this computer, which never starts by itself.
class Headline final : public QWidget {
  Q_OBJECT

 public:
  // Both must outlive the widget.
  Headline(const Session& session, Jobs& jobs);

  QPushButton* measureButton() const { return measure_; }
  // Shortens the text above this height, in pixels; the rest is in the tool tips. Initially unlimited.
  void setRoom(int height);

 signals:
  // The user asks for the difference between the two schedules of the question.
  void answerAsked(const iosx::Choice& sequential, const iosx::Choice& faster);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  enum class Words { kAll, kWhy, kBrief, kTight };
  void fit();
  void say(Words words);
  void placeMeasure(bool beside_badge);
  void showBadge(const Comparison* comparison);  // null: none
  void askAnswer();

  const Session& session_;
  Jobs& jobs_;
  QVBoxLayout* column_;
  QHBoxLayout* top_;
  QLabel* badge_;  // origin of the latencies
  QLabel* question_;
  QLabel* sentence_;
  QLabel* detail_;
  QLabel* stale_;
  bool measure_beside_ = false;  // the badge, instead of below
  QString detail_text_;
  QString why_detail_;  // the part of it that says what was won, and why
  QString stale_text_;
  QString brief_stale_;
  int room_ = std::numeric_limits<int>::max();
  QPushButton* measure_;
};

// Returns the settings that differ from those of the shown run: "batch 1, now 8; r 3, now no limit". Empty where
// none differs or nothing is shown.
QString stale_text(const Session& session);

}  // namespace iosx
