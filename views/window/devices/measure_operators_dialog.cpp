#include "views/window/devices/measure_operators_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "views/style/style.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kLeastMeasureWidth = 480;
constexpr int kUsualStages = 300;
constexpr int kMostStages = 100'000;

}  // namespace

MeasureOperatorsDialog::MeasureOperatorsDialog(const PredictorKeeper& keeper, const QString& network, QWidget* parent)
    : QDialog(parent), device_(new QComboBox), most_(new QSpinBox) {
  setObjectName(QStringLiteral("measure-operators"));
  setWindowTitle(tr("Measure operators"));
  setMinimumWidth(kLeastMeasureWidth);
  auto* note = new QLabel(
      tr("Operators of %1 are measured alone, in a row and side by side, and kept with the measurements. What is known "
         "already is not measured again.")
          .arg(network));
  note->setWordWrap(true);
  device_->setObjectName(QStringLiteral("measure-device"));
  device_->setAccessibleName(tr("On which device"));
  for (const DeviceRegistry::Entry* const entry : keeper.devices().entries()) {
    if (!entry->unavailable.empty() || entry->info.origin != Origin::kMeasured) continue;
    device_->addItem(shown_name(entry->info.name), qstring(entry->info.id));
    device_->setItemData(device_->count() - 1, device_summary(entry->info), Qt::ToolTipRole);
  }
  device_->setCurrentIndex(std::max(device_->findData(qstring(keeper.chosenDevice())), 0));
  most_->setObjectName(QStringLiteral("measure-most"));
  most_->setAccessibleName(tr("How many stages, at most"));
  most_->setRange(1, kMostStages);
  most_->setValue(kUsualStages);
  most_->setToolTip(tr("A third of them are operators alone"));
  auto* form = new QFormLayout;
  form->addRow(tr("&Device"), device_);
  form->addRow(tr("&Stages, at most"), most_);
  auto* problem = new QLabel;
  problem->setObjectName(QStringLiteral("measure-problem"));
  problem->setWordWrap(true);
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, theme_of(palette()).error);
  problem->setPalette(colours);
  if (device_->count() == 0) {
    problem->setText(tr("No device here measures. Schedule ▸ Devices… adds those of other machines."));
  } else if (!keeper.store().kept) {
    problem->setText(tr("Nothing is kept: Schedule ▸ Kept measurements… says where it is to be."));
  }
  problem->setVisible(!problem->text().isEmpty());
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  auto* measure = buttons->addButton(tr("&Measure"), QDialogButtonBox::AcceptRole);
  measure->setObjectName(QStringLiteral("measure"));
  measure->setProperty(kAccent, "go");
  measure->setDefault(true);
  measure->setEnabled(problem->text().isEmpty());
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(10);
  column->addWidget(note);
  column->addLayout(form);
  column->addWidget(problem);
  column->addWidget(buttons);
}

std::string MeasureOperatorsDialog::device() const { return device_->currentData().toString().toStdString(); }

std::size_t MeasureOperatorsDialog::most() const { return static_cast<std::size_t>(most_->value()); }

}  // namespace iosx

#include "moc_measure_operators_dialog.cpp"
