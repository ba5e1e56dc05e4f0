#include "views/window/devices/devices_dialog.h"

#include <QComboBox>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <algorithm>
#include <span>

#include "views/style/theme.h"
#include "views/text/format.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/base/table_view.h"
#include "views/window/devices/add_worker_dialog.h"

namespace iosx {
namespace {

constexpr Seconds kAskedFor{10};
constexpr QSize kDevicesSize(980, 500);
constexpr int kWidestColumn = 240;
constexpr int kChosenLines = 3;
constexpr int kSecond = 1000;          // ms
constexpr std::size_t kMostLines = 8;  // of workers of one row

enum DevicesColumn { kNameColumn, kDeviceColumn, kCountColumn, kStateColumn, kDevicesColumns };

// Workers' activity for a job is newer than their last reports.
QString state_text(const WorkerRow& row, const std::vector<WorkerDoing>& doings, Seconds waited) {
  const bool at_work = std::ranges::any_of(
      doings, [](const WorkerDoing& doing) { return doing.activity != WorkerActivity::kOff || doing.losses > 0; });
  if (at_work) return doings_text(doings);
  switch (row.state) {
    case WorkerState::kNotAsked: return row.said;
    case WorkerState::kAsking:
      return waited < Seconds(1) ? row.said : DevicesDialog::tr("asking… %1").arg(format::elapsed(waited));
    case WorkerState::kAnswered: return QStringLiteral("✓ ") + row.said;
    case WorkerState::kFailed: return QStringLiteral("✗ ") + row.said;
  }
  return {};
}

}  // namespace

DevicesDialog::DevicesDialog(ListedWorkers& workers, QWidget* parent)
    : QDialog(parent),
      workers_(workers),
      model_(new QStandardItemModel(0, kDevicesColumns, this)),
      table_(named("devices-table", new TableView(tr("Workers"), kStateColumn))),
      pages_(new QStackedWidget),
      chosen_(named("devices-chosen", selectable({}, kChosenLines), tr("The chosen workers"))),
      problem_(named("devices-problem", selectable())),
      remove_(named("devices-remove", new QPushButton(tr("&Remove")))),
      ask_(named("devices-ask", new QPushButton)),
      isolation_(new QComboBox) {
  setObjectName(QStringLiteral("devices-dialog"));
  setWindowTitle(tr("Devices"));
  resize(kDevicesSize);
  auto* note = wrapping(tr(
      "A worker (iosx worker) measures on a device of another machine, or of this machine in a separate process, for "
      "this window and for the command line. This machine's own devices are not in this list."));
  problem_->hide();

  auto* add = named("devices-add", new QPushButton(tr("&Add…")));
  auto* actions = put_into(new QHBoxLayout, {add, remove_, FreeRoom{}, ask_});
  auto* buttons = answers(this, QDialogButtonBox::Close);

  put_into(new QVBoxLayout(this), {note, {makeTable(), 1}, chosen_, actions, makeIsolation(), problem_, buttons})
      ->setSpacing(10);

  connect(add, &QPushButton::clicked, this, &DevicesDialog::add);
  connect(remove_, &QPushButton::clicked, this, &DevicesDialog::removeChosen);
  connect(new QShortcut(QKeySequence::Delete, table_, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated,
          this, &DevicesDialog::removeChosen);
  connect(ask_, &QPushButton::clicked, this, [this] {
    if (!runner_.busy()) return ask();
    runner_.cancel();
    refresh();
  });
  connect(&workers_, &ListedWorkers::changed, this, &DevicesDialog::refresh);
  clock_.setInterval(kSecond);
  connect(&clock_, &QTimer::timeout, this, &DevicesDialog::showTime);
  clock_.start();
  connect(&runner_, &JobRunner::finished, this, [this] {
    if (!isVisible()) return deleteLater();
    if (const auto kept = workers_.take(answers_); !kept) sayProblem(kept);
    refresh();
  });
  sayProblem(workers_.read());
  refresh();
  ask();
}

QWidget* DevicesDialog::makeTable() {
  model_->setHorizontalHeaderLabels({tr("Name"), tr("Device"), tr("Workers"), tr("State")});
  for (const int column : {kNameColumn, kDeviceColumn, kStateColumn}) {
    model_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  }
  model_->horizontalHeaderItem(kCountColumn)->setToolTip(tr("How many workers the command starts"));
  table_->setModel(model_);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &DevicesDialog::showChosen);
  auto* empty = new QLabel(
      tr("There are no workers yet.\nAdd… starts one by ssh, by Slurm or by your own command, and lists its device."));
  empty->setAlignment(Qt::AlignCenter);
  empty->setForegroundRole(QPalette::PlaceholderText);
  pages_->addWidget(table_);
  pages_->addWidget(empty);
  pages_->setFrameShape(QFrame::StyledPanel);
  return pages_;
}

QWidget* DevicesDialog::makeIsolation() {
  auto* box = new QWidget;
  auto* column = flush(new QVBoxLayout(box));
  auto* line = new QHBoxLayout;
  auto* label = new QLabel(tr("&Devices of this machine that run in their own process:"));
  label->setBuddy(isolation_);
  named("devices-isolation", isolation_, tr("Devices of this machine that run in their own process"));
  isolation_->addItem(tr("none"), static_cast<int>(Isolation::kNone));
  isolation_->addItem(tr("GPUs"), static_cast<int>(Isolation::kGpus));
  isolation_->addItem(tr("all that measure"), static_cast<int>(Isolation::kAll));
  put_into(line, {label, isolation_, FreeRoom{}});
  auto* note = wrapping(tr(
      "If the device's library crashes, then only one measurement is lost. A change takes effect at the next start."));
  note->setForegroundRole(QPalette::PlaceholderText);
  put_into(column, {line, note});
  connect(isolation_, &QComboBox::activated, this, [this] {
    sayProblem(workers_.setIsolation(static_cast<Isolation>(isolation_->currentData().toInt())));
    refresh();
  });
  return box;
}

// The window stays usable meanwhile: running requests may take a moment to end.
void DevicesDialog::done(int result) {
  QDialog::done(result);
  if (!runner_.busy()) return deleteLater();
  runner_.abandon();
}

void DevicesDialog::ask() {
  answers_.clear();
  if (!workers_.list().devices.empty()) {
    runner_.start({},
                  [this, list = workers_.list(), round = runner_.next()](
                      const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
                    (void)ask_workers(list, kAskedFor, job, [this, round, &job](const WorkerAnswer& answer) {
                      if (job.stopped()) return;  // it says nothing but that
                      heard_.post([this, round, answer] {
                        if (runner_.running() != round)
                          return;  // those that were stopped are asked again, or nobody looks
                        keep(answer);
                      });
                    });
                    return JobRunner::Delivery();
                  });
  }
  refresh();
}

void DevicesDialog::keep(const WorkerAnswer& answer) {
  std::erase_if(answers_, [&](const WorkerAnswer& before) {
    return before.device == answer.device && before.command.command == answer.command.command;
  });
  answers_.push_back(answer);
  refresh();
}

void DevicesDialog::add() {
  auto* dialog = new AddWorkerDialog(workers_, this);
  connect(dialog, &AddWorkerDialog::added, this,
          [this](const std::string& device, const WorkerCommand& command, const wire::Hello& hello) {
            keep({device, command, hello});
            const auto row = std::ranges::find_if(
                rows_, [&](const WorkerRow& each) { return each.device == device && each.command == command; });
            if (row != rows_.end()) table_->selectRows({static_cast<int>(row - rows_.begin())});
          });
  dialog->open();
}

std::vector<std::pair<std::string, WorkerCommand>> DevicesDialog::chosen() const {
  std::vector<std::pair<std::string, WorkerCommand>> chosen;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
    const WorkerRow& row = rows_.at(static_cast<std::size_t>(index.row()));
    chosen.emplace_back(row.device, row.command);
  }
  return chosen;
}

