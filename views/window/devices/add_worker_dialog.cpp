#include "views/window/devices/add_worker_dialog.h"

#include <QFontDatabase>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>

#include "views/style/theme.h"
#include "views/text/format.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/devices/listed_workers.h"

namespace iosx {
namespace {

constexpr int kLeastDialogWidth = 620;
constexpr int kMostCount = 1024;
constexpr int kUsualLimit = 60;       // s
constexpr int kLongestLimit = 86400;  // s: a queue
constexpr int kSaidLines = 4;
constexpr int kTick = 1000;  // ms

enum Way { kBySsh, kBySlurm, kByCommand };

// Errors of what was typed have no place but the field that is looked at.
QString said_of(const Error& error) { return error_text({error.what, {}, error.remedy}); }

}  // namespace

AddWorkerDialog::AddWorkerDialog(ListedWorkers& workers, QWidget* parent)
    : QDialog(parent),
      workers_(workers),
      ways_(named("worker-ways", new QTabWidget)),
      shown_(named("worker-shown", selectable({}, 2), tr("The command that starts a worker"))),
      limit_(named("worker-limit", new QSpinBox, tr("Maximum time until a worker starts"))),
      test_(named("worker-test", new QPushButton)),
      said_(named("worker-said", selectable({}, kSaidLines), tr("Reply of the worker"))) {
  setObjectName(QStringLiteral("add-worker"));
  setWindowTitle(tr("Add workers"));
  setMinimumWidth(kLeastDialogWidth);
  addPages();
  shown_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));

  limit_->setRange(1, kLongestLimit);
  limit_->setValue(kUsualLimit);
  limit_->setSuffix(QChar(0x00A0) + tr("s"));
  limit_->setToolTip(
      tr("Maximum time to wait until the worker starts; a change also applies to later searches. In a queue, a start "
         "can take a while"));
  auto* limit_label = new QLabel(tr("&Wait at most"));
  limit_label->setBuddy(limit_);
  auto* line = new QHBoxLayout;
  line->addWidget(test_);
  line->addSpacing(8);
  put_into(line, {limit_label, limit_, FreeRoom{}});

  auto* buttons = answers(this, QDialogButtonBox::Cancel);
  add_ = buttons->addButton(tr("&Add"), QDialogButtonBox::AcceptRole);
  add_->setObjectName(QStringLiteral("worker-add"));
  add_->setProperty(kAccent, "go");

  put_into(new QVBoxLayout(this), {ways_, new QLabel(tr("The command:")), shown_, line, {said_, 1}, buttons})
      ->setSpacing(10);

  connect(ways_, &QTabWidget::currentChanged, this, &AddWorkerDialog::edited);
  connect(test_, &QPushButton::clicked, this, &AddWorkerDialog::test);
  clock_.setInterval(kTick);
  connect(&clock_, &QTimer::timeout, this, &AddWorkerDialog::showTime);
  connect(&runner_, &JobRunner::started, this, [this] {
    clock_.start();
    showTime();
    refresh();
  });
  connect(&runner_, &JobRunner::failed, this, [this](const Error& error) {
    runner_.stopping() ? say(tr("The test was stopped.")) : say(said_of(error), true);
  });
  connect(&runner_, &JobRunner::finished, this, [this] {
    clock_.stop();
    if (!isVisible()) return deleteLater();
    refresh();
    (tested_ ? add_ : test_)->setFocus();
  });
  refresh();
  host_->setFocus();
}

WorkerProgram AddWorkerDialog::ProgramFields::program() const {
  return {path->text().toStdString(), device->text().toStdString(), count->value()};
}

QLineEdit* AddWorkerDialog::addLine(QFormLayout* form, const QString& label, const char* name, const QString& text,
                                    const QString& example, const QString& help) {
  auto* line = new QLineEdit(text);
  line->setObjectName(QString::fromLatin1(name));
  line->setAccessibleName(QString(label).remove(QLatin1Char('&')));
  line->setPlaceholderText(example);
  line->setToolTip(help);
  form->addRow(label, line);
  connect(line, &QLineEdit::textChanged, this, &AddWorkerDialog::edited);
  return line;
}

AddWorkerDialog::ProgramFields AddWorkerDialog::addProgram(QFormLayout* form, const char* way) {
  const std::string prefix = way;
  const WorkerProgram usual;
  ProgramFields fields{};
  fields.path = addLine(form, tr("&Program there"), (prefix + "-program").c_str(), qstring(usual.path),
                        tr("iosx, or its path"), tr("iosx if the shell there finds it, or its path"));
  fields.device = addLine(form, tr("&Device there"), (prefix + "-device").c_str(), qstring(usual.device),
                          tr("cpu or gpu"), tr("Its name in iosx devices there: cpu, gpu, or another one"));
  fields.count = new QSpinBox;
  fields.count->setObjectName(QString::fromStdString(prefix + "-count"));
  fields.count->setRange(1, kMostCount);
  fields.count->setValue(usual.count);
  fields.count->setAccessibleName(tr("How many workers"));
  fields.count->setToolTip(tr("The workers share the measurements; several workers on one device take turns"));
  form->addRow(tr("How ma&ny"), fields.count);
  connect(fields.count, &QSpinBox::valueChanged, this, &AddWorkerDialog::edited);
  return fields;
}

