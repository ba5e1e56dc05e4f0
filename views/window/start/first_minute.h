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

// Shows one hint after another to somebody who opens the program for the first time, each pointing at something, each
// gone as soon as the person does what it speaks of. A button sends them away for good.
class FirstMinute final : public QObject {
  Q_OBJECT

 public:
  struct Step {
    std::chrono::milliseconds after;  // the end of the step before, or the start
    std::function<QString()> text;
    std::function<QRect()> target;  // in the window's coordinates; empty: not there now, the step is left out
  };

  // Both outlive this.
  FirstMinute(QWidget* window, Settings& settings);

  void setSteps(std::vector<Step> steps);
  // Starts from the first step; `at_once` means without waiting.
  void start(bool at_once);
  // The person has done what this step asks for: its hint goes, or does not come.
  void done(std::size_t step);
  // Hides the hint while the window shows something else than what the steps point at; the step begins again
  // afterwards.
  void setPaused(bool paused);
  void follow();  // what a step points at has changed or moved: its hint goes along, or goes
  void stop();    // until it is started again

  bool running() const { return running_; }
  const HintBubble& bubble() const { return *bubble_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void next();  // after the present step
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
