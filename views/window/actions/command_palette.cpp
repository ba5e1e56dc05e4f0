#include "views/window/actions/command_palette.h"

#include <QAbstractListModel>
#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QTimer>
#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "core/formats/file_kind.h"
#include "models/networks/zoo.h"
#include "views/app_model/session.h"
#include "views/figures/paint.h"
#include "views/text/device_cards.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/actions/actions.h"
#include "views/window/actions/keys.h"
#include "views/window/base/settings.h"

namespace iosx {
namespace {

constexpr int kLetter = 2;
constexpr int kWordStart = 10;
constexpr int kInARow = 8;
constexpr int kTextStart = 6;
constexpr int kMostForShort = 12;  // of a text of no length; less by one for every letter more than typed
constexpr int kOnlyInPlace = -40;  // for a word that only the place has
constexpr int kUsedLast = 6;       // for the newest; less for older ones
constexpr int kNever = std::numeric_limits<int>::min() / 4;
constexpr qsizetype kLongest = 200;  // letters of a text that are looked at

bool begins_word(const QString& text, qsizetype at) {
  if (at == 0) return true;
  const QChar before = text[at - 1];
  return !before.isLetterOrNumber() || (text[at].isUpper() && before.isLower()) ||
         (text[at].isDigit() && !before.isDigit());
}

int value_at(const QString& text, qsizetype at) {
  return kLetter + (begins_word(text, at) ? kWordStart : 0) + (at == 0 ? kTextStart : 0);
}

std::optional<FuzzyMatch> match_words(const PaletteItem& item, const QStringList& words) {
  FuzzyMatch all;
  for (const QString& word : words) {
    if (const auto title = fuzzy_match(word, item.title)) {
      all.score += title->score;
      all.letters.insert(all.letters.end(), title->letters.begin(), title->letters.end());
    } else if (const auto place = item.by_title ? std::nullopt : fuzzy_match(word, item.place)) {
      all.score += place->score + kOnlyInPlace;
    } else {
      return std::nullopt;
    }
  }
  std::ranges::sort(all.letters);
  all.letters.erase(std::unique(all.letters.begin(), all.letters.end()), all.letters.end());
  return all;
}

constexpr QSize kPaletteSize(640, 420);
constexpr int kEntryPadding = 10;
constexpr int kAroundEntry = 12;  // pixels above and below together

enum EntryRole { kEntryTitle = Qt::UserRole, kEntryPlace, kEntryKeys, kEntryReason, kEntryLetters, kEntryChecked };

PaletteEntry action_entry(QAction* action, const QString& id, const QString& path) {
  return {.item = {id, plain_text(action->text()), path, action->isEnabled()},
          .keys = action->shortcut().toString(QKeySequence::NativeText),
          .reason = Actions::reason(action),
          .checked = action->isCheckable() && action->isChecked(),
          .run = [action] { action->trigger(); }};
}

void add_menu(const QMenu* menu, const QString& path, const std::vector<const QMenu*>& apart,
              std::vector<PaletteEntry>& entries) {
  for (QAction* action : menu->actions()) {
    if (action->isSeparator()) continue;
    const QString title = plain_text(action->text());
    if (const QMenu* below = action->menu(); below != nullptr) {
      if (std::ranges::find(apart, below) != apart.end()) continue;
      add_menu(below, QStringLiteral("%1 ▸ %2").arg(path, title), apart, entries);
      continue;
    }
    const QString id = action->objectName().isEmpty() ? path + QLatin1Char('/') + title : action->objectName();
    entries.push_back(action_entry(action, id, path));
  }
}

// Return the entries of a network and of a file, which `take` takes; ids begin with the prefix.
PaletteEntry network_entry(const QString& prefix, const QString& title, const ZooNetwork& network,
                           const std::function<void(const QString&)>& take) {
  const QString name = qstring(network.name);
  return {.item = {prefix + QStringLiteral("network/") + name, title.arg(core_words(network.title)),
                   CommandPalette::tr("Built-in networks"), true},
          .run = [take, name] { take(name); }};
}

PaletteEntry file_entry(const QString& prefix, const QString& title, const QString& path,
                        const std::function<void(const QString&)>& take) {
  const QFileInfo file(path);
  return {.item = {prefix + QStringLiteral("file/") + path, title.arg(shown_name(file.fileName().toStdString())),
                   shown_name(file.absolutePath().toStdString()), true},
          .run = [take, path] { take(path); }};
}

// Draws the title with the typed letters in bold at the left, its place after it; keys at the right, or why it is
// unavailable.
class EntryDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QPalette& palette = option.palette;
    const bool chosen = (option.state & QStyle::State_Selected) != 0;
    const QString reason = index.data(kEntryReason).toString();
    const QColor text = palette.color(chosen ? QPalette::HighlightedText : QPalette::Text);
    const QColor muted = palette.color(QPalette::PlaceholderText);
    painter->save();
    if (chosen) painter->fillRect(option.rect, palette.color(QPalette::Highlight));
    const QRect line = option.rect.adjusted(kEntryPadding, 0, -kEntryPadding, 0);
    const QFontMetrics metrics(option.font);

