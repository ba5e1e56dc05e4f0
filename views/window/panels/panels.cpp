#include "views/window/panels/panels.h"

#include <QAbstractProxyModel>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <chrono>
#include <utility>

#include "core/workers/worker_device.h"
#include "views/app_model/jobs.h"
#include "views/app_model/selection.h"
#include "views/app_model/session.h"
#include "views/app_model/shown_saving.h"
#include "views/app_model/stage_explainer.h"
#include "views/tables/inspector_model.h"
#include "views/tables/schedule_models.h"
#include "views/tables/table_model.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/base/table_view.h"
#include "views/window/devices/listed_workers.h"

namespace iosx {
namespace {

constexpr int kWidestColumn = 260;  // pixels
constexpr int kWidestName = 130;    // in the inspector
constexpr int kAroundName = 22;     // pixels left and right of it together

int source_row(const QAbstractProxyModel& proxy, int row) { return proxy.mapToSource(proxy.index(row, 0)).row(); }

// Returns where these rows of the source stand; those that are filtered out are left out.
std::vector<int> proxy_rows(const QAbstractProxyModel& proxy, const std::vector<int>& rows) {
  std::vector<int> shown;
  for (const int row : rows) {
    const QModelIndex index = proxy.mapFromSource(proxy.sourceModel()->index(row, 0));
    if (index.isValid()) shown.push_back(index.row());
  }
  std::ranges::sort(shown);
  return shown;
}

std::vector<int> columns_of(const TableModel& model, std::initializer_list<const char*> ids) {
  std::vector<int> columns;
  for (const char* id : ids) columns.push_back(model.columnOf(id));
  return columns;
}

// Selects the units of all these rows.
template <typename Model>
Selection units_of(const Model& model, const QAbstractProxyModel& proxy, const std::vector<int>& rows) {
  Selection all;
  for (const int row : rows) {
    const Selection one = model.selection(source_row(proxy, row));
    all.units.insert(all.units.end(), one.units.begin(), one.units.end());
  }
  std::ranges::sort(all.units);
  return all;
}

void fill(QWidget* panel, QWidget* content) { flush(new QVBoxLayout(panel))->addWidget(content); }

}  // namespace

SchedulePanel::SchedulePanel(Session& session)
    : session_(session),
      model_(new ScheduleListModel(this)),
      sorted_(sorted(model_, this)),
      table_(named("schedules-table", new TableView(tr("Schedules"), -1))) {
  fill(this, table_);
  table_->setModel(sorted_);
  table_->setSortingEnabled(true);
  table_->sortByColumn(-1, Qt::AscendingOrder);  // the comparison's own order at first
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setOptionalColumns(columns_of(  // the tool bar says the origin too
      *model_, {"origin", "stages_needed", "search_seconds", "stage_sum_ms", "planned_peak_bytes", "stages"}));
  connect(table_, &TableView::rowsChosen, this, [this](const std::vector<int>& rows) {
    if (!rows.empty()) session_.setActiveSchedule(static_cast<std::size_t>(source_row(*sorted_, rows.front())));
  });
  connect(&session_, &Session::comparisonChanged, this, &SchedulePanel::showComparison);
  connect(&session_, &Session::activeScheduleChanged, this, &SchedulePanel::showActive);
  showComparison();
  follow_theme(this, [this](const Theme& theme) { model_->setTheme(theme); });
}

void SchedulePanel::showComparison() {
  model_->setComparison(session_.comparison());
  table_->fitColumns(kWidestColumn);
  showActive();
}

void SchedulePanel::showActive() {
  if (model_->rowCount() == 0) return;
  table_->selectRows(proxy_rows(*sorted_, {static_cast<int>(session_.activeSchedule())}));
}

StagePanel::StagePanel(const Session& session, SelectionModel& selection, const ShownSaving& saving)
    : session_(session),
      selection_(selection),
      saving_(saving),
      model_(new StageTableModel(this)),
      sorted_(sorted(model_, this)),
      sentence_(named("stages-sentence", wrapping({}, Qt::PlainText))),
      table_(named("stages-table", new TableView(tr("Stages of the shown schedule"), model_->columnOf("units")))) {
  table_->setModel(sorted_);
  table_->setSortingEnabled(true);
  table_->sortByColumn(model_->columnOf("saved_ms"), Qt::DescendingOrder);
  table_->setOptionalColumns(columns_of(*model_, {"unit_count"}));
  QLineEdit* filter = filter_line(sorted_, table_, tr("Filter stages by unit or strategy"));
  filter->setObjectName(QStringLiteral("stages-filter"));
  sentence_->setMargin(4);
  fill(this, table_);
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, filter);
  static_cast<QVBoxLayout*>(layout())->insertWidget(1, sentence_);
  connect(filter, &QLineEdit::textChanged, this, &StagePanel::showSelection);
  connect(table_, &TableView::rowsChosen, this, &StagePanel::choose);
  connect(&session_, &Session::comparisonChanged, this, &StagePanel::showSchedule);
  connect(&session_, &Session::activeScheduleChanged, this, &StagePanel::showSchedule);
  connect(&selection_, &SelectionModel::changed, this, &StagePanel::showSelection);
  connect(&saving_, &ShownSaving::changed, this, &StagePanel::showSchedule);
  showSchedule();
}

