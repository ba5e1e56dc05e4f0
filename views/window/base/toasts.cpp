#include "views/window/base/toasts.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QTableWidget>
#include <QTimer>
#include <algorithm>
#include <array>

#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr int kToastWidth = 460;       // pixels
constexpr int kLeastToastWidth = 160;  // pixels
constexpr int kToastMargin = 12;       // to the host's edges
constexpr int kLeastAside = 220;       // pixels of width
constexpr int kMostAside = 2;          // of three parts of the height
constexpr int kBetweenToasts = 8;      // between two messages
constexpr int kMostLetters = 1000;     // the history has the rest
constexpr int kLeastLife = 6000;       // ms
constexpr int kLifeALetter = 50;       // ms; 1200 letters a minute can be read
constexpr int kLifeOfAnOffer = 20000;  // ms longer, to be taken up

// Assistive technology reads a message when it comes.
QAccessibleInterface* accessible_toast(const QString& type, QObject* object) {
  auto* toast = qobject_cast<Toast*>(object);
  if (toast == nullptr || type != QLatin1String(Toast::staticMetaObject.className())) return nullptr;
  return new QAccessibleWidget(toast, QAccessible::AlertMessage, toast->accessibleName());
}

QString as_far_as_fits(const QString& text) {
  return text.size() <= kMostLetters ? text : text.left(kMostLetters) + QStringLiteral("…");
}

enum MessageColumn { kWhenColumn, kKindColumn, kTextColumn, kMessageColumns };

QString kind_text(bool error) { return error ? MessageHistory::tr("Error") : MessageHistory::tr("Note"); }

QString as_text(const std::vector<Toasts::Message>& messages) {
  QString text;
  for (const Toasts::Message& message : messages) {
    text +=
        QStringLiteral("%1  %2: %3\n").arg(message.when.toString(Qt::ISODate), kind_text(message.error), message.text);
  }
  return text;
}

}  // namespace

Toast::Toast(const QString& shown, bool error, std::size_t number, const Offer& offer, QWidget* parent)
    : QFrame(parent), error_(error), number_(number), offers_(!offer.button.isEmpty()), life_(new QTimer(this)) {
  setProperty("message", error ? "error" : "hint");
  setAccessibleName(error ? tr("Error: %1").arg(shown) : shown);
  setAutoFillBackground(true);
  auto* text = named("toast-text", selectable(shown));
  auto* close = named("toast-close", new QToolButton, tr("Close the message"));
  close->setText(QStringLiteral("✕"));
  close->setAutoRaise(true);
  close->setFocusPolicy(Qt::StrongFocus);
  close->setToolTip(tr("Close (Esc)"));
  connect(close, &QToolButton::clicked, this, &Toast::closed);
  auto* row = new QHBoxLayout;
  row->addWidget(text, 1, Qt::AlignTop);
  row->addWidget(close, 0, Qt::AlignTop);
  auto* column = put_into(inset(new QVBoxLayout(this), {12, 8, 6, 8}, 4), {row});
  button_ = close;
  life_->setSingleShot(true);
  connect(life_, &QTimer::timeout, this, &Toast::closeUnlessUsed);
  if (!offers_) return;
  auto* take = named("toast-offer", new QPushButton(offer.button));
  take->setAutoDefault(true);
  column->addWidget(take, 0, Qt::AlignLeft);
  button_ = take;
  connect(take, &QPushButton::clicked, this, [this, action = offer.take] {
    emit closed();
    if (action) action();
  });
}

void Toast::focusButton() { button_->setFocus(Qt::ShortcutFocusReason); }

bool Toast::closesByItself() const { return life_->isActive(); }

void Toast::closeAfter(int millis) { life_->start(millis); }

void Toast::closeUnlessUsed() {
  const QWidget* focus = window()->focusWidget();
  if (underMouse() || (focus != nullptr && isAncestorOf(focus))) return life_->start();
  emit closed();
}

