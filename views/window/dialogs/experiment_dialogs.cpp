#include <QDir>
#include <QFormLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/analysis/experiment/parameter.h"
#include "core/analysis/experiment/report.h"
#include "core/documents/report/output_file.h"
#include "core/tables/render.h"
#include "views/app_model/session.h"
#include "views/compare/comparison_chart.h"
#include "views/explore/experiment/experiment_figure.h"
#include "views/explore/utilization/utilization_figure.h"
#include "views/figures/exporter.h"
#include "views/tables/table_model.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/base/settings.h"
#include "views/window/base/table_view.h"
#include "views/window/dialogs/experiment_dialogs.h"
#include "views/window/dialogs/save_dialogs.h"

namespace iosx {
namespace {

constexpr int kLeastWidth = 460;
constexpr int kDeviceListWidth = 400;

// Returns "1, 32, 128".
template <typename T>
QString listed(const std::vector<T>& numbers) {
  QStringList words;
  for (const T number : numbers) words << QString::number(number);
  return words.join(QStringLiteral(", "));
}

// Reads what listed() writes: values of the parameter, each once; none of any other text.
template <typename T>
std::vector<T> numbers(const QString& text, SweepParameter parameter) {
  std::vector<T> numbers;
  for (const QString& word : text.split(QLatin1Char(','))) {
    bool whole = false;
    const std::int64_t number = word.trimmed().toLongLong(&whole);
    const bool again = std::ranges::count(numbers, static_cast<T>(number)) > 0;
    if (!whole || !row_of(parameter).bounds.hold(number) || again) return {};
    numbers.push_back(static_cast<T>(number));
  }
  return numbers;
}

// Only the results that were asked for have a row in the utilization's picture.
std::vector<std::size_t> asked_for(const Comparison& comparison) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    if (comparison.results[i].asked) shown.push_back(i);
  }
  return shown;
}

constexpr int kWidestMeasure = 300;
constexpr int kTitlePixels = 16;
constexpr int kWindowWidth = 980;

}  // namespace

ExperimentDialog::ExperimentDialog(ExperimentKind kind, const Session& session, const QString& python, QWidget* parent)
    : QDialog(parent), kind_(kind), session_(session), problem_(wrapping()) {
  const ExperimentRow& row = row_of(kind);
  setWindowTitle(tr("Experiment: %1").arg(core_words(row.title).toLower()));
  setMinimumWidth(kLeastWidth);
  auto* summary = wrapping(tr("%1.").arg(core_words(row.summary)));
  auto* form = new QWidget;
  auto* lines = new QFormLayout(form);
  lines->setContentsMargins(0, 4, 0, 4);
  if (!usual_batches(kind).empty()) addBatches(form);
  if (kind == ExperimentKind::kDevices) addDevices(form);
  if (kind == ExperimentKind::kPruning) addLimits(form);
  if (kind == ExperimentKind::kFrameworks) addEngines(form, python);
  auto* buttons = answers(this, QDialogButtonBox::Cancel);
  run_ = add_go_button(buttons, tr("&Run"), "run-experiment");
  put_into(new QVBoxLayout(this), {summary, form, problem_, buttons});
  check();
}

QLineEdit* ExperimentDialog::addLine(QWidget* form, const QString& label, const QString& text, const char* name) {
  auto* line = new QLineEdit(text);
  line->setObjectName(QString::fromLatin1(name));
  line->setAccessibleName(label);
  static_cast<QFormLayout*>(form->layout())->addRow(label, line);
  connect(line, &QLineEdit::textChanged, this, &ExperimentDialog::check);
  return line;
}

void ExperimentDialog::addBatches(QWidget* form) {
  batches_ = addLine(form, tr("&Batch sizes"), listed(usual_batches(kind_)), "batches");
}

void ExperimentDialog::addLimits(QWidget* form) {
  const ExperimentOptions usual;
  r_ = addLine(form, core_words(row_of(SweepParameter::kR).title), listed(usual.r), "r");
  s_ = addLine(form, core_words(row_of(SweepParameter::kS).title), listed(usual.s), "s");
}

void ExperimentDialog::addEngines(QWidget* form, const QString& python) {
  python_ = addLine(form, tr("&Python interpreter"), python, "python");
  python_->setToolTip(tr("For example that of a virtual environment: its installed engines are compared"));
  engines_ = addLine(form, tr("&Engines"), {}, "engines");
  engines_->setPlaceholderText(tr("all installed, or ids with commas: onnxruntime, openvino"));
}

