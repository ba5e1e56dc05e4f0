#include "views/window/start/start_page.h"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QGridLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QMainWindow>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/model/graph/work.h"
#include "views/app_model/session.h"
#include "views/figures/paint.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/actions/actions.h"
#include "views/window/base/settings.h"

namespace iosx {
namespace {

constexpr double kWidestBox = 14;  // pixels
constexpr double kGap = 0.25;      // of a box, between two

// Returns by unit the most units on a path that ends in front of it.
std::vector<std::size_t> depths(const Graph& graph) {
  std::vector<std::size_t> depth(graph.units().size(), 0);
  for (std::size_t u = 0; u < depth.size(); ++u) {  // in topological order
    for (const OperatorId id : graph.unit(UnitId(u)).operators) {
      for (const Value& value : graph.op(id).inputs) {
        const UnitId producer = graph.op(value.producer).unit;
        if (producer.valid() && producer.index() != u) depth[u] = std::max(depth[u], depth[producer.index()] + 1);
      }
    }
  }
  return depth;
}

constexpr Sentence kRemedy{"create it again with tests/bench/zoo_figures.py"};

constexpr int kPageMargin = 28;
constexpr int kFilesWidth = 300;
constexpr int kBetweenCards = 12;
constexpr int kCardPadding = 10;
constexpr int kPicture = 66;
constexpr double kTitlePoints = 20;
constexpr double kHeadPoints = 13;
constexpr double kPoints = 10;  // as everywhere

// Returns "V100" of tesla-v100, "H200" of h200: on a card there is room for no more.
QString card_device(const std::string& id) {
  const QString text = QString::fromStdString(id);
  return text.mid(text.lastIndexOf(QLatin1Char('-')) + 1).toUpper();
}

QLabel* heading(const QString& text, double points) {
  auto* label = new QLabel(text);
  label->setStyleSheet(QStringLiteral("font-size: %1pt; font-weight: 700;").arg(points));
  return label;
}

void paint_sketch(QPainter& painter, const QRectF& area, const NetworkSketch& sketch, const Theme& theme) {
  if (sketch.columns.empty() || area.isEmpty()) return;
  const double across = area.width() / static_cast<double>(sketch.columns.size());
  const double down = area.height() / static_cast<double>(sketch.widest);
  const double column = std::min(across, kWidestBox);
  const double row = std::min(down, kWidestBox);
  const double left = area.center().x() - column * static_cast<double>(sketch.columns.size()) / 2;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  for (std::size_t c = 0; c < sketch.columns.size(); ++c) {
    const auto& boxes = sketch.columns[c];
    const double top = area.center().y() - row * static_cast<double>(boxes.size()) / 2;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const QRectF box(left + column * (static_cast<double>(c) + kGap / 2),
                       top + row * (static_cast<double>(b) + kGap / 2), column * (1 - kGap), row * (1 - kGap));
      const QColor fill = theme.operatorFill(boxes[b]);
      painter.setBrush(fill);
      // Light colours need an edge on a light ground.
      painter.setPen(QPen(theme.dark ? fill.lighter(130) : fill.darker(150), 0.7));
      const double round = std::min(2.0, std::min(box.width(), box.height()) / 3);
      painter.drawRoundedRect(box, round, round);
    }
  }
  painter.restore();
}

}  // namespace

NetworkSketch sketch_of(const Graph& graph, std::size_t most_columns) {
  NetworkSketch sketch;
  sketch.units = graph.units().size();
  std::vector<NetworkSketch::Column> levels;
  const std::vector<std::size_t> depth = depths(graph);
  for (std::size_t u = 0; u < depth.size(); ++u) {
    if (levels.size() <= depth[u]) levels.resize(depth[u] + 1);
    levels[depth[u]].push_back(operator_class(graph.op(dominant_operator(graph, UnitId(u))).attributes));
  }
  const std::size_t columns = std::min(levels.size(), std::max<std::size_t>(1, most_columns));
  for (std::size_t c = 0; c < columns; ++c) {
    const auto first = levels.begin() + static_cast<std::ptrdiff_t>(c * levels.size() / columns);
    const auto last = levels.begin() + static_cast<std::ptrdiff_t>((c + 1) * levels.size() / columns);
    const auto widest = std::max_element(first, last, [](const auto& a, const auto& b) { return a.size() < b.size(); });
    sketch.widest = std::max(sketch.widest, widest->size());
    sketch.columns.push_back(std::move(*widest));
  }
  return sketch;
}

