#include "views/compare/compare_menu.h"

#include <qcustomplot.h>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include "views/compare/comparison_chart.h"
#include "views/compare/difference_tables.h"
#include "views/compare/distribution_figure.h"
#include "views/tables/copied_text.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

void copy(const QString& text) { QGuiApplication::clipboard()->setText(text); }

QModelIndexList cells_of(const QAbstractItemModel& model, int first, int last) {
  QModelIndexList list;
  for (int row = first; row <= last; ++row) {
    for (int column = 0; column < model.columnCount(); ++column) list << model.index(row, column);
  }
  return list;
}

}  // namespace

CompareMenu::CompareMenu(ComparePage* page) : QObject(page), page_(*page) {
  // `surface` has the places that `view` asks a menu for.
  const auto attach = [this](QWidget* view, QWidget* surface, auto fill) {
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view, &QWidget::customContextMenuRequested, this, [surface, fill](const QPoint& at) {
      QMenu menu;
      fill(menu, at);
      menu.exec(surface->mapToGlobal(at));
    });
  };
  const auto attach_table = [&](CompareTable* table, auto fill) {
    attach(table, table->viewport(),
           [this, table, fill](QMenu& menu, const QPoint& at) { (this->*fill)(menu, table->indexAt(at)); });
  };
  QWidget* const plot = page->chart()->plotWidget();
  attach(plot, plot, [this](QMenu& menu, const QPoint& at) { fillBar(menu, page_.chart()->barAt(at)); });
  attach_table(page->matrixTable(), &CompareMenu::fillMatrix);
  attach_table(page->stagesTable(), &CompareMenu::fillStages);
  attach_table(page->statisticsTable(), &CompareMenu::fillStatistics);
  attach(page->distribution(), page->distribution(),
         [this](QMenu& menu, const QPoint&) { addFigure(menu, ComparedFigure::kDistribution); });
}

void CompareMenu::fillBar(QMenu& menu, std::optional<std::size_t> bar) {
  const RunMatrix* const runs = page_.runs();
  const std::vector<LatencyBar>& bars = page_.chart()->bars();
  if (runs != nullptr && bar && *bar < bars.size()) {
    const LatencyBar& one = bars[*bar];
    menu.addSection(short_menu_text(one.label));
    menu.addAction(tr("&Copy value"), this, [text = latency_text(one.latency)] { copy(text); });
    const QString row =
        QStringList{one.label, latency_text(one.latency), one.remark, one.source}.join(QLatin1Char('\t'));
    menu.addAction(tr("Copy as te&xt"), this, [row] { copy(row); });
    menu.addSeparator();
    if (*bar < runs->subjects.size()) {
      addSubject(menu, *bar);
    } else {
      menu.addAction(
          tr("&Remove this measurement"), this,
          [this, external = static_cast<int>(*bar - runs->subjects.size())] { emit externalRemoveAsked(external); });
    }
    menu.addSeparator();
  }
  addFigure(menu, ComparedFigure::kBars);
}

void CompareMenu::fillMatrix(QMenu& menu, const QModelIndex& index) {
  if (index.isValid() && page_.runs() != nullptr) {
    addCopies(menu, *page_.matrixTable(), index);
    if (const auto subject = page_.matrix().subject(index.column())) addSubject(menu, *subject);
    menu.addSeparator();
  }
  addFigure(menu, ComparedFigure::kMatrix);
}

void CompareMenu::fillStages(QMenu& menu, const QModelIndex& index) {
  const RunMatrix* const runs = page_.runs();
  if (index.isValid() && runs != nullptr && page_.subjectB()) {
    addCopies(menu, *page_.stagesTable(), index);
    const StageRow& row = page_.stagesOf(index);
    const auto add = [&](const QString& text, std::size_t subject, const std::vector<std::size_t>& stages) {
      if (stages.empty()) return;
      menu.addAction(text, this, [this, subject, stage = stages.front()] {
        emit exploreAsked(static_cast<int>(subject), static_cast<int>(stage));
      });
    };
    add(tr("Show the stage of &A in Explore"), runs->matrix.baseline, row.a);
    add(tr("Show the stage of &B in Explore"), *page_.subjectB(), row.b);
    menu.addSeparator();
  }
  addFigure(menu, ComparedFigure::kStages);
}

void CompareMenu::fillStatistics(QMenu& menu, const QModelIndex& index) {
  if (index.isValid() && page_.runs() != nullptr) {
    addCopies(menu, *page_.statisticsTable(), index);
    const auto row = static_cast<std::size_t>(index.row());
    if (row < page_.runs()->subjects.size()) addSubject(menu, row);  // below: what others recorded
    menu.addSeparator();
  }
  addFigure(menu, ComparedFigure::kStatistics);
}

void CompareMenu::addCopies(QMenu& menu, const CompareTable& table, const QModelIndex& index) {
  const QAbstractItemModel& model = *table.model();
  const QModelIndexList row = cells_of(model, index.row(), index.row());
  menu.addAction(tr("&Copy value"), this, [text = index.data().toString()] { copy(text); });
  menu.addAction(tr("Copy row as te&xt"), this, [text = tsv(model, row)] { copy(text); });
  menu.addAction(tr("Copy row as CS&V"), this, [text = csv(model, row)] { copy(text); });
  menu.addAction(tr("Copy &table as CSV"), this,
                 [&model] { copy(csv(model, cells_of(model, 0, model.rowCount() - 1))); });
  menu.addSeparator();
}

void CompareMenu::addSubject(QMenu& menu, std::size_t subject) {
  const bool baseline = subject == page_.runs()->matrix.baseline;
  menu.addAction(tr("Make it the &baseline"), this, [this, subject] { page_.chooseBaseline(subject); })
      ->setEnabled(!baseline);
  menu.addAction(tr("Show it be&side the baseline"), this, [this, subject] { page_.chooseSubject(subject); })
      ->setEnabled(!baseline && page_.subjectB() != subject);
  menu.addAction(tr("Show it in &Explore"), this,
                 [this, subject] { emit exploreAsked(static_cast<int>(subject), -1); });
}

void CompareMenu::addFigure(QMenu& menu, ComparedFigure figure) {
  menu.addAction(tr("Export this &figure…"), this, [this, figure] { emit figureAsked(figure); })
      ->setEnabled(page_.figure(figure) != nullptr);
}

}  // namespace iosx

#include "moc_compare_menu.cpp"