// The chosen device and the next one are checked.
void ExperimentDialog::addDevices(QWidget* form) {
  devices_ = new QListWidget;
  named("devices", devices_, tr("Devices"));
  devices_->setMinimumWidth(kDeviceListWidth);
  int wanted = 0;
  for (const DeviceRegistry::Entry* const entry : session_.devices().entries()) {
    if (!entry->unavailable.empty()) continue;
    if (entry->info.id == session_.settings().device) wanted = 2;
    auto* item = new QListWidgetItem(
        tr("%1 (%2)").arg(QString::fromStdString(entry->info.name), origin_text(entry->info.origin)), devices_);
    item->setData(Qt::UserRole, QString::fromStdString(entry->info.id));
    item->setToolTip(device_summary(entry->info));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(wanted-- > 0 ? Qt::Checked : Qt::Unchecked);
  }
  connect(devices_, &QListWidget::itemChanged, this, &ExperimentDialog::check);
  static_cast<QFormLayout*>(form->layout())->addRow(tr("&Devices"), devices_);
}

ExperimentRequest ExperimentDialog::request() const {
  ExperimentRequest request{.kind = kind_};
  ExperimentOptions& options = request.options;
  EngineSettings& engines = options.rivals.engines;
  if (batches_ != nullptr) options.batches = numbers<std::int64_t>(batches_->text(), SweepParameter::kBatch);
  if (r_ != nullptr) options.r = numbers<std::size_t>(r_->text(), SweepParameter::kR);
  if (s_ != nullptr) options.s = numbers<std::size_t>(s_->text(), SweepParameter::kS);
  if (python_ != nullptr) engines.python = python_->text().trimmed().toStdString();
  if (engines_ != nullptr) {
    for (const QString& id : engines_->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
      if (!id.trimmed().isEmpty()) engines.chosen.push_back(id.trimmed().toStdString());
    }
  }
  for (int i = 0; devices_ != nullptr && i < devices_->count(); ++i) {
    const QListWidgetItem& item = *devices_->item(i);
    if (item.checkState() == Qt::Checked) request.devices.push_back(item.data(Qt::UserRole).toString().toStdString());
  }
  return request;
}

QString ExperimentDialog::problem() const {
  const ExperimentRequest chosen = request();
  if (devices_ != nullptr) return chosen.devices.size() < 2 ? tr("Check at least two devices.") : QString();
  if (batches_ != nullptr) {
    const std::size_t fewest = kind_ == ExperimentKind::kBatches ? 2 : 1;
    if (chosen.options.batches.size() >= fewest) return {};
    return fewest == 1
               ? tr("Enter whole numbers from 1 to %1, separated by commas, each once.").arg(kMaxBatch)
               : tr("Enter two or more whole numbers from 1 to %1, separated by commas, each once.").arg(kMaxBatch);
  }
  if (python_ != nullptr)
    return chosen.options.rivals.engines.python.empty() ? tr("Enter a Python interpreter.") : QString();
  if (!chosen.options.r.empty() && !chosen.options.s.empty()) return {};
  return tr("Enter whole numbers, separated by commas, each once; 0 means no limit.");
}

void ExperimentDialog::check() {
  const QString text = problem();
  run_->setEnabled(text.isEmpty());
  problem_->setText(text);
  problem_->setVisible(!text.isEmpty());
}

std::unique_ptr<Figure> figure_of(const std::shared_ptr<const ExperimentResult>& result) {
  if (result->kind == ExperimentKind::kSchedules) return make_comparison_figure(result->comparison);
  if (result->kind == ExperimentKind::kUtilization) {
    return make_utilization_figure(result->comparison, asked_for(*result->comparison), {});
  }
  if (result->kind == ExperimentKind::kFrameworks && !result->matrix()) {
    return make_latency_figure(engine_bars(*result), {.context = experiment_title(*result),
                                                      .sentence = marks_words(*result),
                                                      .csv = QString::fromStdString(table_csv(trial_list(*result)))});
  }
  return make_experiment_figure(result);
}

Result<std::vector<std::string>> write_experiment_report(const std::shared_ptr<const ExperimentResult>& result,
                                                         const std::filesystem::path& folder,
                                                         const std::optional<PaperFormat>& paper) {
  const std::array<std::pair<const char*, std::string>, 3> tables{{
      {"experiment.txt", experiment_table_text(*result)},
      {"experiment.csv", table_csv(trial_list(*result))},
      {"experiment.json", experiment_json(*result).dump(2) + '\n'},
  }};
  std::vector<std::string> paths;
  for (const auto& [name, text] : tables) {
    const std::filesystem::path path = folder / name;
    IOS_TRY(write_file(path, text));
    paths.push_back(path.string());
  }
  IOS_TRY(const auto figures, write_figure_files(*figure_of(result), QString::fromStdString(folder.string()), paper));
  for (const QString& path : figures) paths.push_back(path.toStdString());
  return paths;
}

