#include "views/recording/opportunity_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/analysis/recording/predictions_report.h"
#include "views/recording/recording_text.h"
#include "views/tables/table_model.h"
#include "views/text/messages.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/fitted_text.h"

namespace iosx {

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
      model_(new TableModel(this)),
      sorted_(new WordFilter(this)),
      table_(named("recording-opportunities", new QTableView, tr("What could run at the same time"))) {
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
  put_into(inset(new QVBoxLayout(this), {12, 8, 0, 0}, 6), {sentence_, {table_, 1}});
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
    if (opened_ == nullptr || !row.isValid()) return;
    emit chosen(static_cast<std::size_t>(sorted_->mapToSource(row).row()));
  });
}

QString OpportunityPanel::sentence() const { return sentence_->text(); }

void OpportunityPanel::setRecording(std::shared_ptr<const OpenedRecording> opened) {
  opened_ = nullptr;  // until the rows are its own
  model_->setTable(opened == nullptr ? Table() : opportunity_table(opened->predictions));
  table_->sortByColumn(-1, Qt::DescendingOrder);
  sentence_->setText(opened == nullptr ? QString() : opportunity_text(*opened));
  table_->resizeColumnsToContents();
  if (const int what = model_->columnOf("what"); what >= 0) {
    table_->setColumnWidth(what, std::max(table_->columnWidth(what), 200));
  }
  opened_ = std::move(opened);
}

}  // namespace iosx

#include "moc_opportunity_panel.cpp"