void DevicesDialog::removeChosen() {
  Result<void> outcome;
  for (const auto& [device, command] : chosen()) {
    if (outcome) outcome = workers_.remove(device, command);
  }
  sayProblem(outcome);
}

void DevicesDialog::sayProblem(const Result<void>& outcome) {
  problem_->setVisible(!outcome);
  problem_->setText(outcome ? QString() : error_text(outcome.error()));
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, theme_of(palette()).error);
  problem_->setPalette(colours);
}

// The chosen workers stay chosen.
void DevicesDialog::refresh() {
  const auto chosen = this->chosen();
  table_->selectionModel()->clearSelection();
  rows_ = worker_rows(workers_.list(), answers_, runner_.running() != 0 && !runner_.stopping());
  model_->setRowCount(0);
  std::vector<int> selected;
  for (const WorkerRow& row : rows_) {
    const QStringList texts{shown_name(row.device), row.device_title, QString::number(row.command.count), QString()};
    QList<QStandardItem*> items;
    for (const QString& text : texts) {
      items << new QStandardItem(text);
      items.back()->setToolTip(plain_tip(text));
    }
    items[kCountColumn]->setTextAlignment(Qt::AlignCenter);
    if (std::ranges::count(chosen, std::pair(row.device, row.command)) > 0) selected.push_back(model_->rowCount());
    model_->appendRow(items);
  }
  showTime();
  table_->fitColumns(kWidestColumn);
  table_->selectRows(selected);
  pages_->setCurrentIndex(rows_.empty() ? 1 : 0);
  ask_->setText(runner_.busy() ? tr("&Stop asking") : tr("Ask a&gain"));
  ask_->setEnabled(!rows_.empty());
  isolation_->setCurrentIndex(isolation_->findData(static_cast<int>(workers_.list().isolation)));
  showChosen();
}

