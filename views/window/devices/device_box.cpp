#include "views/window/devices/device_box.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QWheelEvent>
#include <algorithm>

#include "views/figures/paint.h"
#include "views/style/theme.h"
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
constexpr int kDeviceIndent = 14;
constexpr int kNoteGap = 28;
constexpr int kSeparatorHeight = 7;

// In QComboBox's form.
bool is_separator(const QModelIndex& index) {
  return index.data(Qt::AccessibleDescriptionRole).toString() == QLatin1String("separator");
}

QString capital(const QString& text) { return text.left(1).toUpper() + text.mid(1); }

// Draws headings bold, devices below them, and the quality of their latencies at the right.
class DeviceDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const override {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    option.text.clear();
    const Theme theme = theme_of(option.palette);
    if (is_separator(index)) {
      painter->fillRect(QRect(option.rect.left(), option.rect.center().y(), option.rect.width(), 1), theme.gridLine);
      return;
    }
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
    const bool heading = index.data(kHeadingRole).toBool();
    const bool outdented = heading || index.data(kOthersRole).toBool();
    painter->save();
    QFont font = option.font;
    font.setBold(heading);
    painter->setFont(font);
    const bool usable = index.flags().testFlag(Qt::ItemIsEnabled);
    painter->setPen(heading || usable ? theme.text : theme.mutedText);
    const QRect row = option.rect.adjusted(outdented ? 6 : 6 + kDeviceIndent, 0, -8, 0);
    painter->drawText(row, kAtLeft, index.data(Qt::DisplayRole).toString());
    paint_text(*painter, theme.mutedText, row, kAtRight, index.data(kNoteRole).toString());
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    if (is_separator(index)) return {0, kSeparatorHeight};
    const QFontMetrics metrics(option.font);
    const QString note = index.data(kNoteRole).toString();
    const int words = metrics.horizontalAdvance(index.data(Qt::DisplayRole).toString());
    const int width = kDeviceIndent + words + (note.isEmpty() ? 0 : kNoteGap + metrics.horizontalAdvance(note)) + 16;
    return {width, metrics.height() + (index.data(kHeadingRole).toBool() ? 8 : 4)};
  }
};

}  // namespace

DeviceBox::DeviceBox(Session& session, QWidget* parent) : ElidedComboBox(parent), session_(session) {
  setItemDelegate(new DeviceDelegate(this));
  setMaxVisibleItems(40);
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
  view()->setMinimumWidth(view()->sizeHintForColumn(0) + 24);
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
  const auto add = [this](QMenu* to, int row, const QString& name) {
    const QString note = itemData(row, kNoteRole).toString();
    QAction* action = to->addAction(note.isEmpty() ? menu_text(name) : menu_text(name) + QLatin1Char('\t') + note);
    action->setToolTip(itemData(row, Qt::ToolTipRole).toString());
    action->setEnabled(model()->flags(model()->index(row, 0)).testFlag(Qt::ItemIsEnabled));
    action->setCheckable(row == currentIndex());
    action->setChecked(row == currentIndex());
    connect(action, &QAction::triggered, this, [this, row] { setCurrentIndex(row); });
  };
  std::vector<const DeviceRegistry::Entry*> section;
  const auto add_section = [&] {
    for (const DeviceCard& card : cards_of(section)) {
      QMenu* const to = card.variants.size() > 1 ? menu->addMenu(menu_text(card.name)) : menu;
      to->setToolTipsVisible(true);
      for (const DeviceRegistry::Entry* const device : card.variants) {
        const int row = findData(QString::fromStdString(device->info.id));
        add(to, row, variant_name(card, *device));
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
    } else {
      if (itemData(row, kOthersRole).toBool()) menu->addSeparator();
      add(menu, row, itemText(row));
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
  QComboBox::initStyleOption(option);
  option->currentText = shownText();
}

}  // namespace iosx

#include "moc_device_box.cpp"
