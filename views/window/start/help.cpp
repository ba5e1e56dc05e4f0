#include <QAccessible>
#include <QCoreApplication>
#include <QEvent>
#include <QImage>
#include <QKeyEvent>
#include <QMainWindow>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QTextBrowser>
#include <QToolBar>
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "views/app_model/selection.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/figures/paint.h"
#include "views/style/theme.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/base/settings.h"
#include "views/window/start/help.h"

namespace iosx {
namespace {

constexpr QSize kSize(960, 760);
constexpr int kPictureWidth = 880;  // pixels of the screen's unit

QUrl page_url(const QString& file) { return QUrl(QStringLiteral("qrc:/help/") + file); }

const QString kTopics = QStringLiteral("README.md");  // the list of all topics

// Shows long pages at once, and pictures no wider than the page, sharp on every screen.
class Pages final : public QTextBrowser {
 public:
  using QTextBrowser::QTextBrowser;

  QVariant loadResource(int type, const QUrl& name) override {
    const QVariant loaded = QTextBrowser::loadResource(type, name);
    if (type != QTextDocument::ImageResource) return loaded;
    QImage picture = loaded.value<QImage>();
    if (picture.isNull()) picture.loadFromData(loaded.toByteArray());
    if (picture.isNull()) return loaded;
    const double scale = devicePixelRatioF();
    const int width = std::min(picture.width(), static_cast<int>(kPictureWidth * scale));
    picture = picture.scaledToWidth(width, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(scale);
    return picture;
  }

 protected:
  // Reads a page before it is laid out: else Qt lays a table out anew for every cell that it reads, which takes some
  // seconds for the longer ones.
  void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override {
    document()->setLayoutEnabled(false);
    QTextBrowser::doSetSource(name, type);
    document()->setLayoutEnabled(true);
  }
};

constexpr int kHintWidth = 300;
constexpr int kHintArrow = 12;           // length, and half of the base
constexpr int kHintMargin = kHintArrow;  // to the window's edges: the arrow may be on any side

struct HintWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::FirstMinute)
};

using std::chrono::seconds;

// Returns where a widget can be seen in the window; empty where it cannot.
QRect place_of(const QWidget* widget, const QWidget& window) {
  if (widget == nullptr || !widget->isVisible()) return {};
  return QRect(widget->mapTo(&window, QPoint(0, 0)), widget->size()).intersected(window.rect());
}

// Returns the row of the graph with the most units in flight; null where no two run at the same time.
const canvas::RowBox* widest_row(const GraphView& graph) {
  const canvas::Layout* layout = graph.layoutShown();
  if (layout == nullptr || layout->rows.empty() || graph.modelShown()->schedule == nullptr) return nullptr;
  const auto widest = std::ranges::max_element(layout->rows, {}, [](const auto& row) { return row.own.size(); });
  return widest->own.size() < 2 ? nullptr : &*widest;
}

// Returns the row's place in the graph as far as it is in sight; empty where it is not.
QRect place_of_row(const GraphView& graph, const QWidget& window) {
  const canvas::RowBox* row = widest_row(graph);
  if (row == nullptr || !graph.isVisible()) return {};
  const canvas::Point from = graph.camera().to_view({row->box.x, row->box.y});
  const canvas::Point to = graph.camera().to_view({row->box.right(), row->box.bottom()});
  const QRect seen = QRectF(QPointF(from.x, from.y), QPointF(to.x, to.y)).toAlignedRect().intersected(graph.rect());
  return seen.isEmpty() ? seen : seen.translated(graph.mapTo(&window, QPoint(0, 0)));
}

}  // namespace

