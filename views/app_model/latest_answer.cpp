#include "views/app_model/latest_answer.h"

namespace iosx {

LatestAnswer::LatestAnswer() {
  later_.setSingleShot(true);
  connect(&later_, &QTimer::timeout, this, [this] {
    const auto begin = std::move(begin_);
    begin();
  });
  connect(&runner_, &JobRunner::failed, this, [this](const Error& error) {
    busy_ = false;
    emit failed(error);
  });
}

void LatestAnswer::askLater(std::chrono::milliseconds quiet, std::function<void()> begin) {
  begin_ = std::move(begin);
  later_.start(quiet);
}

void LatestAnswer::drop() {
  later_.stop();
  runner_.abandon();
  busy_ = false;
}

}  // namespace iosx

#include "moc_latest_answer.cpp"
