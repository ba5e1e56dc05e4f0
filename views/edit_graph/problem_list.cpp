#include "views/edit_graph/problem_list.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "views/edit_graph/graph_controller.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

struct Edit {
  Q_DECLARE_TR_FUNCTIONS(iosx::Edit)
};

// Returns the kind of a problem in a word or two.
QString problem_title(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::kOpenInput: return Edit::tr("Open input");
    case ProblemKind::kArity: return Edit::tr("Number of inputs");
    case ProblemKind::kSlice: return Edit::tr("Channels");
    case ProblemKind::kShape: return Edit::tr("Shape");
    case ProblemKind::kWeights: return Edit::tr("Weights");
    case ProblemKind::kCircle: return Edit::tr("Cycle");
    case ProblemKind::kName: return Edit::tr("Name");
    case ProblemKind::kUnitRead:
    case ProblemKind::kUnitApart:
    case ProblemKind::kUnitCircle: return Edit::tr("Unit");
    case ProblemKind::kPartOrder: return Edit::tr("Part");
  }
  return {};
}

constexpr std::size_t kMostShown = 500;

}  // namespace

ProblemList::ProblemList(GraphController& controller, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      none_(new QLabel),
      list_(named("problems", new QTreeWidget, tr("Problems of the graph"))) {
  put_into(flush(new QVBoxLayout(this)), {none_, {list_, 1}, FreeRoom{}});
  setAttribute(Qt::WA_StyledBackground);
  none_->setMargin(12);
  none_->setWordWrap(true);
  list_->setHeaderLabels({tr("Operator"), tr("Kind"), tr("Problem")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setColumnWidth(0, 180);
  list_->setColumnWidth(1, 140);
  const auto go = [this](const QTreeWidgetItem* item) {
    const std::size_t p = item->data(0, Qt::UserRole).toULongLong();
    if (p >= controller_.check().problems.size()) return;
    const Problem& problem = controller_.check().problems[p];
    if (!problem.operators.empty()) return controller_.reveal(problem.operators.front());
    if (problem.units.empty()) return;
    const auto keys = controller_.graph().operators_of(problem.units.front());
    if (!keys.empty()) controller_.reveal(keys.front());
  };
  connect(list_, &QTreeWidget::itemClicked, this, go);
  connect(list_, &QTreeWidget::itemActivated, this, go);
  connect(&controller_, &GraphController::changed, this, &ProblemList::refresh);
  refresh();
}

void ProblemList::refresh() {
  const auto& problems = controller_.check().problems;
  list_->clear();
  QList<QTreeWidgetItem*> items;
  for (std::size_t p = 0; p < problems.size() && p < kMostShown; ++p) {
    const Problem& problem = problems[p];
    const EditOperator* const op =
        problem.operators.empty() ? nullptr : controller_.graph().find(problem.operators.front());
    const EditUnit* const unit = problem.units.empty() ? nullptr : controller_.graph().find(problem.units.front());
    const QString who = op != nullptr ? shown_name(op->name) : unit != nullptr ? shown_name(unit->name) : QString();
    auto* item = new QTreeWidgetItem({who, problem_title(problem.kind), message_text(problem.wording)});
    item->setData(0, Qt::UserRole, static_cast<qulonglong>(p));
    item->setToolTip(2, item->text(2).toHtmlEscaped());
    items << item;
  }
  list_->addTopLevelItems(items);
  const bool any = !problems.empty();
  list_->setVisible(any);
  none_->setVisible(!any);
  none_->setText(controller_.graph().operators().empty() ? tr("Nothing is drawn yet")
                                                         : tr("No problems: the whole graph can be computed"));
  emit counted(static_cast<int>(problems.size()));
}

}  // namespace iosx

#include "moc_problem_list.cpp"
