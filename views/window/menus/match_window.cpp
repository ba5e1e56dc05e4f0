#include "views/window/menus/match_window.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <array>
#include <utility>

#include "core/formats/external/unit_column.h"
#include "views/style/theme.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr QSize kMatchSize(860, 560);
constexpr int kUnitRole = Qt::UserRole;                 // index of the unit of a row; none of other rows
constexpr std::array kColumnWidths{280, 100, 80, 220};  // pixels; the last column has the rest

QString names_of(const Graph& graph, const std::vector<OperatorId>& operators) {
  QStringList names;
  for (const OperatorId op : operators) names << shown_name(graph.op(op).name);
  return names.join(QStringLiteral(", "));
}

// Says by what an entry was matched.
QString rule_words(MatchRule rule) {
  switch (rule) {
    case MatchRule::kNone: break;
    case MatchRule::kName: return MatchWindow::tr("name");
    case MatchRule::kOutput: return MatchWindow::tr("name of the output");
    case MatchRule::kAlike: return MatchWindow::tr("similar name");
    case MatchRule::kFused: return MatchWindow::tr("names of several");
    case MatchRule::kOrder: return MatchWindow::tr("order and kind");
  }
  return MatchWindow::tr("no match");
}

}  // namespace

MatchWindow::MatchWindow(std::shared_ptr<const ExternalRun> run, std::shared_ptr<const Graph> graph, QWidget* parent)
    : QDialog(parent, Qt::Window),
      run_(std::move(run)),
      graph_(std::move(graph)),
      tree_(named("matches", new QTreeWidget, tr("Matches"))) {
  setObjectName(QStringLiteral("match-window"));
  setAttribute(Qt::WA_DeleteOnClose);
  const QString label = shown_name(run_->label);
  setWindowTitle(tr("Matches of %1").arg(label));
  auto* sentence = wrapping(tr("%1 of the time of %2 is matched to operators of %3.")
                                .arg(percent_text(run_->matched_share()), label, shown_name(graph_->name())),
                            Qt::PlainText);
  tree_->setHeaderLabels({tr("Name"), tr("Kind"), tr("Time"), tr("Matched with"), tr("By")});
  tree_->setUniformRowHeights(true);
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  fill();
  for (std::size_t c = 0; c < kColumnWidths.size(); ++c) {
    tree_->header()->resizeSection(static_cast<int>(c), kColumnWidths[c]);
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  auto* colour = buttons->addButton(tr("Colour the &graph"), QDialogButtonBox::ActionRole);
  colour->setObjectName(QStringLiteral("colour-matches"));
  colour->setToolTip(tr("Colour the units by their time in this recording; units without a match are hatched"));
  auto* copy = buttons->addButton(tr("C&opy"), QDialogButtonBox::ActionRole);
  copy->setToolTip(tr("Copy the selected rows, or all of them, as tab-separated text"));
  connect(colour, &QPushButton::clicked, this, &MatchWindow::colouringAsked);
  connect(copy, &QPushButton::clicked, this, &MatchWindow::copy);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(tree_, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
    const QVariant unit = item == nullptr ? QVariant() : item->data(0, kUnitRole);
    if (unit.isValid()) emit unitChosen(UnitId(unit.toULongLong()));
  });
  put_into(new QVBoxLayout(this), {sentence, {tree_, 1}, buttons});
  resize(kMatchSize);
}

QTreeWidgetItem* MatchWindow::addGroup(const QString& title, bool missing) {
  auto* group = new QTreeWidgetItem(tree_, {title});
  QFont bold = font();
  bold.setBold(true);
  group->setFont(0, bold);
  group->setFirstColumnSpanned(true);
  group->setFlags(Qt::ItemIsEnabled);
  group->setExpanded(missing);
  return group;
}

void MatchWindow::addEntry(QTreeWidgetItem* group, const ExternalEntry& entry, bool missing) {
  auto* row = new QTreeWidgetItem(group, {shown_name(entry.name), shown_name(entry.type),
                                          entry.duration > Millis(0) ? duration_text(entry.duration) : QString(),
                                          names_of(*graph_, entry.match.operators), rule_words(entry.match.rule)});
  row->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
  if (missing) {
    for (int column = 0; column < row->columnCount(); ++column) {
      row->setBackground(column, theme_of(palette()).errorFill);
    }
    return;
  }
  const UnitId unit = graph_->op(entry.match.operators.front()).unit;
  if (unit.valid()) row->setData(0, kUnitRole, static_cast<qulonglong>(unit.index()));
}

void MatchWindow::fill() {
  std::vector<const ExternalEntry*> lost;
  std::vector<const ExternalEntry*> matched;
  for (const ExternalEntry& entry : run_->entries) (entry.match.operators.empty() ? lost : matched).push_back(&entry);
  const UnitColumn times = column_of_run(*run_, *graph_);
  std::vector<UnitId> bare;
  for (std::size_t u = 0; u < times.values.size(); ++u) {
    if (!times.values[u]) bare.emplace_back(u);
  }
  const Theme theme = theme_of(palette());
  QTreeWidgetItem* group = addGroup(tr("Operators of the recording without a unit (%1)").arg(lost.size()), true);
  for (const ExternalEntry* const entry : lost) addEntry(group, *entry, true);
  group = addGroup(tr("Units without an operator of the recording (%1)").arg(bare.size()), true);
  for (const UnitId unit : bare) {
    const Unit& of = graph_->unit(unit);
    auto* row = new QTreeWidgetItem(group, {shown_name(of.name), {}, {}, {}, tr("no match")});
    row->setToolTip(0, plain_tip(names_of(*graph_, of.operators)));
    for (int column = 0; column < row->columnCount(); ++column) row->setBackground(column, theme.errorFill);
    row->setData(0, kUnitRole, static_cast<qulonglong>(unit.index()));
  }
  group = addGroup(tr("Matched (%1)").arg(matched.size()), lost.empty() && bare.empty());
  for (const ExternalEntry* const entry : matched) addEntry(group, *entry, false);
}

void MatchWindow::copy() const {
  QStringList lines;
  const bool all = tree_->selectedItems().empty();
  for (int g = 0; g < tree_->topLevelItemCount(); ++g) {
    const QTreeWidgetItem* const group = tree_->topLevelItem(g);
    for (int r = 0; r < group->childCount(); ++r) {
      const QTreeWidgetItem* const row = group->child(r);
      if (!all && !row->isSelected()) continue;
      QStringList fields;
      for (int column = 0; column < tree_->columnCount(); ++column) fields << row->text(column);
      lines << fields.join(QLatin1Char('\t'));
    }
  }
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace iosx

#include "moc_match_window.cpp"
