#include "app/gui/panels.h"

#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/gui/table_view.h"
#include "views/bridge/selection.h"
#include "views/bridge/session.h"
#include "views/bridge/stage_explainer.h"
#include "views/models/inspector_model.h"
#include "views/models/schedule_list_model.h"
#include "views/models/stage_table_model.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

constexpr int kWidestColumn = 260;  // pixels
constexpr int kWidestName = 130;    // in the inspector

void fill(QWidget* panel, QWidget* content) {
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(content);
}

}  // namespace

SchedulePanel::SchedulePanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      model_(new ScheduleListModel(this)),
      table_(new TableView(tr("Schedules"), -1)) {
  fill(this, table_);
  table_->setObjectName(QStringLiteral("schedules-table"));
  table_->setModel(model_);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  using Model = ScheduleListModel;  // the tool bar says the origin too
  table_->setOptionalColumns({Model::kOrigin, Model::kMeasurements, Model::kSearchTime, Model::kStageSum});
  connect(table_, &TableView::rowsChosen, this, [this](const std::vector<int>& rows) {
    if (!rows.empty()) session_.setActiveSchedule(static_cast<std::size_t>(rows.front()));
  });
  connect(&session_, &Session::comparisonChanged, this, &SchedulePanel::showComparison);
  connect(&session_, &Session::activeScheduleChanged, this,
          [this] { table_->selectRows({static_cast<int>(session_.activeSchedule())}); });
  showComparison();
}

void SchedulePanel::setTheme(const Theme& theme) { model_->setTheme(theme); }

void SchedulePanel::showComparison() {
  model_->setComparison(session_.comparison());
  table_->fitColumns(kWidestColumn);
  if (model_->rowCount() > 0) table_->selectRows({static_cast<int>(session_.activeSchedule())});
}

StagePanel::StagePanel(Session& session, SelectionModel& selection, QWidget* parent)
    : QWidget(parent),
      session_(session),
      selection_(selection),
      model_(new StageTableModel(this)),
      table_(new TableView(tr("Stages of the shown schedule"), StageTableModel::kGroups)) {
  fill(this, table_);
  table_->setObjectName(QStringLiteral("stages-table"));
  table_->setModel(model_);
  table_->setOptionalColumns({StageTableModel::kUnitCount});
  table_->wrapStretched();
  connect(table_, &TableView::rowsChosen, this, &StagePanel::choose);
  connect(&session_, &Session::comparisonChanged, this, &StagePanel::showSchedule);
  connect(&session_, &Session::activeScheduleChanged, this, &StagePanel::showSchedule);
  connect(&selection_, &SelectionModel::changed, this, &StagePanel::showSelection);
  showSchedule();
}

void StagePanel::showSchedule() {
  model_->setResult(session_.comparison(), session_.activeSchedule());
  table_->fitColumns(kWidestColumn);
  showSelection();
}

void StagePanel::showSelection() { table_->selectRows(model_->rows(selection_.current())); }

void StagePanel::choose(const std::vector<int>& rows) {
  if (rows.size() == 1) return selection_.select(model_->selection(rows.front()));
  Selection all;  // several stages: their units, and no stage
  for (const int row : rows) {
    const Selection one = model_->selection(row);
    all.units.insert(all.units.end(), one.units.begin(), one.units.end());
    all.schedule = one.schedule;
  }
  selection_.select(std::move(all));
}

InspectorPanel::InspectorPanel(Session& session, SelectionModel& selection, QWidget* parent)
    : QWidget(parent),
      session_(session),
      selection_(selection),
      explainer_(new StageExplainer(session, selection, this)),
      model_(new InspectorModel(this)),
      table_(new TableView(tr("Inspector"), InspectorModel::kValue)) {
  fill(this, table_);
  table_->setObjectName(QStringLiteral("inspector-table"));
  table_->setModel(model_);
  table_->setWordWrap(true);
  table_->setTextElideMode(Qt::ElideMiddle);
  connect(&session_, &Session::documentChanged, this, &InspectorPanel::refresh);
  connect(&session_, &Session::comparisonChanged, this, &InspectorPanel::refresh);
  connect(&session_, &Session::settingsChanged, this, &InspectorPanel::refresh);
  connect(&session_, &Session::activeScheduleChanged, this, &InspectorPanel::refresh);
  connect(&session_, &Session::verified, this, &InspectorPanel::refresh);
  connect(&selection_, &SelectionModel::changed, this, &InspectorPanel::refresh);
  connect(explainer_, &StageExplainer::changed, this, &InspectorPanel::refresh);
  refresh();
}

std::vector<Property> InspectorPanel::why() const {
  const StageExplanation* stage = explainer_->current();
  const auto comparison = session_.comparison();
  const ScheduleResult* result = comparison ? comparison->find(selection_.current().schedule) : nullptr;
  if (stage != nullptr && result != nullptr) return describe_why(*comparison->graph, result->schedule, *stage);
  if (explainer_->busy() || !explainer_->error().isEmpty()) return describe_no_why(explainer_->error());
  return {};
}

void InspectorPanel::refresh() {
  if (!session_.hasDocument()) return model_->setProperties({});
  const Comparison* comparison = session_.comparison().get();
  const std::int64_t batch = comparison != nullptr ? comparison->batch : session_.settings().batch;
  std::vector<Property> lines = describe(*session_.document().graph, selection_.current(), comparison, batch, why());
  if (const Verification* found = session_.verification(session_.activeSchedule());
      found != nullptr && selection_.current().empty()) {
    const QString title = schedule_title(comparison->results[session_.activeSchedule()]);
    for (Property& line : describe_verification(title, *found)) lines.push_back(std::move(line));
  }
  model_->setProperties(std::move(lines));
  // Headings take the whole row.
  table_->clearSpans();
  const auto& properties = model_->properties();
  for (std::size_t row = 0; row < properties.size(); ++row) {
    if (properties[row].heading) table_->setSpan(static_cast<int>(row), 0, 1, InspectorModel::kColumnCount);
  }
  table_->fitColumns(kWidestName);
  // Long values wrap; there are few rows. The others keep the height that rows have everywhere.
  table_->resizeRowsToContents();
  const int usual = table_->verticalHeader()->defaultSectionSize();
  for (int row = 0; row < model_->rowCount(); ++row) {
    if (table_->rowHeight(row) < usual * 5 / 4) table_->setRowHeight(row, usual);
  }
}

}  // namespace iosx