Guide::Guide(QWidget* window) : QDialog(window), page_(named("guide-page", new Pages, tr("Guide"))) {
  setObjectName(QStringLiteral("guide"));
  setWindowTitle(tr("Guide"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(kSize);
  page_->setOpenExternalLinks(true);  // in the browser
  page_->document()->setDocumentMargin(20);
  auto* row = new QHBoxLayout;
  const auto add = [&](const char* name, const QString& text, const QString& file) {
    auto* button = new QPushButton(text);
    button->setObjectName(QString::fromLatin1(name));
    button->setCheckable(true);
    button->setAutoDefault(false);
    button->setAutoExclusive(true);
    connect(button, &QPushButton::clicked, page_, [this, file] { page_->setSource(page_url(file)); });
    // A page of a topic belongs to the list of topics.
    const bool topics = file == kTopics;
    connect(page_, &QTextBrowser::sourceChanged, button, [button, file, topics](const QUrl& url) {
      const bool guide = url.path().startsWith(QStringLiteral("/help/guide/"));
      if (url == page_url(file) || (topics && !guide)) button->setChecked(true);
    });
    connect(button, &QPushButton::toggled, button, [button](bool on) {  // in every style
      QFont font = button->font();
      font.setBold(on);
      button->setFont(font);
    });
    row->addWidget(button);
  };
  //: The file of this page of the guide in this language.
  const QString draw = QStringLiteral("guide/") + tr("draw.md");
  //: The file of this page of the guide in this language.
  const QString change = QStringLiteral("guide/") + tr("change.md");
  //: The file of this page of the guide in this language.
  const QString stages = QStringLiteral("guide/") + tr("stages.md");
  add("guide-draw", tr("&1. Draw a network"), draw);
  add("guide-schedule", tr("&2. Change a schedule"), change);
  add("guide-stages", tr("&3. Why stages cost"), stages);
  add("guide-topics", tr("&All topics"), kTopics);
  row->addStretch();
  auto* buttons = answers(this, QDialogButtonBox::Close);
  put_into(new QVBoxLayout(this), {row, {page_, 1}, buttons});
  page_->setSource(page_url(draw));
  page_->setFocus();
}

void Guide::showTopics() { page_->setSource(page_url(kTopics)); }

BubblePlace place_bubble(const QRect& target, const QSize& bubble, const QRect& window) {
  const QRect inside = window.adjusted(kHintMargin, kHintMargin, -kHintMargin, -kHintMargin);
  const QPoint middle = target.center();
  const auto kept = [&](QPoint at) {
    at.setX(std::clamp(at.x(), inside.left(), std::max(inside.left(), inside.right() + 1 - bubble.width())));
    at.setY(std::clamp(at.y(), inside.top(), std::max(inside.top(), inside.bottom() + 1 - bubble.height())));
    return QRect(at, bubble);
  };
  const int across = middle.y() - bubble.height() / 2;
  const int along = middle.x() - bubble.width() / 2;
  const std::array<QRect, 4> wishes{
      QRect(QPoint(target.right() + 1 + kHintArrow, across), bubble),
      QRect(QPoint(target.left() - kHintArrow - bubble.width(), across), bubble),
      QRect(QPoint(along, target.bottom() + 1 + kHintArrow), bubble),
      QRect(QPoint(along, target.top() - kHintArrow - bubble.height()), bubble),
  };
  for (std::size_t side = 0; side < wishes.size(); ++side) {
    const bool beside = side < 2;
    const QRect wish = wishes[side];
    // Beside what stands at the window's top or bottom, as in a tool bar, it would cover what stands there too.
    if (wish.top() < inside.top() || wish.bottom() > inside.bottom()) continue;
    if (beside && (wish.left() < inside.left() || wish.right() > inside.right())) continue;
    const QRect place = kept(wish.topLeft());
    const double y = std::clamp<double>(middle.y(), place.top() + 2 * kHintArrow, place.bottom() - 2 * kHintArrow);
    const double x = std::clamp<double>(middle.x(), place.left() + 2 * kHintArrow, place.right() - 2 * kHintArrow);
    switch (side) {
      case 0: return {place, QPointF(target.right() + 1, middle.y()), QPointF(place.left(), y)};
      case 1: return {place, QPointF(target.left(), middle.y()), QPointF(place.right() + 1, y)};
      case 2: return {place, QPointF(middle.x(), target.bottom() + 1), QPointF(x, place.top())};
      default: return {place, QPointF(middle.x(), target.top()), QPointF(x, place.bottom() + 1)};
    }
  }
  // A target as large as the window: on it, pointing at its middle.
  const QRect place = kept(QPoint(along, middle.y() + kHintArrow));
  return {place, QPointF(middle), QPointF(middle.x(), place.top())};
}

HintBubble::HintBubble(QWidget* window) : QWidget(window), text_(named("hint-text", wrapping({}, Qt::PlainText))) {
  setObjectName(QStringLiteral("hint"));
  auto* next = named("hint-next", new QPushButton(tr("Got it")));
  auto* enough = named("hint-enough", new QPushButton(tr("No more hints")));
  enough->setFlat(true);
  auto* buttons = put_into(new QHBoxLayout, {next, enough, FreeRoom{}});
  put_into(new QVBoxLayout(this), {text_, buttons})
      ->setContentsMargins(kHintArrow + 12, kHintArrow + 10, kHintArrow + 12, kHintArrow + 10);
  connect(next, &QPushButton::clicked, this, &HintBubble::understood);
  connect(enough, &QPushButton::clicked, this, &HintBubble::enough);
  hide();
}

QString HintBubble::text() const { return text_->text(); }

void HintBubble::point(const QString& text, const QRect& target) {
  const bool news = text != text_->text() || !isVisible();
  text_->setText(text);
  setAccessibleName(tr("Hint: %1").arg(text));
  text_->setFixedWidth(kHintWidth);
  layout()->activate();
  const QSize whole = sizeHint();
  const QSize body = whole - QSize(2 * kHintArrow, 2 * kHintArrow);
  const BubblePlace place = place_bubble(target, body, parentWidget()->rect());
  setGeometry(QRect(place.bubble.topLeft() - QPoint(kHintArrow, kHintArrow), whole));
  body_ = QRect(QPoint(kHintArrow, kHintArrow), body);
  const QPointF base = place.base - QPointF(pos());
  const QPointF tip = place.tip - QPointF(pos());
  const bool upright = base.x() > body_.left() + 1 && base.x() < body_.right();
  const QPointF half = upright ? QPointF(kHintArrow * 0.7, 0) : QPointF(0, kHintArrow * 0.7);
  arrow_ = target.isEmpty() ? QPolygonF() : QPolygonF({base - half, tip, base + half});
  show();
  raise();
  update();
  if (!news) return;
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void HintBubble::paintEvent(QPaintEvent*) {
  const Theme theme = theme_of(palette());
  QPainterPath shape;
  shape.addRoundedRect(QRectF(body_).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
  if (!arrow_.isEmpty()) {
    QPainterPath arrow;
    arrow.addPolygon(arrow_);
    arrow.closeSubpath();
    shape = shape.united(arrow);
  }
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paint_shape(painter, QPen(theme.selection, 1.5), theme.panel, shape);
}

void HintBubble::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit understood();
  QWidget::keyPressEvent(event);
}

FirstMinute::FirstMinute(QWidget* window, Settings& settings)
    : QObject(window), window_(window), settings_(settings), bubble_(new HintBubble(window)) {
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &FirstMinute::show);
  connect(bubble_, &HintBubble::understood, this, &FirstMinute::next);
  connect(bubble_, &HintBubble::enough, this, &FirstMinute::finish);
  window_->installEventFilter(this);
}

void FirstMinute::setSteps(std::vector<Step> steps) {
  steps_ = std::move(steps);
  done_.assign(steps_.size(), false);
}

void FirstMinute::start(bool at_once) {
  at_once_ = at_once;
  at_ = 0;
  done_.assign(steps_.size(), false);
  running_ = !steps_.empty();
  if (running_) wait();
}

void FirstMinute::wait() {
  if (!paused_) timer_.start(at_once_ ? std::chrono::milliseconds(0) : steps_[at_].after);
}

void FirstMinute::setPaused(bool paused) {
  if (std::exchange(paused_, paused) == paused || !running_) return;
  if (!paused) return wait();
  timer_.stop();
  bubble_->hide();
}

void FirstMinute::show() {
  if (!running_ || paused_) return;
  const QRect target = done_[at_] ? QRect() : steps_[at_].target();
  if (target.isEmpty()) return next();
  bubble_->point(steps_[at_].text(), target);
}

void FirstMinute::next() {
  bubble_->hide();
  if (!running_) return;
  if (++at_ == steps_.size()) return finish();
  wait();
}

void FirstMinute::done(std::size_t step) {
  if (step >= done_.size()) return;
  done_[step] = true;
  if (running_ && step == at_ && bubble_->isVisible()) next();
}

void FirstMinute::follow() {
  if (!running_ || !bubble_->isVisible()) return;
  const QRect target = steps_[at_].target();
  if (!target.isEmpty()) return bubble_->point(steps_[at_].text(), target);
  bubble_->hide();
  wait();
}

void FirstMinute::stop() {
  running_ = false;
  timer_.stop();
  bubble_->hide();
}

void FirstMinute::finish() {
  stop();
  settings_.setFirstMinuteDone(true);
}

bool FirstMinute::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) follow();
  return QObject::eventFilter(watched, event);
}

