#include "views/window/shell/window_state.h"

#include <QAction>
#include <QActionGroup>
#include <QFileInfo>
#include <QMainWindow>
#include <QStringList>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/window/actions/actions.h"
#include "views/window/shell/opening.h"

namespace iosx {

WindowState::WindowState(Session& session, Jobs& jobs, const Opening& opening, Actions& actions, QMainWindow* window)
    : QObject(window), session_(session), jobs_(jobs), opening_(opening), actions_(actions), window_(window) {
  for (const auto changed : {&Session::documentChanged, &Session::comparisonChanged, &Session::activeScheduleChanged,
                             &Session::settingsChanged})
    connect(&session_, changed, this, &WindowState::show);
  for (const auto changed :
       {&Session::workspaceChanged, &Session::notesChanged, &Session::draftsChanged, &Session::drawingsChanged})
    connect(&session_, changed, this, &WindowState::showTitle);
  connect(&opening_, &Opening::opened, this, &WindowState::show);
  connect(&jobs_, &Jobs::started, this, &WindowState::show);
  connect(&jobs_, &Jobs::finished, this, &WindowState::show);
  show();
}

void WindowState::show() {
  const bool busy = jobs_.canCancel();
  const auto comparison = session_.comparison();
  const QString no_network = session_.hasDocument() ? QString() : tr("No network is open");
  Actions::enable(actions_.optimize, no_network);
  Actions::enable(actions_.cancel, busy ? QString() : tr("Nothing is running"));
  for (QAction* action : {actions_.save_project, actions_.save_project_as}) Actions::enable(action, no_network);
  actions_.enableExports(comparison != nullptr, session_.hasDocument());
  if (session_.hasDocument()) {
    const QString missing = session_.weightsLeftBehind()
                                ? tr("A run file does not hold the network's weights; open the network itself")
                                : QString();
    Actions::enable(actions_.export_network, missing);
    if (comparison != nullptr) {
      Actions::enable(actions_.export_scheduled, missing);
      Actions::enable(actions_.export_pytorch, missing);
    }
  }
  Actions::enable(actions_.profile, jobs_.profileDisabledReason());
  Actions::enable(actions_.measure_here, jobs_.measureHereDisabledReason());
  Actions::enable(actions_.verify, jobs_.verifyDisabledReason());
  for (std::size_t i = 0; i < actions_.experiments.size(); ++i) {
    Actions::enable(actions_.experiments[i], jobs_.experimentDisabledReason(experiment_table()[i].kind));
  }
  Actions::enable(actions_.add_network, session_.hasDocument() ? QString() : tr("No network is open"));
  const bool sizes_open = session_.hasDocument() && !session_.document().file.deciding().empty();
  Actions::enable(actions_.input_sizes,
                  sizes_open || opening_.asksForSizes() ? QString() : tr("All sizes of this network are known"));
  showTitle();
}

void WindowState::setDrawing(const QString& name) {
  if (name == drawing_) return;
  drawing_ = name;
  showTitle();
}

// The title names the project, with the mark of one that is not saved, and what is shown.
void WindowState::showTitle() {
  QStringList names;
  if (const QString file = session_.projectPath(); !file.isEmpty())
    names << shown_name(QFileInfo(file).fileName().toStdString());
  if (!drawing_.isEmpty()) {
    names << drawing_;
  } else if (session_.hasDocument()) {
    const QString network = shown_name(session_.document().graph->name());
    const auto comparison = session_.comparison();
    const DeviceInfo* device = session_.device();
    names << (comparison          ? context_text(*comparison)
              : device != nullptr ? network + QStringLiteral(", ") + QString::fromStdString(device->name)
                                  : network);
  }
  names << tr("IOS Explorer");
  const QString mark = QStringLiteral("[*]");  // Qt's; twice for one that is part of a name
  for (QString& name : names) name.replace(mark, mark + mark);
  names.front() += mark;
  window_->setWindowTitle(names.join(QStringLiteral(" – ")));
  window_->setWindowModified(session_.modified());
}

}  // namespace iosx

#include "moc_window_state.cpp"