    const QString right = reason.isEmpty() ? index.data(kEntryKeys).toString() : reason;
    QFont right_font = option.font;
    right_font.setItalic(!reason.isEmpty());
    const int most = reason.isEmpty() ? line.width() * 2 / 5 : line.width() * 2 / 3;
    const QString shown_right = QFontMetrics(right_font).elidedText(right, Qt::ElideRight, most);
    paint_text(*painter, right_font, muted, line, kAtRight, shown_right);
    const int room = line.width() - QFontMetrics(right_font).horizontalAdvance(shown_right) - 2 * kEntryPadding;

    const QString mark = index.data(kEntryChecked).toBool() ? QStringLiteral("✓ ") : QString();
    const QString title = metrics.elidedText(mark + index.data(kEntryTitle).toString(), Qt::ElideMiddle, room);
    const double width = drawTitle(*painter, option, title, mark.size(), index, reason.isEmpty() ? text : muted, line);
    const QRect rest(line.left() + static_cast<int>(width) + kEntryPadding, line.top(),
                     room - static_cast<int>(width) - kEntryPadding, line.height());
    if (rest.width() > 3 * kEntryPadding) {
      paint_text(*painter, option.font, muted, rest, kAtLeft,
                 metrics.elidedText(index.data(kEntryPlace).toString(), Qt::ElideMiddle, rest.width()));
    }
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {100, QFontMetrics(option.font).height() + kAroundEntry};
  }

 private:
  static double drawTitle(QPainter& painter, const QStyleOptionViewItem& option, const QString& title, qsizetype mark,
                          const QModelIndex& index, const QColor& color, const QRect& line) {
    QTextLayout layout(title, option.font);
    QList<QTextLayout::FormatRange> formats;
    const auto letters = index.data(kEntryLetters).value<QList<qsizetype>>();
    for (const qsizetype letter : letters) {
      QTextLayout::FormatRange range{static_cast<int>(letter + mark), 1, {}};
      range.format.setFontWeight(QFont::Bold);
      range.format.setFontUnderline(true);
      formats << range;
    }
    layout.setFormats(formats);
    layout.beginLayout();
    QTextLine text = layout.createLine();
    text.setLineWidth(line.width());
    layout.endLayout();
    painter.setPen(color);
    layout.draw(&painter, QPointF(line.left(), line.top() + (line.height() - text.height()) / 2));
    return text.naturalTextWidth();
  }
};

std::vector<const DeviceRegistry::Entry*> usable_devices(const Session& session) {
  std::vector<const DeviceRegistry::Entry*> devices = session.devices().entries();
  std::erase_if(devices, [](const DeviceRegistry::Entry* device) { return !device->unavailable.empty(); });
  return devices;
}

}  // namespace