void StagePanel::showSchedule() {
  const auto comparison = session_.comparison();
  const std::size_t active = session_.activeSchedule();
  model_->setResult(comparison, active);
  model_->setSaving(saving_.current());
  const bool shown = comparison != nullptr && active < comparison->results.size();
  const QString sentence = shown ? chosen_by_stages_text(comparison->results[active]) : QString();
  sentence_->setText(sentence);
  sentence_->setVisible(!sentence.isEmpty());
  table_->fitColumns(kWidestColumn);
  showSelection();
}

void StagePanel::showSelection() { table_->selectRows(proxy_rows(*sorted_, model_->rows(selection_.current()))); }

void StagePanel::choose(const std::vector<int>& rows) {
  if (rows.size() == 1) return selection_.select(model_->selection(source_row(*sorted_, rows.front())));
  Selection all = units_of(*model_, *sorted_, rows);  // of several stages, and no stage
  if (!rows.empty()) all.schedule = model_->selection(source_row(*sorted_, rows.back())).schedule;
  selection_.select(std::move(all));
}

TaskPanel::TaskPanel(const Session& session, Jobs& jobs, SelectionModel& selection)
    : session_(session),
      jobs_(jobs),
      model_(new TaskTableModel(this)),
      sorted_(sorted(model_, this)),
      sentence_(named("tasks-sentence", wrapping({}, Qt::PlainText))),
      table_(named("tasks-table", new TableView(tr("Tasks of the search"), model_->columnOf("parts")))) {
  auto* column = put_into(flush(new QVBoxLayout(this), 0), {sentence_, {table_, 1}});
  column->addStretch();  // holds the sentence at the top where there is no table
  setObjectName(QStringLiteral("tasks"));
  setAttribute(Qt::WA_StyledBackground);
  sentence_->setContentsMargins(12, 8, 12, 6);
  table_->setModel(sorted_);
  table_->setSortingEnabled(true);
  table_->sortByColumn(model_->columnOf("gain_ms"), Qt::DescendingOrder);
  table_->setOptionalColumns(columns_of(*model_, {"times", "cost_ms", "measured"}));
  connect(table_, &TableView::rowsChosen, this,
          [this, &selection](const std::vector<int>& rows) { selection.select(units_of(*model_, *sorted_, rows)); });
  connect(&jobs_, &Jobs::searchingChanged, this, &TaskPanel::refresh);
  connect(&session_, &Session::comparisonChanged, this, &TaskPanel::refresh);
  connect(&session_, &Session::activeScheduleChanged, this, &TaskPanel::refresh);
  refresh();
}