void DevicesDialog::showTime() {
  const Seconds waited = runner_.running() != 0 ? runner_.elapsed() : Seconds(0);
  const std::vector<WorkerDoing> board = workers_.board().now();
  for (int row = 0; row < model_->rowCount(); ++row) {
    const WorkerRow& shown = rows_.at(static_cast<std::size_t>(row));
    QStandardItem* item = model_->item(row, kStateColumn);
    item->setText(state_text(shown, doings_of(shown, board), waited));
    item->setToolTip(plain_tip(item->text()));
    const Theme theme = theme_of(palette());
    item->setForeground(shown.state == WorkerState::kAsking   ? theme.mutedText
                        : shown.state == WorkerState::kFailed ? theme.error
                                                              : theme.text);
  }
  showChosen();
}

void DevicesDialog::showChosen() {
  const QModelIndexList chosen = table_->selectionModel()->selectedRows();
  remove_->setEnabled(!chosen.empty());
  remove_->setToolTip(tr("Remove the chosen workers from the list, and the device with its last worker"));
  if (chosen.size() != 1) {
    return chosen_->setText(rows_.empty() ? QString() : tr("Choose a row to see its command and replies."));
  }
  const WorkerRow& row = rows_.at(static_cast<std::size_t>(chosen.front().row()));
  QStringList lines{tr("Command: %1").arg(shown_name(row.command.command)), row.said};
  if (!row.remedy.isEmpty()) lines.back() += QStringLiteral(" — ") + row.remedy;
  const std::vector<WorkerDoing> doings = doings_of(row, workers_.board().now());
  for (const WorkerDoing& doing : std::span(doings).first(std::min(doings.size(), kMostLines))) {
    lines << doing_text(doing);
  }
  if (doings.size() > kMostLines) lines << tr("and %1 more").arg(doings.size() - kMostLines);
  // Keeps the selection of the text.
  const QString text = lines.join(QLatin1Char('\n'));
  if (text != chosen_->text()) chosen_->setText(text);
}

}  // namespace iosx

#include "moc_devices_dialog.cpp"