void Toast::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit closed();
  QFrame::keyPressEvent(event);
}

Toasts::Toasts(QWidget* window, QWidget* anchor) : QObject(window), window_(window), anchor_(anchor) {
  static const bool installed = (QAccessible::installFactory(accessible_toast), true);
  Q_UNUSED(installed);
  window_->installEventFilter(this);
  anchor_->installEventFilter(this);
}

void Toasts::setAnchor(QWidget* anchor) {
  if (anchor_ != window_) anchor_->removeEventFilter(this);
  anchor_ = anchor;
  anchor_->installEventFilter(this);
  place();
}

void Toasts::setAside(QWidget* aside) {
  aside_ = aside;
  aside->installEventFilter(this);
  place();
}

void Toasts::keepClear(QWidget* line) {
  lines_.emplace_back(line);
  line->installEventFilter(this);
  place();
}

void Toasts::showNote(const QString& text, const Offer& offer) { say(text, false, offer); }

void Toasts::showError(const QString& text, const Offer& offer) { say(text, true, offer); }

void Toasts::say(const QString& text, bool error, const Offer& offer) {
  if (text.isEmpty() || std::ranges::find(texts_, text) != texts_.end()) return;
  if (history_.size() == kMostRemembered) history_.erase(history_.begin());
  history_.push_back({QDateTime::currentDateTime(), text, error});
  while (shown_.size() >= kMostAtOnce) {
    const auto note = std::ranges::find_if(shown_, [](const Toast* toast) { return !toast->isError(); });
    remove(note != shown_.end() ? *note : shown_.front());
  }
  auto* toast = new Toast(as_far_as_fits(text), error, ++said_, offer, window_);
  connect(toast, &Toast::closed, this, [this, toast] { remove(toast); });
  shown_.push_back(toast);
  texts_.push_back(text);
  if (!error) {
    const int life = kLeastLife + kLifeALetter * static_cast<int>(text.size());
    toast->closeAfter(toast->hasOffer() ? life + kLifeOfAnOffer : life);
  }
  place();
  toast->show();
  QAccessibleEvent alert(toast, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
  emit said();
}

void Toasts::remove(Toast* toast) {
  const auto at = std::ranges::find(shown_, toast);
  if (at == shown_.end()) return;
  texts_.erase(texts_.begin() + (at - shown_.begin()));
  shown_.erase(at);
  const QWidget* focus = toast->window()->focusWidget();
  if (focus != nullptr && toast->isAncestorOf(focus)) anchor_->setFocus();
  toast->hide();
  toast->deleteLater();
  place();
}

void Toasts::dismissNotes() {
  for (Toast* toast : std::vector(shown_)) {
    if (!toast->isError()) remove(toast);
  }
}

void Toasts::dismissErrors(std::size_t up_to) {
  for (Toast* toast : std::vector(shown_)) {
    if (toast->isError() && toast->number() <= up_to) remove(toast);
  }
}

void Toasts::dismiss() {
  for (Toast* toast : std::vector(shown_)) remove(toast);
}

void Toasts::closeNewest() {
  if (!shown_.empty()) remove(shown_.back());
}

void Toasts::focusNewest() {
  if (shown_.empty()) return;
  shown_.back()->focusButton();
}

QString Toasts::text() const { return QStringList(texts_.begin(), texts_.end()).join(QLatin1Char('\n')); }

bool Toasts::showsError() const {
  return std::ranges::any_of(shown_, [](const Toast* toast) { return toast->isError(); });
}

bool Toasts::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::LayoutRequest: place(); break;
    default: break;
  }
  return QObject::eventFilter(watched, event);
}

void Toasts::place() {
  if (shown_.empty()) return;
  const auto area = [this](const QWidget* widget) {
    return QRect(widget->mapTo(window_, QPoint(0, 0)), widget->size());
  };
  const bool beside = aside_ != nullptr && aside_->isVisible() && aside_->width() >= kLeastAside;
  if (beside && placeIn(area(aside_), true)) return;
  const bool seen = anchor_->isVisible() && anchor_ != window_;
  placeIn(seen ? area(anchor_) : window_->rect(), false);
}