void TaskPanel::refresh() {
  const auto comparison = session_.comparison();
  const auto& searching = jobs_.searching();
  if (searching) {
    model_->setTasks(searching->graph, searching->searches[searching->running].tasks);
  } else if (const ScheduleResult* searched = searchedSchedule();
             searched != nullptr && searched->search && searched->search->lazy) {
    model_->setTasks(comparison->graph, searched->search->lazy->tasks);
  } else {
    model_->setTasks(nullptr, {});
  }
  sentence_->setText(sentence());
  table_->setVisible(model_->rowCount() > 0);
  table_->fitColumns(kWidestColumn);
}

const ScheduleResult* TaskPanel::searchedSchedule() const {
  const auto comparison = session_.comparison();
  return comparison ? &comparison->kernels_of(comparison->results[session_.activeSchedule()]) : nullptr;
}

QString TaskPanel::sentence() const {
  if (jobs_.searching()) {
    return model_->rowCount() > 0 ? tr("Where the time goes so far, and where the search may still gain, by estimate")
                                  : tr("The possible gains are being computed");
  }
  const ScheduleResult* searched = searchedSchedule();
  if (searched == nullptr) return tr("No search yet");
  const QString title = schedule_title(*searched);
  if (!searched->search) return tr("%1 is not from a search: it has no tasks").arg(title);
  if (!searched->search->lazy) return tr("Exhaustive search: every stage was requested, so no gain is left");
  return tr("%1: where the time goes, and where more may be gained, by estimate").arg(title);
}

InspectorPanel::InspectorPanel(const Session& session, Jobs& jobs, SelectionModel& selection)
    : session_(session),
      selection_(selection),
      explainer_(new StageExplainer(session, jobs, selection, this)),
      model_(new InspectorModel(this)),
      table_(named("inspector-table", new TableView(tr("Inspector"), InspectorModel::kValue))) {
  fill(this, table_);
  table_->setModel(model_);
  table_->setWrapping();
  table_->setMouseTracking(true);
  table_->setProperty(kKeepsSpace, true);  // it opens what is folded
  table_->viewport()->installEventFilter(this);
  table_->installEventFilter(this);
  connect(table_, &QAbstractItemView::entered, this, [this](const QModelIndex& at) { point(at.row()); });
  connect(table_, &TableView::rowsChosen, this,
          [this](const std::vector<int>& rows) { point(rows.size() == 1 ? rows.front() : -1); });
  connect(table_, &QAbstractItemView::clicked, this, [this](const QModelIndex& at) { chosen(at.row()); });
  connect(&session_, &Session::documentChanged, this, &InspectorPanel::refresh);
  connect(&session_, &Session::comparisonChanged, this, &InspectorPanel::refresh);
  connect(&session_, &Session::workspaceChanged, this, [this] {
    if (session_.hasDocument() && session_.shownNetwork()->column != column_) refresh();
  });
  connect(&session_, &Session::settingsChanged, this, &InspectorPanel::refresh);
  connect(&session_, &Session::activeScheduleChanged, this, &InspectorPanel::refresh);
  connect(&session_, &Session::verified, this, &InspectorPanel::refresh);
  connect(&selection_, &SelectionModel::changed, this, &InspectorPanel::refresh);
  connect(explainer_, &StageExplainer::changed, this, &InspectorPanel::refresh);
  refresh();
}

std::vector<Property> InspectorPanel::why() const {
  if (!selection_.current().stage && session_.comparison()) {
    return describe_waits(session_.comparison()->results[session_.activeSchedule()], selection_.current().units);
  }
  const StageExplanation* stage = explainer_->current();
  const auto comparison = session_.comparison();
  const ScheduleResult* result = comparison ? comparison->find(selection_.current().schedule) : nullptr;
  if (stage != nullptr && result != nullptr) {
    return describe_why(*comparison->graph, result->schedule, *stage, with_excluded_);
  }
  if (explainer_->busy() || !explainer_->error().isEmpty()) return describe_no_why(explainer_->error());
  return {};
}