void AddWorkerDialog::addPages() {
  const auto page = [this](const QString& title) {
    auto* widget = new QWidget;
    ways_->addTab(widget, title);
    return new QFormLayout(widget);
  };
  QFormLayout* form = page(tr("By &ssh"));
  host_ = addLine(form, tr("&Host"), "ssh-host", {}, tr("node1, or user@node1"),
                  tr("A host that ssh reaches without a password prompt"));
  by_ssh_ = addProgram(form, "ssh");

  form = page(tr("By S&lurm"));
  options_ = addLine(form, tr("&Options of srun"), "slurm-options", QStringLiteral("--exclusive --gres=gpu:1"),
                     QStringLiteral("--exclusive --gres=gpu:1"),
                     tr("Options separated by spaces; --exclusive reserves the device while it is measured"));
  by_slurm_ = addProgram(form, "slurm");

  form = page(tr("By any co&mmand"));
  typed_ = addLine(form, tr("&Command"), "worker-command", {},
                   QStringLiteral("kubectl exec -i gpu-0 -- iosx worker --device gpu"),
                   tr("The shell command here that starts one worker; \"4 x COMMAND\" starts four"));
  form->addRow(
      wrapping(tr("It must forward standard input and output to iosx worker. Lines that it writes before the worker "
                  "starts do no harm.")));
}

Result<WorkerCommand> AddWorkerDialog::command() const {
  switch (ways_->currentIndex()) {
    case kBySsh: return ssh_workers(host_->text().toStdString(), by_ssh_.program());
    case kBySlurm: return slurm_workers(options_->text().toStdString(), by_slurm_.program());
    default: return worker_command(typed_->text().toStdString());
  }
}

void AddWorkerDialog::say(const QString& text, bool error) {
  said_->setText(text);
  said_->setProperty("state", error ? QStringLiteral("failed") : QString());
  QPalette colours = palette();
  if (error) colours.setColor(QPalette::WindowText, theme_of(palette()).error);
  said_->setPalette(colours);
}

void AddWorkerDialog::refresh() {
  const auto made = command();
  const bool busy = runner_.busy();
  if (made) {
    const QString text = shown_name(made->command);
    shown_->setText(made->count > 1 ? tr("%1 × %2").arg(made->count).arg(text) : text);
  } else {
    shown_->setText(said_of(made.error()));
  }
  if (tested_ && (!made || tested_->device.commands.front().command != made->command)) {
    tested_.reset();
    say({});
  }
  if (tested_) {
    tested_->device.commands = {*made};  // how many may have changed
    say(tr("It works: %1, %2\n%3")
            .arg(shown_name(tested_->hello.device.name), hello_text(tested_->hello),
                 addition_text(workers_.list(), tested_->device, tested_->hello)));
  }
  ways_->setEnabled(!busy);
  limit_->setEnabled(!busy);
  test_->setText(busy ? tr("&Stop") : tr("&Test"));
  test_->setToolTip(busy ? tr("Stop waiting") : tr("Start one worker and show its reply"));
  test_->setEnabled(busy || made.has_value());
  test_->setDefault(!tested_);
  add_->setEnabled(tested_.has_value() && !busy);
  add_->setToolTip(tested_ ? QString() : tr("Test the command first"));
  if (tested_) add_->setDefault(true);
}

void AddWorkerDialog::edited() {
  if (!tested_) say({});  // it was about another command
  refresh();
}

void AddWorkerDialog::showTime() {
  say(tr("Starting a worker… %1 of %2")
          .arg(format::elapsed(runner_.elapsed()), format::elapsed(Seconds(limit_->value()))));
}

void AddWorkerDialog::test() {
  if (runner_.busy()) return runner_.cancel();
  const auto made = command();
  if (!made) return;
  tested_.reset();
  runner_.start({},
                [this, command = *made, limit = Seconds(limit_->value())](
                    const JobContext& job, const std::stop_token&) mutable -> Result<JobRunner::Delivery> {
                  Tested tested;
                  // The chosen limit also holds for searches.
                  if (limit != Seconds(kUsualLimit)) command.start = limit;
                  IOS_TRY(tested.device, ask_worker(command, {.start = limit}, job, &tested.hello));
                  return JobRunner::Delivery{[this, tested] { tested_ = tested; }};
                });
}

// The window that it belongs to stays free meanwhile: a launcher may take a moment to end.
void AddWorkerDialog::done(int result) {
  QDialog::done(result);
  if (!runner_.busy()) return deleteLater();
  runner_.abandon();
}

void AddWorkerDialog::accept() {
  if (!tested_ || runner_.busy()) return;
  const Tested chosen = *tested_;
  const auto name = workers_.add(chosen.device, chosen.hello);
  if (!name) return say(error_text(name.error()), true);
  emit added(*name, chosen.device.commands.front(), chosen.hello);
  QDialog::accept();
}

}  // namespace iosx

#include "moc_add_worker_dialog.cpp"
