#pragma once

#include <QString>
#include <QWidget>
#include <limits>
#include <optional>

#include "core/analysis/compare/comparison.h"
#include "core/documents/project/workspace.h"

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace iosx {

class Jobs;
class Session;

// Says what the shown run found, in one large sentence that asks where the time went, and leads to the answer; also
// where its latencies come from, and whether that is what the settings of now would give. After a simulation it offers
// to measure the same on this machine, which never starts by itself.
class Headline final : public QWidget {
  Q_OBJECT

 public:
  // Both must outlive the widget.
  Headline(Session& session, Jobs& jobs, QWidget* parent = nullptr);

  QPushButton* measureButton() const { return measure_; }
  // Says less where all of it would be higher than that, in pixels; the rest is in the tool tips then. At first there
  // is no such limit.
  void setRoom(int height);

 signals:
  // The user asks what makes the difference between the two schedules that the question is about.
  void answerAsked(const iosx::Choice& sequential, const iosx::Choice& faster);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  enum class Words { kAll, kBrief, kTight };
  void fit();
  void say(Words words);
  void placeMeasure(bool beside_badge);
  void showBadge(const Comparison* comparison);  // null: there is none
  void askAnswer();

  Session& session_;
  Jobs& jobs_;
  QVBoxLayout* column_;
  QHBoxLayout* top_;
  QLabel* badge_;  // where the latencies come from
  QLabel* question_;
  QLabel* sentence_;
  QLabel* detail_;
  QLabel* stale_;
  bool measure_beside_ = false;  // the badge, not below all else
  QString detail_text_;
  QString stale_text_;
  QString brief_stale_;
  int room_ = std::numeric_limits<int>::max();
  QPushButton* measure_;
};

// Says "1.27× as fast as one stream"; this is about the best schedule that a search found, or else about
// the fastest.
QString headline_text(const Comparison& comparison, bool searches = false);
QString headline_detail(const Comparison& comparison);
// Says by how much that schedule is faster: "1.62× as fast." and "Where did 2.48 ms go?". There is none where it is not
// surely so.
struct HeadlineQuestion {
  QString answer;
  QString question;
};
std::optional<HeadlineQuestion> headline_question(const Comparison& comparison);
// Says what the shown run was made with and the settings now ask for otherwise: "batch 1, now 8; r 3, now no limit".
// Empty where nothing differs or nothing is shown.
QString stale_text(const Session& session);

}  // namespace iosx
