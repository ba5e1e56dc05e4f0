#include "views/window/menus/selection_menu.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <algorithm>

#include "views/app_model/selection.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/tables/copied_text.h"
#include "views/text/qstring.h"
#include "views/window/base/table_view.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

// Returns the widget of a view that gets its mouse events.
QWidget* canvas_of(QWidget* view) {
  auto* area = qobject_cast<QAbstractScrollArea*>(view);
  return area != nullptr ? area->viewport() : view;
}

}  // namespace

SelectionMenu::SelectionMenu(const WindowContext& context, SelectionModel& selection, Views& views)
    : QObject(context.window), context_(context), selection_(selection), views_(views) {}

void SelectionMenu::attach(QWidget* view, QAction* figure, QMenu* further) {
  places_.push_back({view, figure, further});
  view->installEventFilter(this);
  if (canvas_of(view) != view) canvas_of(view)->installEventFilter(this);
}

void SelectionMenu::attach(TableView* table) {
  table->setFurtherMenu([this](QMenu& menu) { fill(menu); });
}

bool SelectionMenu::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ContextMenu) return QObject::eventFilter(watched, event);
  const auto place = std::ranges::find_if(
      places_, [&](const Place& each) { return each.view == watched || canvas_of(each.view) == watched; });
  if (place == places_.end()) return false;
  const auto& asked = *static_cast<QContextMenuEvent*>(event);
  QWidget* canvas = canvas_of(place->view);
  if (asked.reason() == QContextMenuEvent::Mouse) selectUnder(canvas, canvas->mapFromGlobal(asked.globalPos()));
  show(*place, asked);
  return true;
}

// Selects as a click there does, so that the menu speaks of what the pointer is on. Several selected units stay as they
// are.
void SelectionMenu::selectUnder(QWidget* canvas, const QPoint& at) const {
  if (selection_.current().units.size() > 1 && !selection_.current().stage) return;
  for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
    const Qt::MouseButtons held = type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton;
    QMouseEvent click(type, at, canvas->mapToGlobal(at), Qt::LeftButton, held, Qt::NoModifier);
    QApplication::sendEvent(canvas, &click);
  }
}

void SelectionMenu::show(const Place& place, const QContextMenuEvent& event) {
  QMenu menu(place.view);
  fill(menu);
  menu.addSeparator();
  if (place.further != nullptr) {
    place.further->setTitle(tr("&Schedules"));
    menu.addMenu(place.further);
  }
  menu.addAction(place.figure);
  menu.exec(event.globalPos());
}

void SelectionMenu::fill(QMenu& menu) {
  menu.setToolTipsVisible(true);
  const Selection& chosen = selection_.current();
  const auto comparison = context_.session.comparison();
  const bool any = context_.session.hasDocument() && !chosen.empty();
  const QString title =
      any ? selection_title(*context_.session.document().graph, chosen, comparison.get()) : tr("Nothing is selected");
  menu.addSection(short_menu_text(title));
  const auto add = [&](const QString& text, bool possible, auto act) {
    menu.addAction(text, this, act)->setEnabled(possible);
  };
  add(tr("Show in the &graph"), any, [this] { views_.graph()->zoomToSelection(); });
  add(tr("Show in the &timeline"), any && comparison, [this] { views_.timeline()->fitSelection(); });
  add(tr("Select its &stage"), any && comparison && !chosen.stage, [this] { selectStage(); });
  add(tr("&Why this stage"), any && comparison, [this] {
    selectStage();
    emit explainAsked();
  });
  menu.addSeparator();
  add(tr("Copy &names"), any, [this] { copyNames(); });
  add(tr("Copy units as tab-separated te&xt"), any, [this] { copyTable(false); });
  add(tr("Copy units as CS&V"), any, [this] { copyTable(true); });
  menu.addSeparator();
  QMenu* schedule = menu.addMenu(tr("&Export the shown schedule"));
  context_.actions.fill(*schedule, "exports");
  menu.addAction(context_.actions["clear-selection"]);
}

void SelectionMenu::copyNames() const {
  QApplication::clipboard()->setText(selected_names(*context_.session.document().graph, selection_.current()));
}

void SelectionMenu::copyTable(bool csv) const {
  const auto comparison = context_.session.comparison();
  const ScheduleResult* shown = comparison ? &comparison->results[context_.session.activeSchedule()] : nullptr;
  const auto rows = selected_units(*context_.session.document().graph, selection_.current(), shown,
                                   comparison ? comparison->batch : context_.session.settings().options.batch);
  QApplication::clipboard()->setText(csv ? as_csv(rows) : as_tsv(rows));
}

// Selects the stage of the first selected unit in the shown schedule; does nothing where a stage is selected.
void SelectionMenu::selectStage() const {
  const auto comparison = context_.session.comparison();
  if (!comparison || selection_.current().empty() || selection_.current().stage) return;
  const ScheduleResult& shown = comparison->results[context_.session.activeSchedule()];
  for (std::size_t stage = 0; stage < shown.schedule.stages.size(); ++stage) {
    const Selection whole = stage_selection(shown, stage);
    if (whole.contains(selection_.current().units.front())) return selection_.select(whole);
  }
}

}  // namespace iosx

#include "moc_selection_menu.cpp"