// best[i][j] is of the first i + 1 typed letters, the last of them at text[j]. For "op" in "open loop", o-p in a row at
// the beginning beats the later ones.
std::optional<FuzzyMatch> fuzzy_match(const QString& typed, const QString& whole) {
  const QString text = whole.left(kLongest);
  const qsizetype n = typed.size();
  const qsizetype m = text.size();
  if (n == 0) return FuzzyMatch{};
  if (n > m) return std::nullopt;
  const QString wanted = typed.toCaseFolded();
  const QString letters = text.toCaseFolded();
  if (wanted.size() != n || letters.size() != m) return std::nullopt;  // folding made letters of other lengths
  std::vector<std::vector<int>> best(static_cast<std::size_t>(n),
                                     std::vector<int>(static_cast<std::size_t>(m), kNever));
  std::vector<std::vector<qsizetype>> from(static_cast<std::size_t>(n),
                                           std::vector<qsizetype>(static_cast<std::size_t>(m), -1));
  for (qsizetype i = 0; i < n; ++i) {
    auto& row = best[static_cast<std::size_t>(i)];
    int before = kNever;  // the best of the letter before, up to two letters back: next to this one counts on its own
    qsizetype before_at = -1;
    for (qsizetype j = i; j < m; ++j) {
      if (i > 0 && j >= 2) {
        const int candidate = best[static_cast<std::size_t>(i - 1)][static_cast<std::size_t>(j - 2)];
        if (candidate > before) {
          before = candidate;
          before_at = j - 2;
        }
      }
      if (letters[j] != wanted[i]) continue;
      int reached = i == 0 ? 0 : before;
      qsizetype reached_from = i == 0 ? -1 : before_at;
      if (i > 0) {
        const int beside = best[static_cast<std::size_t>(i - 1)][static_cast<std::size_t>(j - 1)];
        if (beside > kNever && beside + kInARow >= reached) {
          reached = beside + kInARow;
          reached_from = j - 1;
        }
      }
      if (reached <= kNever) continue;
      row[static_cast<std::size_t>(j)] = reached + value_at(text, j);
      from[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = reached_from;
    }
  }
  const auto& last = best.back();
  const auto top = std::ranges::max_element(last);  // the first of equals
  if (*top <= kNever) return std::nullopt;
  FuzzyMatch match;
  match.score = *top + std::max(0, kMostForShort - static_cast<int>(m - n));
  qsizetype at = top - last.begin();
  for (qsizetype i = n; i-- > 0;) {
    match.letters.push_back(at);
    at = from[static_cast<std::size_t>(i)][static_cast<std::size_t>(at)];
  }
  std::ranges::reverse(match.letters);
  return match;
}

std::vector<Ranked> rank(const std::vector<PaletteItem>& items, const QString& typed, const QStringList& recent) {
  const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  struct Found {
    Ranked ranked;
    int score;
    qsizetype age;  // place among the recent
    bool disabled;
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto match = match_words(items[i], words);
    if (!match) continue;
    const qsizetype at = recent.indexOf(items[i].id);
    const qsizetype age = at < 0 ? recent.size() : at;
    const int bonus = words.isEmpty() || at < 0 ? 0 : std::max(1, kUsedLast - static_cast<int>(at));
    found.push_back({{i, std::move(match->letters)}, match->score + bonus, age, !items[i].enabled});
  }
  const auto order = [](const Found& each) {
    return std::tuple(-each.score, each.age, each.disabled, each.ranked.item);
  };
  std::ranges::sort(found, [&](const Found& a, const Found& b) { return order(a) < order(b); });
  std::vector<Ranked> ranked;
  ranked.reserve(found.size());
  for (Found& each : found) ranked.push_back(std::move(each.ranked));
  return ranked;
}

class PaletteModel final : public QAbstractListModel {
 public:
  PaletteModel(std::vector<PaletteEntry> entries, QObject* parent)
      : QAbstractListModel(parent), entries_(std::move(entries)) {
    for (const PaletteEntry& entry : entries_) items_.push_back(entry.item);
  }

  void find(const QString& typed, const QStringList& recent) {
    beginResetModel();
    ranked_ = rank(items_, typed, recent);
    endResetModel();
  }

  const PaletteEntry& entry(int row) const { return entries_[ranked_[static_cast<std::size_t>(row)].item]; }
  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(ranked_.size());
  }

  QVariant data(const QModelIndex& index, int role) const override {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const PaletteEntry& entry = this->entry(index.row());
    switch (role) {
      case Qt::DisplayRole:
      case kEntryTitle: return entry.item.title;
      case kEntryPlace: return entry.item.place;
      case kEntryKeys: return entry.keys;
      case kEntryReason:
      case Qt::ToolTipRole: return entry.reason;
      case kEntryChecked: return entry.checked;
      case kEntryLetters: {
        const auto& letters = ranked_[static_cast<std::size_t>(index.row())].letters;
        return QVariant::fromValue(QList<qsizetype>(letters.begin(), letters.end()));
      }
      case Qt::AccessibleTextRole: {
        QStringList parts{entry.item.title, entry.item.place};
        if (!entry.keys.isEmpty()) parts << entry.keys;
        if (!entry.reason.isEmpty()) parts << CommandPalette::tr("not possible: %1").arg(entry.reason);
        return parts.join(QStringLiteral(", "));
      }
      default: return {};
    }
  }

 private:
  std::vector<PaletteEntry> entries_;
  std::vector<PaletteItem> items_;
  std::vector<Ranked> ranked_;
};