void InspectorPanel::point(int row) {
  std::vector<UnitId> units;
  const auto& properties = model_->properties();
  const StageExplanation* stage = explainer_->current();
  if (stage != nullptr && row >= 0 && row < static_cast<int>(properties.size())) {
    const Property& property = properties[static_cast<std::size_t>(row)];
    const bool alternative = property.form == Property::Form::kAlternative;
    if (alternative && property.alternative < stage->alternatives.size()) {
      units = stage->alternatives[property.alternative].change.units;
    }
  }
  if (units == pointed_) return;
  pointed_ = std::move(units);
  emit alternativePointed(pointed_);
}

void InspectorPanel::chosen(int row) {
  if (row < 0 || row >= static_cast<int>(model_->properties().size())) return;
  if (model_->properties()[static_cast<std::size_t>(row)].form != Property::Form::kFold) return;
  with_excluded_ = !with_excluded_;
  refresh();
  table_->selectRows({row});
}

bool InspectorPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Leave && watched == table_->viewport()) point(-1);
  if (event->type() == QEvent::FocusOut && watched == table_) point(-1);
  if (event->type() == QEvent::KeyPress && watched == table_) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) chosen(table_->currentIndex().row());
  }
  return QWidget::eventFilter(watched, event);
}

void InspectorPanel::refresh() {
  point(-1);
  if (!session_.hasDocument()) return model_->setProperties({});
  column_ = session_.shownNetwork()->column;
  const Comparison* comparison = session_.comparison().get();
  const std::int64_t batch = comparison != nullptr ? comparison->batch : session_.settings().options.batch;
  std::vector<Property> lines =
      describe(*session_.document().graph, selection_.current(), comparison, batch, why(), column_.get());
  const auto add = [&lines](std::vector<Property> more) { std::ranges::move(more, std::back_inserter(lines)); };
  const bool whole = selection_.current().empty();
  if (whole) add(describe_file(interface_of(session_.document(), batch), session_.document().batched));
  if (whole && comparison != nullptr) {
    const ScheduleResult& shown = comparison->results[session_.activeSchedule()];
    add(describe_search(shown));
    add(describe_networks(*comparison));
    add(describe_sensitivity(*comparison));
    const Verification* found = session_.verification(session_.activeSchedule());
    if (found != nullptr) add(describe_verification(schedule_title(shown), *found));
  }
  model_->setProperties(std::move(lines));
  // Headings take the whole row.
  table_->clearSpans();
  const auto& properties = model_->properties();
  for (std::size_t row = 0; row < properties.size(); ++row) {
    if (properties[row].heading || properties[row].form != Property::Form::kPair) {
      table_->setSpan(static_cast<int>(row), 0, 1, InspectorModel::kColumnCount);
    }
  }
  int widest = 0;
  for (const Property& property : properties) {
    if (!property.heading && property.form == Property::Form::kPair)
      widest = std::max(widest, table_->fontMetrics().horizontalAdvance(property.name));
  }
  table_->fitColumns(std::min(kWidestName, widest + kAroundName));
}

