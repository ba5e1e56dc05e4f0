#include "views/window/dialogs/store_dialog.h"

#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "views/text/format.h"
#include "views/text/messages.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/dialogs/save_dialogs.h"

namespace iosx {
namespace {

constexpr int kFileWidth = 460;  // pixels
constexpr int kSpacing = 10;
constexpr int kContentLines = 3;
constexpr int kTypingPause = 300;     // ms
constexpr std::size_t kMostSets = 6;  // that are named one by one

QString usual_file() {
  const auto file = default_store_file();
  return file ? QString::fromStdString(file->string()) : QString();
}

QString measurements_text(std::int64_t count) {
  return count == 1 ? StoreDialog::tr("1 measurement") : StoreDialog::tr("%1 measurements").arg(format::count(count));
}

Result<QString> look_into(const std::string& file, const std::optional<DeviceInfo>& device) {
  std::error_code error;
  if (!std::filesystem::exists(file, error) && !error) {
    return StoreDialog::tr("The file does not exist yet. The first measurement creates it.");
  }
  IOS_TRY(const auto store, MeasurementStore::open(file, MeasurementStore::Access::kReadOnly));
  IOS_TRY(const auto info, store->info());
  return content_text(info, device ? &*device : nullptr);
}

}  // namespace

QString content_text(const StoreInfo& info, const DeviceInfo* device) {
  std::set<std::string> devices;
  for (const SetInfo& set : info.sets) devices.insert(set.set.fingerprint);
  QString text =
      StoreDialog::tr("%1 of %2, %3")
          .arg(measurements_text(info.measurements),
               devices.size() == 1 ? StoreDialog::tr("1 device") : StoreDialog::tr("%1 devices").arg(devices.size()),
               format::bytes(static_cast<std::int64_t>(info.bytes)));
  if (device == nullptr) return text;
  text += QLatin1Char('\n');
  const QString name = QString::fromStdString(device->name);
  if (is_modelled(device->origin)) {
    return text + StoreDialog::tr("%1 is simulated: its latencies are not kept").arg(name);
  }
  QStringList batches;
  std::int64_t others = 0;
  Date last{};
  for (const SetInfo& set : info.sets) {
    if (set.set.fingerprint != device->fingerprint || set.set.precision != device->precision) continue;
    last = std::max(last, set.last);
    if (batches.size() < static_cast<qsizetype>(kMostSets)) {
      batches << StoreDialog::tr("%1 with batch %2").arg(format::count(set.measurements)).arg(set.set.batch);
    } else {
      others += set.measurements;
    }
  }
  if (batches.isEmpty()) return text + StoreDialog::tr("No measurements of %1 as it is now").arg(name);
  if (others > 0) batches << StoreDialog::tr("%1 with other batches").arg(format::count(others));
  return text + StoreDialog::tr("Of %1: %2; the last on %3")
                    .arg(name, batches.join(QStringLiteral(", ")), QString::fromStdString(date_text(last)).left(10));
}

StoreDialog::StoreDialog(const StorePlace& place, const DeviceInfo* device, QWidget* parent)
    : QDialog(parent),
      usual_(usual_file()),
      kept_(named("kept", new QCheckBox(tr("&Keep measurements from run to run")))),
      file_(named("store-file", new QLineEdit, tr("File of the measurements"))),
      content_(named("store-content", selectable({}, kContentLines), tr("Content of the file"))) {
  if (device != nullptr) device_ = *device;
  setWindowTitle(tr("Kept measurements"));
  auto* note = wrapping(
      tr("A stage is not measured again if it was measured before on the same device, with the same versions, batch "
         "size and precision and at least as thoroughly. Simulated latencies are not kept."));
  kept_->setToolTip(tr("If off, everything is measured again and nothing is kept"));
  kept_->setChecked(place.kept);
  auto* label = new QLabel(tr("&File"));
  label->setBuddy(file_);
  file_->setMinimumWidth(kFileWidth);
  file_->setText(place.file.empty() ? usual_ : QString::fromStdString(place.file.string()));
  auto* browse = new QPushButton(tr("&Browse…"));
  auto* usual = named("usual-place", new QPushButton(tr("Use the &usual place")));
  usual->setToolTip(usual_);
  auto* buttons = answers(this, QDialogButtonBox::Ok | QDialogButtonBox::Cancel);

  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(kSpacing);
  grid->setVerticalSpacing(kSpacing);
  grid->setColumnStretch(1, 1);
  grid->addWidget(label, 0, 0);
  grid->addWidget(file_, 0, 1);
  grid->addWidget(browse, 0, 2);
  grid->addWidget(usual, 0, 3);
  grid->addWidget(new QLabel(tr("Content")), 1, 0, Qt::AlignTop);
  grid->addWidget(content_, 1, 1, 1, 3);
  put_into(new QVBoxLayout(this), {note, kept_, grid, buttons})->setSpacing(kSpacing);

  const auto enable = [this, file = file_, browse, usual] {
    for (QWidget* widget : {static_cast<QWidget*>(file), static_cast<QWidget*>(browse), static_cast<QWidget*>(usual)}) {
      widget->setEnabled(kept_->isChecked());
    }
    usual->setEnabled(kept_->isChecked() && !usual_.isEmpty());
  };
  connect(kept_, &QCheckBox::toggled, this, enable);
  connect(browse, &QPushButton::clicked, this, &StoreDialog::browse);
  connect(usual, &QPushButton::clicked, this, [this] { file_->setText(usual_); });
  typing_.setSingleShot(true);
  typing_.setInterval(kTypingPause);
  connect(file_, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
  connect(&typing_, &QTimer::timeout, this, &StoreDialog::look);
  connect(&reader_, &JobRunner::failed, this, [this](const Error& error) { content_->setText(error_text(error)); });
  enable();
  look();
}

QString StoreDialog::typedFile() const {
  QString text = file_->text().trimmed();
  if (text.isEmpty()) return usual_;
  if (text.startsWith(QStringLiteral("~/"))) text.replace(0, 1, QDir::homePath());
  return QFileInfo(text).absoluteFilePath();
}

StorePlace StoreDialog::place() const {
  const QString file = typedFile();
  return {.kept = kept_->isChecked(), .file = file == usual_ ? std::string() : file.toStdString()};
}

void StoreDialog::browse() {
  // A file that is there is used, not replaced, so there is nothing to confirm.
  const QStringList filters = tr("Measurements (*.db);;All files (*)").split(QStringLiteral(";;"));
  const QString path = ask_for_new_file(this, tr("File of the measurements"), typedFile(), filters, Replacing::kNotAsk);
  if (!path.isEmpty()) file_->setText(path);
}

void StoreDialog::look() {
  const QString file = typedFile();
  if (file.isEmpty()) return content_->setText(tr("This computer has no usual place; choose a file."));
  reader_.start({},
                [this, file = file.toStdString(), device = device_](
                    const JobContext&, const std::stop_token&) -> Result<JobRunner::Delivery> {
                  IOS_TRY(auto text, look_into(file, device));
                  return JobRunner::Delivery{[this, text = std::move(text)] { content_->setText(text); }};
                });
}

}  // namespace iosx

#include "moc_store_dialog.cpp"