std::vector<PaletteEntry> entries_of_menus(const QMainWindow& window, const std::vector<const QMenu*>& apart) {
  std::vector<PaletteEntry> entries;
  for (const QAction* top : window.menuBar()->actions()) {
    if (top->menu() != nullptr) add_menu(top->menu(), plain_text(top->text()), apart, entries);
  }
  // Those that no menu lists.
  for (QAction* action : window.actions()) {
    const QString id = action->objectName();
    const QString place = Actions::place(action);
    const auto same = [&id](const PaletteEntry& entry) { return entry.item.id == id; };
    if (!place.isEmpty() && std::ranges::none_of(entries, same)) entries.push_back(action_entry(action, id, place));
  }
  return entries;
}

std::vector<PaletteEntry> entries_of_content(Session& session, const Settings& settings,
                                             const std::function<void(const QString&)>& open) {
  std::vector<PaletteEntry> entries;
  const QString title = CommandPalette::tr("Open %1");
  for (const ZooNetwork& network : zoo()) entries.push_back(network_entry({}, title, network, open));
  for (const QString& path : settings.recentFiles()) entries.push_back(file_entry({}, title, path, open));
  const auto comparison = session.comparison();
  if (!comparison) return entries;
  for (std::size_t i = 0; i < comparison->results.size(); ++i) {
    const ScheduleResult& result = comparison->results[i];
    entries.push_back({.item = {QStringLiteral("schedule/") + qstring(result.id.text()),
                                CommandPalette::tr("Show %1").arg(schedule_title(result)),
                                CommandPalette::tr("Schedules ▸ %1, %2")
                                    .arg(latency_text(*comparison, result), origin_text(result.latency.origin)),
                                true},
                       .checked = i == session.activeSchedule(),
                       .run = [&session, id = result.id] { session.setActiveSchedule(id); }});
  }
  return entries;
}

std::vector<PaletteEntry> entries_of_devices(const Session& session,
                                             const std::function<void(const std::vector<std::string>&)>& choose) {
  std::vector<PaletteEntry> entries;
  for (const DeviceCard& card : cards_of(usable_devices(session))) {
    std::vector<std::string> ids;
    QStringList ways;
    bool chosen = false;
    for (const DeviceRegistry::Entry* const device : card.variants) {
      ids.push_back(device->info.id);
      ways << variant_name(card, *device);
      chosen = chosen || device->info.id == session.settings().device;
    }
    const bool several = ids.size() > 1;
    const QString origin = origin_text(card.variants.front()->info.origin);
    const QString title =
        CommandPalette::tr("Device: %1").arg(several ? card.name + QStringLiteral(" \u25B8") : ways.front());
    entries.push_back(
        {.item = {QStringLiteral("device/") + card.name, title,
                  several ? CommandPalette::tr("Devices ▸ %1: %2").arg(origin, ways.join(QStringLiteral(", ")))
                          : CommandPalette::tr("Devices ▸ %1").arg(origin),
                  true, true},
         .checked = chosen,
         .run = [choose, ids] { choose(ids); }});
  }
  return entries;
}

std::vector<PaletteEntry> entries_of_variants(const Session& session, const std::vector<std::string>& ids,
                                              const std::function<void(const std::string&)>& use) {
  std::vector<const DeviceRegistry::Entry*> devices;
  for (const std::string& id : ids) {
    if (const DeviceRegistry::Entry* const device = session.devices().find(id)) devices.push_back(device);
  }
  std::vector<PaletteEntry> entries;
  for (const DeviceCard& card : cards_of(devices)) {
    for (const DeviceRegistry::Entry* const device : card.variants) {
      entries.push_back({.item = {QStringLiteral("device-id/") + qstring(device->info.id), variant_name(card, *device),
                                  card.name, true},
                         .checked = device->info.id == session.settings().device,
                         .run = [use, id = device->info.id] { use(id); }});
    }
  }
  return entries;
}

