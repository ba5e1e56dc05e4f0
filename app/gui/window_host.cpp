#include "app/gui/window_host.h"

#include <utility>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/window/base/settings.h"
#include "views/window/shell/controllers.h"
#include "views/window/shell/main_window.h"
#include "views/window/shell/project_keeper.h"

namespace iosx {

WindowHost::WindowHost(DeviceRegistry& devices, Session& session, Jobs& jobs, Settings& settings, Autosave* autosave,
                       bool system_is_dark, std::optional<LanguageMode> spoken, std::shared_ptr<WorkerBoard> board)
    : session_(session), jobs_(jobs), settings_(settings), autosave_(autosave), system_is_dark_(system_is_dark) {
  languages_.use(spoken.value_or(settings_.language()));
  controllers_ = std::make_unique<Controllers>(devices, session_, jobs_, std::move(board));
  makeWindow();
  if (autosave_ != nullptr) window_->keepSessions(*autosave_, true);
}

WindowHost::~WindowHost() = default;

void WindowHost::makeWindow() {
  window_ = std::make_unique<MainWindow>(session_, jobs_, *controllers_, settings_, system_is_dark_);
  // Queued: the menu that was chosen from belongs to the window that goes.
  connect(window_.get(), &MainWindow::languageChosen, this, &WindowHost::remake, Qt::QueuedConnection);
}

void WindowHost::remake() {
  const LanguageMode before = languages_.spoken();
  languages_.use(settings_.language());
  if (languages_.spoken() == before) return;
  const Mode mode = window_->mode();
  const bool shown = window_->isVisible();
  window_->rememberPlace();
  window_.reset();
  makeWindow();
  if (autosave_ != nullptr) window_->keepSessions(*autosave_, false);
  window_->setMode(mode);
  if (shown) window_->show();
}

}  // namespace iosx

#include "moc_window_host.cpp"
