#pragma once

#include <QObject>
#include <QRect>
#include <QString>
#include <QTimer>
#include <chrono>
#include <functional>
#include <vector>

class QWidget;

namespace iosx {

class HintBubble;
class Settings;

// Shows hints to a new user, one after another, each pointing at something, each until the user does what it
// suggests. A button dismisses them for good.
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

}  // namespace iosx