std::vector<PaletteEntry> entries_of_networks(const Settings& settings, const std::function<void(const QString&)>& add,
                                              const std::function<void()>& choose) {
  std::vector<PaletteEntry> entries;
  entries.push_back(
      {.item = {QStringLiteral("add/file"), CommandPalette::tr("From a file…"), {}, true}, .run = choose});
  const QString prefix = QStringLiteral("add/");
  const QString title = CommandPalette::tr("Add %1");
  for (const ZooNetwork& network : zoo()) entries.push_back(network_entry(prefix, title, network, add));
  for (const QString& path : settings.recentFiles()) {
    const FileKind kind = file_kind(path.toStdString());
    if (kind == FileKind::kOnnx || kind == FileKind::kJson) entries.push_back(file_entry(prefix, title, path, add));
  }
  return entries;
}

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, Settings& settings, QWidget* window)
    : QDialog(window, Qt::Popup),
      settings_(settings),
      model_(new PaletteModel(std::move(entries), this)),
      typed_(named("palette-typed", new QLineEdit, tr("Search text"))),
      list_(named("palette-list", new QListView, tr("Matches, the best first"))),
      nothing_(named("palette-nothing", new QLabel(tr("No results")))) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("palette-window"));
  setWindowTitle(tr("Command palette"));
  setAccessibleName(windowTitle());
  typed_->setPlaceholderText(tr("Type a few letters of an action, a network, a device, a file or a schedule"));
  list_->setModel(model_);
  list_->setItemDelegate(new EntryDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setFocusPolicy(Qt::NoFocus);  // the line keeps it; arrows move in the list all the same
  list_->setMouseTracking(true);
  typed_->installEventFilter(this);
  auto* column = put_into(new QVBoxLayout(this), {typed_, {list_, 1}});
  column->setContentsMargins(8, 8, 8, 8);
  nothing_->setAlignment(Qt::AlignCenter);
  column->addWidget(nothing_, 1);
  connect(typed_, &QLineEdit::textChanged, this, &CommandPalette::find);
  connect(list_, &QListView::clicked, this, &CommandPalette::run);
  resize(kPaletteSize.boundedTo(window->size() - QSize(40, 80)));
  find();
}

void CommandPalette::showEvent(QShowEvent* event) {
  const QWidget* window = parentWidget();
  move(window->mapToGlobal(QPoint((window->width() - width()) / 2, 60)));
  QDialog::showEvent(event);
  typed_->setFocus();
}

void CommandPalette::find() {
  model_->find(typed_->text(), settings_.recentCommands());
  const bool found = model_->rowCount() > 0;
  list_->setVisible(found);
  nothing_->setVisible(!found);
  if (!found) return;
  int row = 0;  // the first that is possible
  while (row < model_->rowCount() && !model_->entry(row).reason.isEmpty()) ++row;
  list_->setCurrentIndex(model_->index(row < model_->rowCount() ? row : 0, 0));
}

void CommandPalette::run() {
  const QModelIndex index = list_->currentIndex();
  if (!index.isValid()) return;
  const PaletteEntry entry = model_->entry(index.row());
  if (!entry.reason.isEmpty()) return;
  settings_.addRecentCommand(entry.item.id);
  close();
  // After this window has gone: what runs may open another.
  QTimer::singleShot(0, parentWidget(), entry.run);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched != typed_ || event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  const int rows = model_->rowCount();
  const int row = list_->currentIndex().row();
  const auto go = [&](int to) {
    if (rows > 0) list_->setCurrentIndex(model_->index(std::clamp(to, 0, rows - 1), 0));
    return true;
  };
  constexpr int kPage = 10;
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down: return go(row + 1 < rows ? row + 1 : 0);
    case Qt::Key_Up: return go(row > 0 ? row - 1 : rows - 1);
    case Qt::Key_PageDown: return go(row + kPage);
    case Qt::Key_PageUp: return go(row - kPage);
    case Qt::Key_Return:
    case Qt::Key_Enter: run(); return true;
    default: return QDialog::eventFilter(watched, event);
  }
}

}  // namespace iosx

#include "moc_command_palette.cpp"
