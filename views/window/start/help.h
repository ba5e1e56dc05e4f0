#pragma once

#include <QDialog>
#include <QObject>
#include <QPointF>
#include <QRect>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <chrono>
#include <functional>
#include <vector>

class QTextBrowser;
class QLabel;
class QMainWindow;
class QToolBar;

namespace iosx {

// Shows the program's built-in help: the guide, pages with pictures in the window's language, and the topics of
// resources/help in English.
class Guide final : public QDialog {
  Q_OBJECT

 public:
  explicit Guide(QWidget* window);

  QTextBrowser* page() const { return page_; }
  void showTopics();  // the list of all topics

 private:
  QTextBrowser* page_;
};

class GraphView;
class SelectionModel;
class Session;
class Settings;

// Says where a bubble lies beside what it points at, and the tip of its arrow; in the window's coordinates.
struct BubblePlace {
  QRect bubble;  // without the arrow
  QPointF tip;   // on the edge of the target
  QPointF base;  // middle of the arrow's base, on the edge of the bubble
};

// Places the bubble beside the target where there is room: right, left, below, above, in that order; inside the window
// in any case.
BubblePlace place_bubble(const QRect& target, const QSize& bubble, const QRect& window);

// Shows a hint that points at something in the window: words, a button to go on, a button to have no more of them. It
// takes no focus and stops nothing; Escape closes it where the keyboard is in it.
class HintBubble final : public QWidget {
  Q_OBJECT

 public:
  explicit HintBubble(QWidget* window);

  // Shows the text beside the target, which is in the window's coordinates; there is no arrow where the target is
  // empty.
  void point(const QString& text, const QRect& target);
  QString text() const;

 signals:
  void understood();
  void enough();  // no more hints, ever

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QLabel* text_;
  QPolygonF arrow_;  // in this widget's coordinates
  QRect body_;
};

// Shows one hint after another to somebody who opens the program for the first time, each pointing at something, each
// gone as soon as the person does what it speaks of. A button sends them away for good.
class FirstMinute final : public QObject {
  Q_OBJECT

 public:
  struct Step {
    std::chrono::milliseconds after;  // the end of the previous step, or the start
    std::function<QString()> text;
    std::function<QRect()> target;  // in the window's coordinates; empty: absent, the step is skipped
  };

  // Both outlive this.
  FirstMinute(QWidget* window, Settings& settings);

  void setSteps(std::vector<Step> steps);
  // Starts from the first step; `at_once` means without waiting.
  void start(bool at_once);
  // The user has done what this step suggests: its hint disappears, or does not appear.
  void done(std::size_t step);
  // Hides the hint while the window shows something other than the steps' targets; the step begins again
  // afterwards.
  void setPaused(bool paused);
  void follow();  // a step's target has changed or moved: its hint follows, or disappears
  void stop();    // until the next start()

  bool running() const { return running_; }
  const HintBubble& bubble() const { return *bubble_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void next();  // after the current step
  void wait();
  void show();
  void finish();  // for good

  QWidget* window_;
  Settings& settings_;
  HintBubble* bubble_;
  std::vector<Step> steps_;
  std::vector<bool> done_;
  std::size_t at_ = 0;
  bool running_ = false;
  bool paused_ = false;
  bool at_once_ = false;
  QTimer timer_;
};

// make_first_minute() makes the hints of the first minute in the window: the widest stage, the list of schedules,
// measuring here, one's own model. All must outlive it; the window owns it.
struct HintTargets {
  GraphView* graph;
  const QWidget* schedules;
  const QWidget* measure;
  const QToolBar* own;  // its first action opens one's own model
};
FirstMinute* make_first_minute(QMainWindow* window, const Session& session, SelectionModel& selection,
                               const HintTargets& targets, Settings& settings);

}  // namespace iosx