// The newest is the lowest, at the place of the last one.
bool Toasts::placeIn(const QRect& area, bool only_if_they_fit) {
  const int margin = only_if_they_fit ? kBetweenToasts / 2 : kToastMargin;
  const int width = std::min(kToastWidth, std::max(kLeastToastWidth, area.width() - 2 * margin));
  int bottom = area.bottom() + 1 - margin;
  for (const QWidget* line : lines_) {
    if (line == nullptr || !line->isVisible()) continue;
    const QRect place(line->mapTo(window_, QPoint(0, 0)), line->size());
    if (area.intersects(place)) bottom = std::min(bottom, place.top() - margin);
  }
  // sizeHint() is of a narrower text than this one: it would leave room empty below.
  const auto height = [width](const Toast* toast) { return toast->heightForWidth(width); };
  if (only_if_they_fit) {
    int all = 0;
    for (const Toast* toast : shown_) all += height(toast) + kBetweenToasts;
    if (all > area.height() * kMostAside / 3) return false;
  }
  for (std::size_t i = shown_.size(); i-- > 0;) {
    Toast* const toast = shown_[i];
    toast->setGeometry(area.left() + margin, bottom - height(toast), width, height(toast));
    toast->raise();
    bottom -= toast->height() + kBetweenToasts;
  }
  return true;
}

MessageHistory::MessageHistory(const Toasts& toasts, QWidget* window)
    : QDialog(window),
      toasts_(toasts),
      table_(named("message-table", new QTableWidget(0, kMessageColumns), tr("Messages, the newest first"))) {
  setWindowTitle(tr("Messages"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(720, 420);
  table_->setHorizontalHeaderLabels({tr("When"), tr("Kind"), tr("Message")});
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->verticalHeader()->hide();
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setTabKeyNavigation(false);
  table_->setShowGrid(false);
  table_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* copy = buttons->addButton(tr("&Copy all"), QDialogButtonBox::ActionRole);
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(as_text(toasts_.history())); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  put_into(new QVBoxLayout(this), {table_, buttons});
  connect(&toasts_, &Toasts::said, this, &MessageHistory::refresh);
  refresh();
}

void MessageHistory::refresh() {
  const auto& messages = toasts_.history();
  table_->setRowCount(static_cast<int>(messages.size()));
  int row = 0;
  for (auto message = messages.rbegin(); message != messages.rend(); ++message, ++row) {
    const std::array texts{message->when.toString(QStringLiteral("HH:mm:ss")), kind_text(message->error),
                           message->text};
    for (int column = 0; column < kMessageColumns; ++column) {
      auto* item = new QTableWidgetItem(texts[static_cast<std::size_t>(column)]);
      item->setToolTip(plain_tip(item->text().left(2000)));
      item->setTextAlignment(Qt::AlignLeft | Qt::AlignTop);
      table_->setItem(row, column, item);
    }
  }
  table_->resizeColumnToContents(kWhenColumn);
  table_->resizeColumnToContents(kKindColumn);
  table_->resizeRowsToContents();
}

MessageButton::MessageButton(const Toasts& toasts, QWidget* parent) : QToolButton(parent), toasts_(toasts) {
  setObjectName(QStringLiteral("messages"));
  setAutoRaise(true);
  setFocusPolicy(Qt::TabFocus);
  setToolTip(tr("Show all messages"));
  connect(&toasts_, &Toasts::said, this, &MessageButton::refresh);
  refresh();
}

void MessageButton::refresh() {
  const auto count = static_cast<int>(toasts_.history().size());
  setText(tr("Messages: %1").arg(count));
  setAccessibleName(text());
  setVisible(count > 0);
}

}  // namespace iosx

#include "moc_toasts.cpp"
