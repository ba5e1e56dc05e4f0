#include "views/window/dialogs/experiment_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <set>

#include "views/style/style.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kLeastWidth = 460;
constexpr int kDeviceListWidth = 400;
constexpr std::int64_t kMostLimit = 1'000'000;

// Reads "1, 32, 128": whole numbers from `least` to `most`, each once; none for any other text.
template <typename T>
std::optional<std::vector<T>> numbers(const QString& text, std::int64_t least, std::int64_t most) {
  std::vector<T> numbers;
  for (const QString& word : text.split(QLatin1Char(','))) {
    bool whole = false;
    const std::int64_t number = word.trimmed().toLongLong(&whole);
    const bool again = std::ranges::count(numbers, static_cast<T>(number)) > 0;
    if (!whole || number < least || number > most || again) return std::nullopt;
    numbers.push_back(static_cast<T>(number));
  }
  return numbers;
}

}  // namespace

ExperimentDialog::ExperimentDialog(ExperimentKind kind, const Session& session, const QString& python, QWidget* parent)
    : QDialog(parent), kind_(kind), session_(session), problem_(new QLabel) {
  const ExperimentRow& row = row_of(kind);
  setWindowTitle(tr("Experiment: %1").arg(core_words(row.title).toLower()));
  setMinimumWidth(kLeastWidth);
  auto* summary = new QLabel(tr("%1.").arg(core_words(row.summary)));
  summary->setWordWrap(true);
  auto* form = new QWidget;
  auto* lines = new QFormLayout(form);
  lines->setContentsMargins(0, 4, 0, 4);
  if (!usual_batches(kind).empty()) addBatches(form);
  if (kind == ExperimentKind::kDevices) addDevices(form);
  if (kind == ExperimentKind::kPruning) addLimits(form);
  if (kind == ExperimentKind::kFrameworks) addEngines(form, python);
  problem_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  run_ = buttons->addButton(tr("&Run"), QDialogButtonBox::AcceptRole);
  run_->setProperty(kAccent, "go");
  run_->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addWidget(summary);
  column->addWidget(form);
  column->addWidget(problem_);
  column->addWidget(buttons);
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
  QStringList usual;
  for (const std::int64_t batch : usual_batches(kind_)) usual << QString::number(batch);
  batches_ = addLine(form, tr("&Batch sizes"), usual.join(QStringLiteral(", ")), "batches");
}

void ExperimentDialog::addLimits(QWidget* form) {
  r_ = addLine(form, tr("Units per group, r"), QStringLiteral("1, 2, 3"), "r");
  s_ = addLine(form, tr("Groups per stage, s"), QStringLiteral("3, 8"), "s");
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
  devices_->setObjectName(QStringLiteral("devices"));
  devices_->setAccessibleName(tr("Devices"));
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

ExperimentChoice ExperimentDialog::request() const {
  ExperimentChoice request{.kind = kind_};
  if (batches_ != nullptr)
    request.batches = numbers<std::int64_t>(batches_->text(), 1, kMaxBatch).value_or(request.batches);
  if (r_ != nullptr) request.r = numbers<std::size_t>(r_->text(), 0, kMostLimit).value_or(request.r);
  if (s_ != nullptr) request.s = numbers<std::size_t>(s_->text(), 0, kMostLimit).value_or(request.s);
  if (python_ != nullptr) request.engines.python = python_->text().trimmed().toStdString();
  if (engines_ != nullptr) {
    for (const QString& id : engines_->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
      if (!id.trimmed().isEmpty()) request.engines.chosen.push_back(id.trimmed().toStdString());
    }
  }
  for (int i = 0; devices_ != nullptr && i < devices_->count(); ++i) {
    const QListWidgetItem& item = *devices_->item(i);
    if (item.checkState() == Qt::Checked) request.devices.push_back(item.data(Qt::UserRole).toString().toStdString());
  }
  return request;
}

QString ExperimentDialog::problem() const {
  const ExperimentChoice chosen = request();
  if (devices_ != nullptr) return chosen.devices.size() < 2 ? tr("Check at least two devices.") : QString();
  if (batches_ != nullptr) {
    const std::size_t fewest = kind_ == ExperimentKind::kBatches ? 2 : 1;
    if (chosen.batches.size() >= fewest) return {};
    return fewest == 1
               ? tr("Enter whole numbers from 1 to %1, separated by commas, each once.").arg(kMaxBatch)
               : tr("Enter two or more whole numbers from 1 to %1, separated by commas, each once.").arg(kMaxBatch);
  }
  if (python_ != nullptr) return chosen.engines.python.empty() ? tr("Enter a Python interpreter.") : QString();
  if (!chosen.r.empty() && !chosen.s.empty()) return {};
  return tr("Enter whole numbers, separated by commas, each once; 0 means no limit.");
}

void ExperimentDialog::check() {
  const QString text = problem();
  run_->setEnabled(text.isEmpty());
  problem_->setText(text);
  problem_->setVisible(!text.isEmpty());
}

}  // namespace iosx

#include "moc_experiment_dialog.cpp"