ExperimentWindow::ExperimentWindow(std::shared_ptr<const ExperimentResult> result, Settings& settings, QWidget* parent)
    : QDialog(parent, Qt::Window),
      result_(std::move(result)),
      settings_(settings),
      figure_(new FigureWidget(figure_of(result_))),
      table_(new TableView(tr("Trials"), -1)),
      told_(selectable()) {
  setWindowTitle(experiment_title(*result_));
  auto* model = new TableModel(table_);
  model->setTable(experiment_table(*result_));
  table_->setModel(model);
  table_->fitColumns(kWidestMeasure);

  auto* title = selectable(experiment_title(*result_));
  title->setFont(sized(font(), kTitlePixels, true));
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(figure_);
  split->addWidget(table_);
  split->setStretchFactor(0, 1);
  split->setChildrenCollapsible(false);
  const int rows = table_->model()->rowCount();
  const int table_height = table_->horizontalHeader()->sizeHint().height() +
                           (std::min(rows, 9) + 1) * table_->verticalHeader()->defaultSectionSize();
  split->setSizes({figure_->sizeHint().height(), table_height});

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  auto* figure_button = buttons->addButton(tr("Export &figure…"), QDialogButtonBox::ActionRole);
  auto* table_button = buttons->addButton(tr("Export &table…"), QDialogButtonBox::ActionRole);
  connect(figure_button, &QPushButton::clicked, this, &ExperimentWindow::askFigure);
  connect(table_button, &QPushButton::clicked, this, &ExperimentWindow::askTable);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);

  auto* column = put_into(new QVBoxLayout(this), {title, selectable(explanation_words(*result_))});
  if (!result_->complete) column->addWidget(selectable(tr("Stopped early: trials are missing, or ran only once.")));
  column->addWidget(split, 1);
  if (const QString notes = marks_words(*result_); !notes.isEmpty()) column->addWidget(selectable(notes));
  if (const QString engines = engines_words(*result_); !engines.isEmpty()) column->addWidget(selectable(engines));
  put_into(column, {told_, buttons});
  told_->hide();
  const int widest = std::max(figure_->sizeHint().width(), table_->horizontalHeader()->length());
  const QSize wanted(std::max(kWindowWidth, widest + 40), figure_->sizeHint().height() + table_height + 170);
  // With its frame on the screen, whatever the window is beside.
  const QRect room = screen()->availableGeometry().adjusted(20, 40, -20, -20);
  split->setMinimumHeight(1);  // a small screen squeezes the figure, not the title off it
  resize(wanted.boundedTo(room.size()));
  QRect place(QPoint(0, 0), size());
  place.moveCenter(parent != nullptr ? parent->window()->geometry().center() : room.center());
  place.moveRight(std::min(place.right(), room.right()));
  place.moveBottom(std::min(place.bottom(), room.bottom()));
  move(std::max(place.left(), room.left()), std::max(place.top(), room.top()));
}

bool ExperimentWindow::exportFigure(const QString& path, const FigureExport& how) {
  const auto written = write_figure_export(figure_->figure(), path, how);
  return told(written ? Result<void>() : tl::unexpected<Error>(written.error()), path);
}

bool ExperimentWindow::exportTable(const QString& path) {
  return told(write_file(path, QByteArray::fromStdString(table_csv(trial_list(*result_)))), path);
}

bool ExperimentWindow::told(const Result<void>& written, const QString& path) {
  if (written) settings_.setFolderOf(path);
  told_->setText(written ? tr("Wrote %1").arg(QDir::toNativeSeparators(path)) : error_text(written.error()));
  told_->show();
  return written.has_value();
}

void ExperimentWindow::askFigure() {
  ExportDialog dialog(figure_->figure(), last_figure_export(settings_), this);
  if (dialog.exec() != QDialog::Accepted) return;
  const FigureExport how = dialog.how();
  keep_figure_export(settings_, how);
  const QString path = ask_where_to_export(this, settings_, figure_->figure(), how);
  if (!path.isEmpty()) exportFigure(path, how);
}

void ExperimentWindow::askTable() {
  const QString stem = QStringLiteral("experiment-") + qstring(row_of(result_->kind).id);
  const QString path = ask_where_to_save(this, settings_, tr("Export table"), stem, {file_filter(FigureFormat::kCsv)});
  if (!path.isEmpty()) exportTable(path);
}

}  // namespace iosx

#include "moc_experiment_dialogs.cpp"
