#include "views/window/shell/compare_controller.h"

#include <QAction>

#include "views/app_model/selection.h"
#include "views/app_model/session.h"
#include "views/compare/compare_menu.h"
#include "views/compare/compare_page.h"
#include "views/window/base/settings.h"
#include "views/window/menus/export_menu.h"
#include "views/window/panels/compared_runs.h"

namespace iosx {
namespace {

FigureKind kind_of(ComparedFigure figure) {
  switch (figure) {
    case ComparedFigure::kBars: return FigureKind::kComparedRuns;
    case ComparedFigure::kMatrix: return FigureKind::kPartMatrix;
    case ComparedFigure::kStages: return FigureKind::kStageDifferences;
    case ComparedFigure::kDistribution: return FigureKind::kDistribution;
    case ComparedFigure::kStatistics: break;
  }
  return FigureKind::kStatistics;
}

// The settings keep it by this key, with the layouts of the modes.
QString arrangement_key() { return QStringLiteral("compare-page"); }

}  // namespace

CompareController::CompareController(const WindowContext& context, SelectionModel& selection, ComparedRuns& compared,
                                     ExportMenu& exports)
    : QObject(context.window), context_(context), selection_(selection), compared_(compared) {
  ComparePage* const page = compared.page();
  auto* menu = new CompareMenu(page);
  connect(menu, &CompareMenu::exploreAsked, this, &CompareController::explore);
  connect(menu, &CompareMenu::externalRemoveAsked, this, [this](int external) {
    if (const auto id = compared_.external(static_cast<std::size_t>(external))) context_.session.editor().remove(*id);
  });
  connect(menu, &CompareMenu::figureAsked, &exports,
          [&exports](ComparedFigure figure) { exports.askFigure(kind_of(figure)); });

  page->setArrangement(context_.settings.layout(arrangement_key()));
  connect(page, &ComparePage::arranged, this,
          [this] { context_.settings.setLayout(arrangement_key(), compared_.page()->arrangement()); });
}

void CompareController::resetArrangement() {
  compared_.page()->resetArrangement();
  context_.settings.setLayout(arrangement_key(), {});
}

void CompareController::explore(int subject, int stage) {
  const auto choice = compared_.choice(static_cast<std::size_t>(subject));
  const ScheduleResult* const result = choice ? context_.session.workspace().find(*choice) : nullptr;
  if (result == nullptr) return;
  context_.session.showSchedule(*choice);
  if (stage >= 0) selection_.select(stage_selection(*result, static_cast<std::size_t>(stage)));
  context_.actions["mode-explore"]->trigger();
}

}  // namespace iosx

#include "moc_compare_controller.cpp"
