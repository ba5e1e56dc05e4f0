#include "views/window/shell/schedule_editor.h"

#include <QAction>
#include <QMenu>

#include "views/app_model/selection.h"
#include "views/app_model/session.h"
#include "views/edit_schedule/board_page.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/text/messages.h"
#include "views/window/actions/modes.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/menus/export_menu.h"

namespace iosx {
namespace {

// The settings keep it by this key, with the layouts of the modes.
QString board_arrangement_key() { return QStringLiteral("board-page"); }

}  // namespace

ScheduleEditor::ScheduleEditor(ScheduleController& controller, Session& session, SelectionModel& selection,
                               const Actions& actions, Settings& settings, QObject* parent)
    : QObject(parent),
      session_(session),
      actions_(actions),
      settings_(settings),
      controller_(&controller),
      page_(new BoardPage(*controller_, selection)) {
  page_->setArrangement(settings.layout(board_arrangement_key()));
  connect(page_, &BoardPage::arranged, this,
          [this] { settings_.setLayout(board_arrangement_key(), page_->arrangement()); });
  connect(actions.reset_layout, &QAction::triggered, page_, [this] {
    if (active_) page_->setArrangement({});
  });
  connect(actions.undo, &QAction::triggered, this, [this] {
    if (active_) controller_->undo();
  });
  connect(actions.redo, &QAction::triggered, this, [this] {
    if (active_) controller_->redo();
  });
  connect(actions.fill_by_ios, &QAction::triggered, controller_, &ScheduleController::fill);
  connect(actions.search_from_here, &QAction::triggered, controller_, &ScheduleController::searchFromHere);
  connect(actions.use_warm_start, &QAction::triggered, this,
          [this](bool on) { session_.setWarmStartUsed(session_.networkId(), on); });
  connect(&session_, &Session::draftsChanged, this, &ScheduleEditor::showStart);
  connect(&session_, &Session::documentChanged, this, &ScheduleEditor::showStart);
  connect(actions.run_mine, &QAction::triggered, this, [this] { controller_->run(); });
  connect(actions.verify_mine, &QAction::triggered, this, [this] { controller_->run(true); });
  connect(page_, &BoardPage::copyAsked, controller_, &ScheduleController::copyShown);
  connect(controller_, &ScheduleController::changed, this, &ScheduleEditor::showActions);
  connect(controller_, &ScheduleController::costsChanged, this, &ScheduleEditor::showActions);
  connect(controller_, &ScheduleController::workChanged, this, &ScheduleEditor::showActions);
  connect(&session_, &Session::comparisonChanged, this, [this] {  // another network
    if (active_ && !controller_->edits() && session_.comparison()) controller_->copyShown();
  });
  nothingToUndo();
  showActions();
  showStart();
}

void ScheduleEditor::showStart() {
  const WorkspaceNetwork* network = session_.shownNetwork();
  const bool any = network != nullptr && network->warm_start.has_value();
  Actions::enable(actions_.use_warm_start, any ? QString() : tr("No hand-made schedule of this network beat a search"));
  actions_.use_warm_start->setChecked(any && network->warm_start->used);
}

// Disables undo and redo where nothing is edited.
void ScheduleEditor::nothingToUndo() {
  actions_.undo->setText(tr("&Undo"));
  actions_.redo->setText(tr("&Redo"));
  Actions::enable(actions_.undo, tr("Nothing to undo"));
  Actions::enable(actions_.redo, tr("Nothing to redo"));
}

void ScheduleEditor::connectTo(ExportMenu& exports, Toasts& messages) {
  for (const ScheduleFormat format : kScheduleFormats) {
    const QAction* like = actions_.export_schedule[static_cast<std::size_t>(format)];
    connect(page_->saveMenu()->addAction(like->text()), &QAction::triggered, this,
            [this, &exports, format] { exports.askDraft(*controller_, format); });
  }
  connect(controller_, &ScheduleController::told, &messages,
          [&messages](const QString& sentence) { messages.showNote(sentence); });
  connect(controller_, &ScheduleController::offered, &messages,
          [&messages](const QString& sentence, const std::function<void()>& take) {
            messages.showNote(sentence, {tr("Take it"), take});
          });
  connect(controller_, &ScheduleController::failed, &messages,
          [&messages](const Error& error) { messages.showError(error_text(error)); });
}

void ScheduleEditor::setActive(bool active) {
  if (active_ && !active) nothingToUndo();
  active_ = active;
  if (active && !controller_->edits() && session_.hasDocument()) controller_->copyShown();
  page_->setActive(active);
  showActions();
}

void ScheduleEditor::showActions() {
  Actions::enable(actions_.edit_copy, session_.hasDocument() ? QString() : tr("No network is open"));
  Actions::enable(actions_.fill_by_ios, controller_->improveDisabledReason());
  Actions::enable(actions_.search_from_here, controller_->improveDisabledReason());
  Actions::enable(actions_.run_mine, controller_->runDisabledReason());
  Actions::enable(actions_.verify_mine, controller_->verifyDisabledReason());
  if (!active_) return;
  const QString undo = controller_->undoName();
  const QString redo = controller_->redoName();
  actions_.undo->setText(undo.isEmpty()
                             ? tr("&Undo")
                             : tr("&Undo: %1").arg(QString(undo).replace(QLatin1Char('&'), QStringLiteral("&&"))));
  actions_.redo->setText(redo.isEmpty()
                             ? tr("&Redo")
                             : tr("&Redo: %1").arg(QString(redo).replace(QLatin1Char('&'), QStringLiteral("&&"))));
  Actions::enable(actions_.undo, undo.isEmpty() ? tr("Nothing to undo") : QString());
  Actions::enable(actions_.redo, redo.isEmpty() ? tr("Nothing to redo") : QString());
}

}  // namespace iosx

#include "moc_schedule_editor.cpp"
