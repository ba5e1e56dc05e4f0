#include "views/window/devices/device_box.h"

#include <QKeyEvent>
#include <QMenu>
#include <QStandardItemModel>
#include <QWheelEvent>
#include <algorithm>

#include "views/text/device_cards.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kHeadingRole = Qt::UserRole + 1;
constexpr int kNoteRole = Qt::UserRole + 2;    // QString, at the right
constexpr int kRunRole = Qt::UserRole + 3;     // int: place among the recorded devices
constexpr int kOthersRole = Qt::UserRole + 4;  // bool: asks for other devices

// In QComboBox's form.
bool is_separator(const QModelIndex& index) {
  return index.data(Qt::AccessibleDescriptionRole).toString() == QLatin1String("separator");
}

QString capital(const QString& text) { return text.left(1).toUpper() + text.mid(1); }

}  // namespace

DeviceBox::DeviceBox(Session& session, QWidget* parent) : ElidedComboBox(parent), session_(session) {
  fill();
  connect(this, &QComboBox::currentIndexChanged, this, &DeviceBox::choose);
  connect(&session_, &Session::workspaceChanged, this, [this] {
    if (recordedDevices() != recorded_) fill();
  });
  connect(&session_, &Session::devicesChanged, this, &DeviceBox::fill);
}

std::vector<DeviceBox::Recorded> DeviceBox::recordedDevices() const {
  std::vector<Recorded> devices;
  for (const WorkspaceRun& run : session_.workspace().runs()) {
    if (!run.recorded || session_.madeHere(*run.run)) continue;
    const std::string& name = run.run->comparison.device.name;
    const auto known = std::ranges::find(devices, name, &Recorded::device);
    if (known == devices.end()) {
      devices.push_back({name, run.id});
    } else {
      known->newest = run.id;
    }
  }
  return devices;
}

void DeviceBox::fill() {
  filling_ = true;
  clear();
  recorded_ = recordedDevices();
  const auto add = [this](const QString& heading, const auto& belongs) {
    const auto entries = session_.devices().entries();
    if (std::ranges::none_of(entries, belongs)) return;
    addHeading(heading);
    for (const DeviceRegistry::Entry* const entry : entries) {
      if (belongs(entry)) addDevice(*entry);
    }
  };
  using Entry = DeviceRegistry::Entry;
  const auto measures = [](const Entry* entry) { return entry->info.origin == Origin::kMeasured; };
  add(tr("Measured here"), [&](const Entry* entry) { return measures(entry) && !entry->by_workers; });
  add(tr("Measured by workers"), [&](const Entry* entry) { return measures(entry) && entry->by_workers; });
  if (!recorded_.empty()) addHeading(tr("Recorded"));
  for (const Recorded& each : recorded_) addRecorded(each);
  add(tr("Simulated"), [](const Entry* entry) { return entry->info.origin == Origin::kSimulated; });
  add(tr("Predicted"), [](const Entry* entry) { return entry->info.origin == Origin::kPredicted; });
  addOthers();
  filling_ = false;
  showDevice(device_);
}

void DeviceBox::addHeading(const QString& text) {
  addItem(text);
  auto* item = qobject_cast<QStandardItemModel*>(model())->item(count() - 1);
  item->setFlags(Qt::NoItemFlags);
  item->setData(true, kHeadingRole);
}

void DeviceBox::addDevice(const DeviceRegistry::Entry& entry) {
  const bool available = entry.unavailable.empty();
  const QString name = shown_name(entry.info.name);
  addItem(available ? name : tr("%1 (not available)").arg(name), QString::fromStdString(entry.info.id));
  const int row = count() - 1;
  const QString help = available ? device_summary(entry.info) : message_text(entry.unavailable);
  // Why a device is not there can be long, and only rich text is broken into lines.
  setItemData(row, available ? help : QStringLiteral("<p>%1</p>").arg(help.toHtmlEscaped()), Qt::ToolTipRole);
  setItemData(row, help, Qt::AccessibleDescriptionRole);
  setItemData(row, message_text(entry.info.grade), kNoteRole);
  if (!available) qobject_cast<QStandardItemModel*>(model())->item(row)->setEnabled(false);
}

void DeviceBox::addRecorded(const Recorded& recorded) {
  const WorkspaceRun* run = session_.workspace().find(recorded.newest);
  addItem(shown_name(recorded.device));
  const int row = count() - 1;
  const QString note = tr("shows its newest run");
  const QString help = message_sentence(run->run->comparison.recorded);
  setItemData(row, help.isEmpty() ? note : help, Qt::ToolTipRole);
  setItemData(row, note, Qt::AccessibleDescriptionRole);
  setItemData(row, note, kNoteRole);
  setItemData(row, static_cast<int>(&recorded - recorded_.data()), kRunRole);
}