Result<std::vector<ZooFigure>> zoo_figures(std::string_view json) {
  const QJsonDocument document = QJsonDocument::fromJson(QByteArray(json.data(), static_cast<qsizetype>(json.size())));
  const QJsonArray rows = document.object().value(QStringLiteral("figures")).toArray();
  if (rows.isEmpty()) return fail(message("the table of zoo figures has no rows"), "figures", kRemedy);
  std::vector<ZooFigure> figures;
  for (const QJsonValue& value : rows) {
    const QJsonObject row = value.toObject();
    ZooFigure figure{.network = row.value(QStringLiteral("network")).toString().toStdString(),
                     .device = row.value(QStringLiteral("device")).toString().toStdString(),
                     .sequential = Millis(row.value(QStringLiteral("sequential_ms")).toDouble()),
                     .best = Millis(row.value(QStringLiteral("best_ms")).toDouble())};
    const QString origin = row.value(QStringLiteral("origin")).toString();
    if (origin == origin_id(Origin::kMeasured)) figure.origin = Origin::kMeasured;
    const bool known = figure.origin == Origin::kMeasured || origin == origin_id(Origin::kSimulated);
    if (!known || figure.network.empty() || figure.device.empty() || figure.sequential <= Millis(0) ||
        figure.best <= Millis(0)) {
      return fail(message("a row in the table of zoo figures is incomplete"),
                  "row " + std::to_string(figures.size() + 1), kRemedy);
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

Result<std::vector<ZooFigure>> built_in_zoo_figures() {
  QFile file(QStringLiteral(":/zoo/figures.json"));
  if (!file.open(QIODevice::ReadOnly))
    return fail(message("the table of zoo figures is missing"), "figures.json", kRemedy);
  return zoo_figures(file.readAll().toStdString());
}

const ZooFigure* find(const std::vector<ZooFigure>& figures, std::string_view network, std::string_view device,
                      Origin origin) {
  const auto found = std::ranges::find_if(figures, [&](const ZooFigure& each) {
    return each.network == network && each.device == device && each.origin == origin;
  });
  return found == figures.end() ? nullptr : &*found;
}

NetworkCard::NetworkCard(const ZooNetwork& network, std::vector<ZooFigure> figures, QWidget* parent)
    : QAbstractButton(parent),
      source_(qstring(network.name)),
      title_(core_words(network.title)),
      figures_(std::move(figures)) {
  setObjectName(QStringLiteral("card-") + source_);
  setText(title_);
  setToolTip(plain_tip(core_words(network.summary)));
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setAttribute(Qt::WA_Hover);
  setAccessibleName(figures_.empty() ? title_ : tr("%1, %2").arg(title_, winText()));
  setAccessibleDescription(core_words(network.summary));
  setFixedSize(sizeHint());
}

// Writes "1.60× as fast on a simulated V100, 1.84× as fast, measured on an H200".
QString NetworkCard::winText() const {
  QStringList parts;
  for (const ZooFigure& figure : figures_) {
    const QString pattern =
        figure.origin == Origin::kMeasured ? tr("%1 as fast, measured on an %2") : tr("%1 as fast on a simulated %2");
    parts << pattern.arg(ratio_text(figure.speedup()), card_device(figure.device));
  }
  return parts.join(QStringLiteral(", "));
}

void NetworkCard::setSketch(NetworkSketch sketch) {
  sketch_ = std::move(sketch);
  if (!figures_.empty()) setAccessibleName(tr("%1, %2 units, %3").arg(title_).arg(sketch_.units).arg(winText()));
  update();
}

void NetworkCard::paintEvent(QPaintEvent*) {
  const Theme theme = theme_of(palette());
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
  paint_box(painter,
            QPen(hasFocus()     ? theme.selection
                 : underMouse() ? theme.outline
                                : theme.gridLine,
                 hasFocus() ? 2 : 1),
            isDown() ? theme.selectionFill : theme.canvas, frame, 6);
  const QRectF inside = frame.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding);
  paint_sketch(painter, QRectF(inside.left(), inside.top(), inside.width(), kPicture), sketch_, theme);

  QFont bold = font();
  bold.setWeight(QFont::Bold);
  double y = inside.top() + kPicture + 6;
  const QFontMetricsF metrics(bold);
  paint_text(painter, bold, theme.text, QRectF(inside.left(), y, inside.width(), metrics.height()), kAtLeft,
             metrics.elidedText(title_, Qt::ElideRight, inside.width()));
  y += metrics.height() + 3;
  const double beside = metrics.horizontalAdvance(ratio_text(99.99)) + 4;
  for (const ZooFigure& figure : figures_) {
    const QRectF line(inside.left(), y, inside.width(), metrics.height());
    paint_text(painter, bold, theme.text, line, kAtLeft, ratio_text(figure.speedup()));
    paint_text(painter, font(), theme.mutedText, line.adjusted(beside, 0, 0, 0), kAtLeft,
               tr("%1, %2").arg(card_device(figure.device), origin_text(figure.origin)));
    y += metrics.height();
  }
}

StartPage::StartPage(const WindowContext& context, const QToolBar& bar)
    : QWidget(context.window),
      context_(context),
      bar_(bar),
      recent_(new QVBoxLayout),
      back_(named("start-back", new QPushButton)),
      scroll_(new QScrollArea),
      grid_(new QGridLayout) {
  setObjectName(QStringLiteral("start-page"));
  setAccessibleName(tr("Start page"));
  setAttribute(Qt::WA_StyledBackground);
  setAutoFillBackground(true);
  auto* row = put_into(new QHBoxLayout(this), {buildFiles(), {buildZoo(), 1}});
  row->setContentsMargins(kPageMargin, kPageMargin, 8, 8);
  row->setSpacing(kPageMargin);
  hide();
  context_.window->installEventFilter(this);
}

QWidget* StartPage::buildFiles() {
  auto* files = new QWidget;
  files->setFixedWidth(kFilesWidth);
  auto* column = flush(new QVBoxLayout(files), 8);
  column->addWidget(heading(tr("IOS Explorer"), kTitlePoints));
  auto* question = wrapping(tr("Which operators of a network should run at the same time?"));
  column->addWidget(question);
  column->addSpacing(kBetweenCards);
  open_ = named("start-open", new QPushButton(tr("&Open a file…")));
  open_->setProperty(kAccent, "go");
  open_->setToolTip(tr("An ONNX model, a network as JSON, a saved run or a schedule"));
  connect(open_, &QPushButton::clicked, this, &StartPage::openAsked);
  column->addWidget(open_);
  auto* drop = new QLabel(tr("or drop it anywhere in this window"));
  drop->setAlignment(Qt::AlignCenter);
  column->addWidget(drop);
  column->addSpacing(kBetweenCards);
  last_session_ = named("start-last-session", new QPushButton(tr("Open &last session")));
  connect(last_session_, &QPushButton::clicked, context_.actions["last-session"], &QAction::trigger);
  connect(context_.actions["last-session"], &QAction::changed, this, &StartPage::offerLastSession);
  column->addWidget(last_session_);
  last_networks_ = new QLabel;
  last_networks_->setTextFormat(Qt::PlainText);
  last_networks_->setWordWrap(true);
  last_networks_->setAlignment(Qt::AlignHCenter);
  column->addWidget(last_networks_);
  column->addSpacing(kBetweenCards);
  column->addWidget(heading(tr("Recent files"), kPoints));
  recent_->setSpacing(2);
  put_into(column, {recent_, FreeRoom{}});
  connect(back_, &QPushButton::clicked, this, &QWidget::hide);
  column->addWidget(back_);
  return files;
}

QWidget* StartPage::buildZoo() {
  auto* content = new QWidget;
  auto* column = put_into(inset(new QVBoxLayout(content), {0, 0, kBetweenCards, kBetweenCards}),
                          {heading(tr("Built-in networks"), kHeadPoints)});
  auto* note =
      wrapping(tr("Speed-up of the fastest schedule over one stream, batch 1. The height of a picture is the number "
                  "of units with the same depth."));
  column->addWidget(note);
  grid_->setSpacing(kBetweenCards);
  put_into(column, {grid_, FreeRoom{}});
  const auto figures = built_in_zoo_figures();
  std::optional<ZooGroup> group;
  for (const ZooNetwork& network : zoo()) {
    if (group != network.group) {
      headings_.push_back(heading(core_words(zoo_group_title(network.group)), kPoints));
      headings_.back()->setParent(content);
    }
    group = network.group;
    std::vector<ZooFigure> own;
    if (figures) {
      std::ranges::copy_if(*figures, std::back_inserter(own),
                           [&](const ZooFigure& each) { return each.network == network.name; });
    }
    auto* card = new NetworkCard(network, std::move(own), content);
    connect(card, &QAbstractButton::clicked, this, [this, card] { emit chosen(card->source()); });
    cards_.push_back(card);
  }
  scroll_->setWidget(content);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  return scroll_;
}

void StartPage::cover() {
  int top = context_.window->menuWidget() != nullptr ? context_.window->menuWidget()->geometry().bottom() + 1 : 0;
  const bool above =
      bar_.isVisible() && !bar_.isFloating() && context_.window->toolBarArea(&bar_) == Qt::TopToolBarArea;
  if (above) top = std::max(top, bar_.geometry().bottom() + 1);
  const QStatusBar* status = context_.window->statusBar();
  const int bottom = status->isVisible() ? status->geometry().top() : context_.window->height();
  const QRect area(0, top, context_.window->width(), std::max(0, bottom - top));
  if (geometry() != area) setGeometry(area);
}

bool StartPage::eventFilter(QObject* watched, QEvent* event) {
  const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
  if (watched == context_.window && moved && isVisible()) {
    // After the window has laid itself out.
    QMetaObject::invokeMethod(this, &StartPage::cover, Qt::QueuedConnection);
  }
  return QWidget::eventFilter(watched, event);
}

void StartPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  cover();
  offerLastSession();
  fillRecent();
  back_->setVisible(context_.session.hasDocument());
  if (context_.session.hasDocument()) {
    const QString name = shown_name(context_.session.document().graph->name()).left(40);
    back_->setText(tr("&Back to %1").arg(menu_text(name)));
  }
  raise();
  layOutCards();
  if (!sketched_) sketch();
  open_->setFocus();
  emit shownChanged(true);
}

void StartPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  emit shownChanged(false);
}

void StartPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOutCards();
}

void StartPage::offerLastSession() {
  const bool kept = context_.actions["last-session"]->isEnabled();
  const QString networks = context_.actions["last-session"]->data().toString();
  last_session_->setVisible(kept);
  last_networks_->setVisible(kept && !networks.isEmpty());
  last_networks_->setText(networks);
  last_session_->setToolTip(context_.actions["last-session"]->statusTip());
}

void StartPage::fillRecent() {
  while (QLayoutItem* item = recent_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const QStringList files = context_.settings.recentFiles();
  for (const QString& path : files) {
    const QFileInfo file(path);
    auto* line = new QToolButton;
    const QString name = shown_name(file.fileName().toStdString());
    line->setText(menu_text(line->fontMetrics().elidedText(name.left(200), Qt::ElideMiddle, kFilesWidth - 16)));
    line->setAccessibleName(name);
    line->setToolTip(plain_tip(shown_name(path.toStdString())));
    line->setAutoRaise(true);
    line->setFocusPolicy(Qt::StrongFocus);
    line->setEnabled(file.exists());
    connect(line, &QToolButton::clicked, this, [this, path] { emit chosen(path); });
    recent_->addWidget(line, 0, Qt::AlignLeft);
  }
  if (files.isEmpty()) recent_->addWidget(new QLabel(tr("None yet")));
}

// Puts the groups' headings over rows of as many cards as the width holds.
void StartPage::layOutCards() {
  const int room = scroll_->width() - scroll_->verticalScrollBar()->sizeHint().width() - kBetweenCards;
  const int columns = std::max(1, (room + kBetweenCards) / (cards_.front()->width() + kBetweenCards));
  if (columns == columns_) return;
  columns_ = columns;
  while (QLayoutItem* item = grid_->takeAt(0)) delete item;
  std::size_t group = 0;
  int row = 0;
  int column = 0;
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    if (i == 0 || zoo()[i].group != zoo()[i - 1].group) {
      if (column > 0) ++row;
      grid_->addWidget(headings_[group++], row++, 0, 1, columns);
      column = 0;
    }
    grid_->addWidget(cards_[i], row, column);
    if (++column == columns) {
      column = 0;
      ++row;
    }
  }
  for (int c = 0; c < 12; ++c) grid_->setColumnStretch(c, c == columns ? 1 : 0);
}

