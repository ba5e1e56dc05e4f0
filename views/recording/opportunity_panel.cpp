#include "views/recording/opportunity_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/analysis/recording/predictions_report.h"
#include "views/recording/recording_lines.h"
#include "views/recording/recording_text.h"
#include "views/tables/cell_roles.h"
#include "views/tables/table_model.h"
#include "views/text/messages.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/fitted_text.h"

namespace iosx {
namespace {

constexpr const char* kKindColumn = "kind";

// Documents name the kinds by one word; here they are in plain words.
class OpportunityModel final : public TableModel {
 public:
  using TableModel::TableModel;

  void setOpportunities(const RecordingPredictions& predictions) {
    kinds_.clear();
    for (const Opportunity& one : predictions.opportunities) kinds_.push_back(one.kind);
    Table table = opportunity_table(predictions);
    for (ColumnInfo& column : table.columns) {
      if (column.id == kKindColumn) column.places |= place::kWindow;
    }
    setTable(std::move(table));
  }

 protected:
  QVariant painted(int row, std::string_view id, int role) const override {
    if (id != kKindColumn) return {};
    const OpportunityKind kind = kinds_[static_cast<std::size_t>(row)];
    if (role == Qt::DisplayRole || role == cell::kSort) return opportunity_kind_text(kind);
    return role == Qt::ToolTipRole ? plain_tip(opportunity_kind_meaning(kind)) : QVariant();
  }

 private:
  std::vector<OpportunityKind> kinds_;
};

}  // namespace

QString opportunity_text(const OpenedRecording& opened) {
  const RecordingPredictions& predictions = opened.predictions;
  if (predictions.why_none) {
    const QString why = message_text(*predictions.why_none);
    return predictions.opportunities.empty()
               ? OpportunityPanel::tr("No gain can be predicted: %1.").arg(why)
               : OpportunityPanel::tr("These may be independent, and no gain can be predicted: %1.").arg(why);
  }
  const QString model = OpportunityPanel::tr("Gains are predicted, not recorded (replay of the recording: %1).")
                            .arg(model_text(opened.report));
  return predictions.opportunities.empty()
             ? OpportunityPanel::tr("No independent kernels win anything at the same time.") + QLatin1Char(' ') + model
             : OpportunityPanel::tr("No dependency orders the kernels of a row.") + QLatin1Char(' ') + model;
}

OpportunityPanel::OpportunityPanel(QWidget* parent)
    : QWidget(parent),
      sentence_(named("recording-opportunities-text", new WrappedLabel)),
      model_(new OpportunityModel(this)),
      sorted_(new WordFilter(this)),
      table_(named("recording-opportunities", new QTableView, tr("What could run at the same time"))),
      lines_(new RecordingLines) {
  sorted_->setSourceModel(model_);
  table_->setModel(sorted_);
  table_->setSortingEnabled(true);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setAlternatingRowColors(true);
  table_->setFrameShape(QFrame::NoFrame);
  table_->verticalHeader()->hide();
  table_->setWordWrap(false);
  table_->horizontalHeader()->setStretchLastSection(true);
  put_into(inset(new QVBoxLayout(this), {12, 8, 0, 0}, 6), {sentence_, {table_, 1}, lines_});
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
    if (opened_ == nullptr || !row.isValid()) return;
    emit chosen(static_cast<std::size_t>(sorted_->mapToSource(row).row()));
  });
}

QString OpportunityPanel::sentence() const { return sentence_->text(); }

void OpportunityPanel::setRecording(std::shared_ptr<const OpenedRecording> opened) {
  opened_ = nullptr;  // until the rows are its own
  static_cast<OpportunityModel*>(model_)->setOpportunities(opened == nullptr ? RecordingPredictions()
                                                                             : opened->predictions);
  table_->sortByColumn(-1, Qt::DescendingOrder);
  sentence_->setText(opened == nullptr ? QString() : opportunity_text(*opened));
  const bool records = opened != nullptr && opened->predictions.opportunities.empty() && lacks_dependencies(*opened);
  lines_->setVisible(records);
  table_->setVisible(!records);
  table_->resizeColumnsToContents();
  if (const int what = model_->columnOf("what"); what >= 0) {
    table_->setColumnWidth(what, std::max(table_->columnWidth(what), 200));
  }
  opened_ = std::move(opened);
}

}  // namespace iosx

#include "moc_opportunity_panel.cpp"