void DeviceBox::addOthers() {
  insertSeparator(count());
  addItem(tr("Devices of other machines…"));
  setItemData(count() - 1, true, kOthersRole);
  setItemData(count() - 1, tr("Add devices of other machines, on which workers measure"), Qt::ToolTipRole);
}

void DeviceBox::showPopup() {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("device-menu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  // The rows may change while the menu is open.
  const auto add = [this](QMenu* to, int row, const QString& name, const auto& choose) {
    const QString note = itemData(row, kNoteRole).toString();
    QAction* action = to->addAction(note.isEmpty() ? menu_text(name) : menu_text(name) + QLatin1Char('\t') + note);
    action->setToolTip(itemData(row, Qt::ToolTipRole).toString());
    action->setEnabled(model()->flags(model()->index(row, 0)).testFlag(Qt::ItemIsEnabled));
    action->setCheckable(row == currentIndex());
    action->setChecked(row == currentIndex());
    connect(action, &QAction::triggered, this, choose);
  };
  std::vector<const DeviceRegistry::Entry*> section;
  const auto add_section = [&] {
    for (const DeviceCard& card : cards_of(section)) {
      QMenu* const to = card.variants.size() > 1 ? menu->addMenu(menu_text(card.name)) : menu;
      to->setToolTipsVisible(true);
      for (const DeviceRegistry::Entry* const device : card.variants) {
        const int row = findData(QString::fromStdString(device->info.id));
        add(to, row, variant_name(card, *device), [this, id = itemData(row)] {
          if (const int now = findData(id); now >= 0) setCurrentIndex(now);
        });
        if (to != menu && row == currentIndex())
          to->menuAction()->setIcon(style()->standardIcon(QStyle::SP_DialogApplyButton));
      }
    }
    section.clear();
  };
  for (int row = 0; row < count(); ++row) {
    if (is_separator(model()->index(row, 0))) continue;
    if (const DeviceRegistry::Entry* const device = session_.devices().find(itemData(row).toString().toStdString())) {
      section.push_back(device);
      continue;
    }
    add_section();
    if (itemData(row, kHeadingRole).toBool()) {
      menu->addSection(itemText(row));
    } else if (itemData(row, kOthersRole).toBool()) {
      menu->addSeparator();
      add(menu, row, itemText(row), [this] { emit othersAsked(); });
    } else {
      const RunId newest = recorded_.at(itemData(row, kRunRole).toUInt()).newest;
      add(menu, row, itemText(row), [this, newest] {
        if (session_.workspace().find(newest) != nullptr) emit runChosen(newest);
      });
    }
  }
  add_section();
  menu->setMinimumWidth(width());
  menu->popup(mapToGlobal(QPoint(0, height())));
}

bool DeviceBox::isDevice(int row) const {
  const bool usable = model()->flags(model()->index(row, 0)).testFlag(Qt::ItemIsEnabled);
  return usable && !itemData(row, kRunRole).isValid() && !itemData(row, kOthersRole).toBool();
}

void DeviceBox::showDevice(const std::string& id) {
  device_ = id;
  filling_ = true;
  setCurrentIndex(findData(QString::fromStdString(id)));
  filling_ = false;
}

void DeviceBox::choose(int row) {
  if (filling_ || row < 0) return;
  const QVariant recorded = itemData(row, kRunRole);
  if (recorded.isValid()) {
    const RunId run = recorded_.at(recorded.toUInt()).newest;
    showDevice(device_);  // what Optimize runs on stays
    emit runChosen(run);
    return;
  }
  if (itemData(row, kOthersRole).toBool()) {
    showDevice(device_);
    emit othersAsked();
    return;
  }
  device_ = itemData(row).toString().toStdString();
  emit deviceChosen(device_);
}

// Closed, the arrows go from device to device: what was recorded is no device to run on.
void DeviceBox::keyPressEvent(QKeyEvent* event) {
  const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  if (step == 0 || event->modifiers().testFlag(Qt::AltModifier)) return QComboBox::keyPressEvent(event);
  for (int row = currentIndex() + step; row >= 0 && row < count(); row += step) {
    if (isDevice(row)) return setCurrentIndex(row);
  }
}

void DeviceBox::wheelEvent(QWheelEvent* event) { event->ignore(); }

QString DeviceBox::shownText() const {
  const DeviceRegistry::Entry* entry = session_.devices().find(device_);
  if (entry == nullptr || currentIndex() < 0) return currentText();
  return tr("%1 · %2").arg(capital(origin_text(entry->info.origin)), currentText());
}

void DeviceBox::initStyleOption(QStyleOptionComboBox* option) const {
  constexpr int kBesideText = 36;  // pixels: margins and the arrow
  QComboBox::initStyleOption(option);
  const QString shown = shownText();
  // In a narrow box the card counts; the headline has the origin, too.
  const bool fits = option->fontMetrics.horizontalAdvance(shown) + kBesideText <= width();
  option->currentText = fits ? shown : currentText();
}

}  // namespace iosx

#include "moc_device_box.cpp"