void StartPage::sketch() {
  sketched_ = true;
  sketcher_.start({}, [this](const JobContext&, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
    std::vector<NetworkSketch> sketches;
    for (const ZooNetwork& network : zoo()) {
      if (abandon.stop_requested()) return JobRunner::Delivery{};
      sketches.push_back(sketch_of(network.build()));
    }
    return JobRunner::Delivery{[this, sketches = std::move(sketches)] {
      for (std::size_t i = 0; i < cards_.size(); ++i) cards_[i]->setSketch(sketches[i]);
    }};
  });
}

void StartPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && context_.session.hasDocument()) return hide();
  if (!moveFocus(event->key())) QWidget::keyPressEvent(event);
}

// The arrows go from card to card as they lie.
bool StartPage::moveFocus(int key) {
  const auto* from = qobject_cast<NetworkCard*>(focusWidget());
  if (from == nullptr) return false;
  const QPoint at = from->mapTo(this, from->rect().center());
  NetworkCard* best = nullptr;
  double best_distance = 0;
  for (NetworkCard* card : cards_) {
    const QPoint to = card->mapTo(this, card->rect().center()) - at;
    const int ahead = key == Qt::Key_Left    ? -to.x()
                      : key == Qt::Key_Right ? to.x()
                      : key == Qt::Key_Up    ? -to.y()
                      : key == Qt::Key_Down  ? to.y()
                                             : 0;
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const int aside = std::abs(sideways ? to.y() : to.x());
    if (ahead <= 0 || (sideways && aside > card->height() / 2)) continue;
    const double distance = ahead + 2.0 * aside;
    if (best == nullptr || distance < best_distance) {
      best = card;
      best_distance = distance;
    }
  }
  if (best == nullptr) return false;
  best->setFocus(Qt::TabFocusReason);
  scroll_->ensureWidgetVisible(best);
  return true;
}

bool StartPage::focusNextPrevChild(bool next) {
  QWidget* at = focusWidget() != nullptr ? focusWidget() : this;
  for (QWidget* each = next ? at->nextInFocusChain() : at->previousInFocusChain(); each != at;
       each = next ? each->nextInFocusChain() : each->previousInFocusChain()) {
    if (!isAncestorOf(each) || !each->isVisible() || !each->isEnabled()) continue;
    if ((each->focusPolicy() & Qt::TabFocus) == 0) continue;
    each->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    if (scroll_->isAncestorOf(each)) scroll_->ensureWidgetVisible(each);
    return true;
  }
  return false;
}

}  // namespace iosx

#include "moc_start_page.cpp"
