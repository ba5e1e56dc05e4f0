#include "views/window/dialogs/timing_dialog.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "views/window/base/settings.h"

namespace iosx {
namespace {

constexpr auto kMostWarmup = static_cast<int>(info_of(&TimingOptions::warmup).bounds.most);
constexpr auto kMostRepeats = static_cast<int>(info_of(&TimingOptions::repeats).bounds.most);
constexpr double kLongestMillis = info_of(&TimingOptions::min_time).bounds.most;

QSpinBox* whole(int least, int most, const char* name) {
  auto* box = new QSpinBox;
  box->setRange(least, most);
  box->setObjectName(QString::fromLatin1(name));
  return box;
}

QDoubleSpinBox* real(double least, double most, const QString& unit, const char* name) {
  auto* box = new QDoubleSpinBox;
  box->setRange(least, most);
  box->setDecimals(1);
  box->setSuffix(QChar(0x00A0) + unit);
  box->setObjectName(QString::fromLatin1(name));
  return box;
}

}  // namespace

TimingDialog::TimingDialog(const TimingOptions& timing, QWidget* parent)
    : QDialog(parent),
      given_(timing),
      warmup_(whole(0, kMostWarmup, "warmup")),
      repeats_(whole(1, kMostRepeats, "repeats")),
      max_repeats_(whole(1, kMostRepeats, "max-repeats")),
      min_time_(real(0, kLongestMillis, tr("ms"), "min-time")),
      precision_(real(100 * kFinestPrecision, 100 * kCoarsestPrecision, tr("%"), "precision")) {
  setWindowTitle(tr("Measuring"));
  auto* note = new QLabel(
      tr("How long every stage, and every schedule in each round, is timed on a device that measures. Longer measuring "
         "makes searches slower and tells smaller differences apart."));
  note->setWordWrap(true);
  auto* form = new QFormLayout;
  const auto add = [&](const QString& label, QWidget* box, const QString& help) {
    box->setToolTip(help);
    box->setAccessibleName(label);
    form->addRow(label, box);
  };
  add(tr("&Warm-up runs"), warmup_, tr("Untimed runs before the timed ones"));
  add(tr("Timed runs, at &least"), repeats_, tr("So many runs are always timed"));
  add(tr("Timed runs, at &most"), max_repeats_, tr("Timing ends here however noisy the runs are"));
  add(tr("&Time, at least"), min_time_, tr("The timed runs together take at least so long"));
  add(tr("Wanted &precision"), precision_,
      tr("Timing ends when the median is known to this part of itself (95 % confidence)"));
  auto* buttons =
      new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
          [this] { show(TimingOptions{}); });
  connect(repeats_, &QSpinBox::valueChanged, max_repeats_, &QSpinBox::setMinimum);
  auto* column = new QVBoxLayout(this);
  column->addWidget(note);
  column->addLayout(form);
  column->addWidget(buttons);
  show(timing);
}

void TimingDialog::show(const TimingOptions& timing) {
  const TimingOptions shown = within_limits(timing);
  warmup_->setValue(shown.warmup);
  repeats_->setValue(shown.repeats);
  max_repeats_->setMinimum(shown.repeats);
  max_repeats_->setValue(shown.max_repeats);
  min_time_->setValue(shown.min_time.count());
  precision_->setValue(100 * shown.precision);
}

TimingOptions TimingDialog::timing() const {
  TimingOptions timing = given_;
  timing.warmup = warmup_->value();
  timing.repeats = repeats_->value();
  timing.max_repeats = max_repeats_->value();
  timing.min_time = Millis(min_time_->value());
  timing.precision = precision_->value() / 100;
  return timing;
}

}  // namespace iosx

#include "moc_timing_dialog.cpp"
