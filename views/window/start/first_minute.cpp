#include "views/window/start/first_minute.h"

#include <QEvent>
#include <QWidget>
#include <utility>

#include "views/window/base/settings.h"
#include "views/window/start/hint_bubble.h"

namespace iosx {

FirstMinute::FirstMinute(QWidget* window, Settings& settings)
    : QObject(window), window_(window), settings_(settings), bubble_(new HintBubble(window)) {
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &FirstMinute::show);
  connect(bubble_, &HintBubble::understood, this, &FirstMinute::next);
  connect(bubble_, &HintBubble::enough, this, &FirstMinute::finish);
  window_->installEventFilter(this);
}

void FirstMinute::setSteps(std::vector<Step> steps) {
  steps_ = std::move(steps);
  done_.assign(steps_.size(), false);
}

void FirstMinute::start(bool at_once) {
  at_once_ = at_once;
  at_ = 0;
  done_.assign(steps_.size(), false);
  running_ = !steps_.empty();
  if (running_) wait();
}

void FirstMinute::wait() {
  if (!paused_) timer_.start(at_once_ ? std::chrono::milliseconds(0) : steps_[at_].after);
}

void FirstMinute::setPaused(bool paused) {
  if (std::exchange(paused_, paused) == paused || !running_) return;
  if (!paused) return wait();
  timer_.stop();
  bubble_->hide();
}

void FirstMinute::show() {
  if (!running_ || paused_) return;
  const QRect target = done_[at_] ? QRect() : steps_[at_].target();
  if (target.isEmpty()) return next();
  bubble_->point(steps_[at_].text(), target);
}

void FirstMinute::next() {
  bubble_->hide();
  if (!running_) return;
  if (++at_ == steps_.size()) return finish();
  wait();
}

void FirstMinute::done(std::size_t step) {
  if (step >= done_.size()) return;
  done_[step] = true;
  if (running_ && step == at_ && bubble_->isVisible()) next();
}

void FirstMinute::follow() {
  if (!running_ || !bubble_->isVisible()) return;
  const QRect target = steps_[at_].target();
  if (!target.isEmpty()) return bubble_->point(steps_[at_].text(), target);
  bubble_->hide();
  wait();
}

void FirstMinute::stop() {
  running_ = false;
  timer_.stop();
  bubble_->hide();
}

void FirstMinute::finish() {
  stop();
  settings_.setFirstMinuteDone(true);
}

bool FirstMinute::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) follow();
  return QObject::eventFilter(watched, event);
}

}  // namespace iosx

#include "moc_first_minute.cpp"
