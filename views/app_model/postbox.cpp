#include "views/app_model/postbox.h"

#include <QCoreApplication>
#include <QEvent>
#include <utility>

namespace iosx {

void Postbox::post(std::function<void()> call) {
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
  }
  QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

void Postbox::customEvent(QEvent*) {
  std::unique_lock lock(mutex_);
  const auto call = std::move(calls_.front());
  calls_.pop_front();
  lock.unlock();
  call();
}

}  // namespace iosx
