#include "views/window/shell/schedule_editor.h"

#include <QAction>
#include <QMenu>
#include <array>

#include "views/app_model/selection.h"
#include "views/app_model/session.h"
#include "views/edit_schedule/board_page.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/text/messages.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/menus/export_menu.h"

namespace iosx {
namespace {

// The settings keep it by this key, with the layouts of the modes.
QString board_arrangement_key() { return QStringLiteral("board-page"); }

}  // namespace

ScheduleEditor::ScheduleEditor(const WindowContext& context, ScheduleController& controller, SelectionModel& selection)
    : QObject(context.window),
      context_(context),
      controller_(&controller),
      page_(new BoardPage(*controller_, selection)) {
  page_->setArrangement(context_.settings.layout(board_arrangement_key()));
  connect(page_, &BoardPage::arranged, this,
          [this] { context_.settings.setLayout(board_arrangement_key(), page_->arrangement()); });
  connect(page_, &BoardPage::copyAsked, controller_, &ScheduleController::copyShown);
  connect(&context_.session, &Session::comparisonChanged, this, [this] {  // another network
    if (active_ && !controller_->edits() && context_.session.comparison()) controller_->copyShown();
  });
}

void ScheduleEditor::connectTo(ExportMenu& exports) {
  constexpr std::array kNeeds{ExportNeeds::kSchedule};
  for (const ExportFormat* const format : export_formats_of(kNeeds)) {
    const QString text = context_.actions[export_action(*format)]->text();
    connect(page_->saveMenu()->addAction(text), &QAction::triggered, this,
            [this, &exports, format] { exports.askDraft(*controller_, *format); });
  }
  connect(controller_, &ScheduleController::told, &context_.messages,
          [&messages = context_.messages](const QString& sentence) { messages.showNote(sentence); });
  connect(controller_, &ScheduleController::offered, &context_.messages,
          [&messages = context_.messages](const QString& sentence, const std::function<void()>& take) {
            messages.showNote(sentence, {tr("Use it"), take});
          });
  connect(controller_, &ScheduleController::failed, &context_.messages,
          [&messages = context_.messages](const Error& error) { messages.showError(error_text(error)); });
}

void ScheduleEditor::resetArrangement() { page_->setArrangement({}); }

void ScheduleEditor::setActive(bool active) {
  active_ = active;
  if (active && !controller_->edits() && context_.session.hasDocument()) controller_->copyShown();
  page_->setActive(active);
}

}  // namespace iosx

#include "moc_schedule_editor.cpp"