JobsPanel::JobsPanel(Jobs& jobs, const WorkerBoard& workers, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      workers_(workers),
      list_(named("jobs-list", new QListWidget, tr("Running and waiting jobs"))),
      drop_(named("drop-job", new QToolButton)) {
  setObjectName(QStringLiteral("jobs"));
  setAutoFillBackground(true);
  drop_->setText(tr("Cancel this job"));
  put_into(flush(new QVBoxLayout(this), 0), {{list_, 1}, drop_});
  connect(drop_, &QToolButton::clicked, this, &JobsPanel::drop);
  connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
    const QListWidgetItem* item = list_->item(row);
    drop_->setEnabled(item != nullptr && item->data(Qt::UserRole).isValid());
  });
  connect(&jobs_, &Jobs::waitingChanged, this, &JobsPanel::refresh);
  connect(&jobs_, &Jobs::started, this, &JobsPanel::refresh);
  connect(&jobs_, &Jobs::finished, this, &JobsPanel::refresh);
  connect(&jobs_.runner(), &JobRunner::pausedChanged, this, &JobsPanel::refresh);
  auto* timer = new QTimer(this);
  connect(timer, &QTimer::timeout, this, &JobsPanel::showWorkers);
  timer->start(std::chrono::milliseconds(250));
  refresh();
}

void JobsPanel::refresh() {
  const QVariant chosen = list_->currentItem() != nullptr ? list_->currentItem()->data(Qt::UserRole) : QVariant();
  list_->clear();
  const auto add = [this](const QString& text, JobRunner::JobId id) {
    auto* item = new QListWidgetItem(text, list_);
    item->setData(Qt::UserRole, QVariant::fromValue<qulonglong>(id));
  };
  const JobRunner& jobs = jobs_.runner();
  const auto title = [this](const QString& title, JobRunner::JobId id) {
    const QString settings = jobs_.settingsText(id);
    return settings.isEmpty() ? title : tr("%1, %2", "a job, and with what settings").arg(title, settings);
  };
  const QString state = jobs.paused() ? tr("%1: paused") : tr("%1: running");
  if (jobs.running() != 0) add(state.arg(title(jobs.title(), jobs.running())), jobs.running());
  shown_workers_ = workerLines();
  for (const QString& line : shown_workers_) (new QListWidgetItem(line, list_))->setFlags(Qt::ItemIsEnabled);
  for (const JobRunner::Waiting& job : jobs.waiting()) add(tr("%1: waiting").arg(title(job.title, job.id)), job.id);
  if (list_->count() == 0) {
    auto* none = new QListWidgetItem(
        tr("No job runs or waits. If you press Optimize during a search, the next one waits."), list_);
    none->setFlags(Qt::ItemIsEnabled);
  }
  for (int row = 0; row < list_->count(); ++row) {
    if (list_->item(row)->data(Qt::UserRole) == chosen) list_->setCurrentRow(row);
  }
  if (list_->currentRow() < 0) list_->setCurrentRow(0);
  const QListWidgetItem* current = list_->currentItem();
  drop_->setEnabled(current != nullptr && current->data(Qt::UserRole).isValid());
}

void JobsPanel::showWorkers() {
  const QStringList lines = isVisible() ? workerLines() : shown_workers_;
  if (lines == shown_workers_) return;
  if (lines.size() != shown_workers_.size()) return refresh();
  // Below the job that runs, which is the first.
  for (int i = 0; i < lines.size(); ++i) list_->item(1 + i)->setText(lines[i]);
  shown_workers_ = lines;
}

QStringList JobsPanel::workerLines() const {
  QStringList lines;
  if (jobs_.runner().running() == 0) return lines;
  for (const WorkerDoing& doing : workers_.now()) {
    if (doing.activity == WorkerActivity::kOff && doing.losses == 0) continue;
    lines << QStringLiteral("    %1 \u00B7 %2").arg(shown_name(doing.device), doing_text(doing));
  }
  return lines;
}

void JobsPanel::drop() {
  const QListWidgetItem* item = list_->currentItem();
  if (item == nullptr || !item->data(Qt::UserRole).isValid()) return;
  const auto id = static_cast<JobRunner::JobId>(item->data(Qt::UserRole).toULongLong());
  // Keeps the results of the running one.
  if (id == jobs_.runner().running()) return jobs_.cancel();
  jobs_.abandon(id);
}

}  // namespace iosx

#include "moc_panels.cpp"