FirstMinute* make_first_minute(QMainWindow* window, const Session& session, SelectionModel& selection,
                               const HintTargets& targets, Settings& settings) {
  enum Step { kWidest, kSchedules, kMeasure, kOwn };
  auto* minute = new FirstMinute(window, settings);
  const GraphView* graph = targets.graph;
  minute->setSteps({
      {seconds(15),
       [graph] {
         const canvas::RowBox* row = widest_row(*graph);
         if (row == nullptr) return QString();
         return HintWords::
             tr("Boxes in one row of a frame ran at the same time: here %1. Point at a box: what ran beside it stays "
                "bright.")
                 .arg(row->own.size());
       },
       [graph, window] { return place_of_row(*graph, *window); }},
      {seconds(8),
       [] {
         return HintWords::tr("These are the schedules and their latencies. Choose another one and see how it runs.");
       },
       [window, tree = targets.schedules] { return place_of(tree, *window); }},
      {seconds(10),
       [] {
         return HintWords::tr(
             "All this is simulated. This button measures it here; nothing is measured before you press it.");
       },
       [window, button = targets.measure] { return place_of(button, *window); }},
      {seconds(10),
       [] { return HintWords::tr("Open your own model here, or drop its ONNX file anywhere in the window."); },
       [window, bar = targets.own] { return place_of(bar->findChild<QWidget*>(QStringLiteral("network")), *window); }},
  });
  for (const auto changed : {&Session::documentChanged, &Session::comparisonChanged, &Session::activeScheduleChanged})
    QObject::connect(&session, changed, minute, &FirstMinute::follow);
  QObject::connect(graph, &GraphView::layoutChanged, minute, &FirstMinute::follow);
  QObject::connect(graph, &GraphView::placeChanged, minute, &FirstMinute::follow);
  QObject::connect(&selection, &SelectionModel::changed, minute, [minute](const Selection& chosen) {
    if (!chosen.empty()) minute->done(kWidest);
  });
  QObject::connect(&session, &Session::activeScheduleChanged, minute, [minute] { minute->done(kSchedules); });
  QObject::connect(&session, &Session::settingsChanged, minute, [minute, &session] {
    const DeviceInfo* device = session.device();
    if (device != nullptr && device->origin == Origin::kMeasured) minute->done(kMeasure);
  });
  // Another network than the one that was there at first: one's own, or one that is of interest.
  QObject::connect(&session, &Session::documentChanged, minute, [minute, opened = 0]() mutable {
    if (++opened > 1) minute->done(kOwn);
  });
  return minute;
}

}  // namespace iosx

#include "moc_help.cpp"
