#include "views/edit_graph/edit_canvas.h"

#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "views/canvas/find_bar.h"
#include "views/canvas/paint/scene.h"
#include "views/edit_graph/graph_controller.h"
#include "views/figures/figure.h"
#include "views/figures/paint.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/painted_view.h"

namespace iosx {
namespace {

constexpr double kMargin = 28;               // frames and marks lie around the boxes
constexpr double kRoomAroundSelection = 40;  // of the scene
constexpr int kReasonWidth = 320;
constexpr double kReach = 9;       // pixels around a port
constexpr double kMostReach = 13;  // in the scene
// Measures of the label with an edit's effect, in pixels.
constexpr double kLabelGap = 10;
constexpr double kLabelPadding = 6;

// Returns the point of the area that is nearest to another one.
QPointF nearest(const QRectF& area, const QPointF& to) {
  return {std::clamp(to.x(), area.left(), area.right()), std::clamp(to.y(), area.top(), area.bottom())};
}

// Lets assistive technology walk through what is drawn: the canvas's children are its operators by key, with what they
// compute, read and give and what is wrong with them in their names, their place on the screen and whether they are
// selected; pressing one selects it.
class OperatorItems final : public PaintedItems {
 public:
  explicit OperatorItems(EditCanvas& canvas) : canvas_(canvas) {}

  std::size_t count() const override { return boxes().size(); }
  QString name(std::size_t item) const override {
    const editor::EditBox& box = boxes()[item];
    const EditableGraph& graph = canvas_.controller().graph();
    const EditOperator& op = graph.op(box.key);
    QStringList all{shown_name(op.name), box.text->line};
    if (!box.text->shape.isEmpty()) all << box.text->shape;
    QStringList reads;
    for (const EditInput& input : op.inputs) {
      if (const EditOperator* const from = graph.find(input.producer)) reads << shown_name(from->name);
    }
    if (!reads.isEmpty()) all << EditCanvas::tr("reads %1").arg(reads.join(QStringLiteral(", ")));
    for (const std::size_t p : box.problems) all << message_text(canvas_.controller().check().problems[p].wording);
    return all.join(QStringLiteral(", "));
  }
  QRect rect(std::size_t item) const override { return canvas_.rectOf(boxes()[item]); }
  bool selected(std::size_t item) const override { return canvas_.controller().isSelected(boxes()[item].key); }
  std::optional<std::size_t> focused() const override {
    const auto& keys = canvas_.controller().selected();
    return keys.size() == 1 ? canvas_.controller().scene().position(keys.front()) : std::nullopt;
  }
  std::optional<std::size_t> itemAt(const QPoint& at) const override {
    return canvas_.controller().scene().boxAt(canvas_.toScene(at));
  }
  void press(std::size_t item) override { canvas_.controller().reveal(boxes()[item].key); }

 private:
  const std::vector<editor::EditBox>& boxes() const { return canvas_.controller().scene().boxes(); }

  EditCanvas& canvas_;
};

QString drawing_csv(const EditableGraph& graph, const GraphCheck& check, const editor::EditScene& scene) {
  QString text = csv_record({"name", "kind", "unit", "part", "reads", "shape", "x", "y", "problems"});
  for (const editor::EditBox& box : scene.boxes()) {
    const EditOperator& op = graph.op(box.key);
    const EditUnit* const unit = graph.find(op.unit);
    const EditPart* const part = unit == nullptr ? nullptr : graph.find(unit->part);
    QStringList reads;
    for (const EditInput& input : op.inputs) {
      const EditOperator* const from = graph.find(input.producer);
      reads << (from == nullptr ? QString() : shown_name(from->name));
    }
    QStringList problems;
    for (const std::size_t p : box.problems) problems << shown_name(check.problems[p].wording.text());
    const Shape* const shape = check.shapes.find(box.key);
    text += csv_record({shown_name(op.name), qstring(kind_name(op.attributes)),
                        unit == nullptr ? QString() : shown_name(unit->name),
                        part == nullptr ? QString() : shown_name(part->name), reads.join("; "),
                        shape == nullptr ? QString() : QString::fromStdString(shape_text(*shape)),
                        csv_number(box.box.center().x), csv_number(box.box.center().y), problems.join("; ")});
  }
  return text;
}

}  // namespace

EditCanvas::EditCanvas(GraphController& controller, QWidget* parent)
    : CanvasWidget(FocusRing::kAlways, parent), controller_(controller), said_(new QLabel(this)) {
  install_painted_items<EditCanvas, OperatorItems>();
  setObjectName(QStringLiteral("edit-canvas"));
  setAccessibleName(tr("Drawn graph"));
  setAcceptDrops(true);
  said_->setObjectName(QStringLiteral("edit-reason"));
  said_->setTextFormat(Qt::PlainText);  // names are in it
  said_->setWordWrap(true);
  said_->setMargin(6);
  said_->setAttribute(Qt::WA_TransparentForMouseEvents);
  said_->setAutoFillBackground(true);
  said_->setFrameShape(QFrame::StyledPanel);
  said_->hide();
  makeFindBar().setHint(tr("Find operators: part of a name, kind, unit or part"),
                        tr("Find operators by name, kind, unit, part"),
                        tr("Words that must all occur in the name, kind, unit, part or problems"));
  connect(&controller_, &GraphController::changed, this, &EditCanvas::refresh);
  connect(&controller_, &GraphController::opened, this, [this] { fitted_ = true; });
  connect(&controller_, &GraphController::selectionChanged, this, [this] {
    if (state_.target) leaveKeyConnect();
    announce_focused_item(*this);
    update();
  });
  connect(&controller_, &GraphController::revealAsked, this, &EditCanvas::reveal);
  refresh();
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

EditCanvas::~EditCanvas() = default;

void EditCanvas::setLatencies(const EditLatencies& latencies) {
  latencies_ = &latencies;
  connect(latencies_, &EditLatencies::changed, this, &EditCanvas::takeLatencies);
  takeLatencies();
}

void EditCanvas::takeLatencies() {
  const auto* const figures = latencies_->figures();
  if (figures != nullptr && figures->before && figures->now.left_out == 0) {
    rows_ = editor::latency_rows(*figures, figures->before);
    origin_ = origin_text(figures->now.sequential.origin);
  } else if (figures != nullptr || !latencies_->problem().isEmpty()) {
    rows_.clear();
  }
  update();
}

const editor::EditScene& EditCanvas::scene() const { return dragged_ ? *dragged_ : controller_.scene(); }

void EditCanvas::say(const QString& reason, const QPointF& at) {
  said_->setVisible(!reason.isEmpty());
  if (reason.isEmpty()) return;
  said_->setText(reason);
  QPalette colours = said_->palette();
  colours.setColor(QPalette::Window, theme_.errorFill);
  colours.setColor(QPalette::WindowText, theme_.text);
  said_->setPalette(colours);
  const int needed = said_->fontMetrics().horizontalAdvance(reason) + 20;
  said_->setFixedWidth(std::min({kReasonWidth, needed, width() - 20}));
  said_->resize(said_->width(), said_->heightForWidth(said_->width()));
  const int x = std::clamp(static_cast<int>(at.x()) + 16, 4, std::max(4, width() - said_->width() - 4));
  const int y = std::clamp(static_cast<int>(at.y()) + 16, 4, std::max(4, height() - said_->height() - 4));
  said_->move(x, y);
  said_->raise();
}

QString EditCanvas::reasonShown() const { return said_->isVisible() ? said_->text() : QString(); }

// However far away, most of a box is the box's own, to be clicked.
double EditCanvas::reach() const {
  return std::clamp(kReach / camera_.zoom, editor::EditScene::kPortRadius + 3, kMostReach);
}

canvas::Rect EditCanvas::fitArea(const canvas::Rect& /*scene*/) const { return whole().grown(-kMargin); }

std::optional<canvas::Rect> EditCanvas::sceneBounds() const { return controller_.scene().bounds(); }

canvas::Rect EditCanvas::selectionBounds() const {
  canvas::Rect all;
  for (const OperatorKey key : controller_.selected()) {
    if (const editor::EditBox* const box = controller_.scene().find(key)) all = all.united(box->box);
  }
  return all.empty() ? all : all.grown(kRoomAroundSelection);
}

void EditCanvas::refresh() {
  // The thing under the pointer may be gone.
  state_.hovered_wire.reset();
  state_.hovered_slot.reset();
  leaveKeyConnect();
  sceneReplaced();
  if (fitted_ && tool() == nullptr) zoomToFit();
  update();
}

void EditCanvas::reveal(OperatorKey key) {
  const editor::EditBox* const box = controller_.scene().find(key);
  if (box != nullptr) revealRect(box->box, fitArea(box->box), 0);
}

QRect EditCanvas::rectOf(const editor::EditBox& box) const { return rectInView(box.box).toAlignedRect(); }

std::unique_ptr<Figure> EditCanvas::figure() const {
  const editor::EditScene& scene = controller_.scene();
  if (scene.boxes().empty()) return nullptr;
  canvas::Rect bounds = scene.bounds();
  for (const editor::EditFrame& part : scene.parts()) bounds = bounds.united(part.box);
  for (const editor::EditWire& wire : scene.wires()) bounds = bounds.united(wire.bounds);
  // At most 1: a small graph does not grow with the page.
  const auto zoom_within = [bounds](double width) { return std::min(1.0, (width - 2 * kMargin) / bounds.width); };
  const auto paint = [&scene, bounds, zoom_within](QPainter& painter, const QRectF& area, const Theme& theme) {
    const double zoom = zoom_within(area.width());
    if (zoom <= 0) return;
    editor::EditState state;
    state.scene = &scene;
    state.theme = &theme;
    state.visible = bounds.grown(kMargin);
    state.zoom = zoom;
    painter.save();
    painter.fillRect(area, theme.canvas);
    painter.translate(area.left() + (area.width() - zoom * bounds.width) / 2, area.top() + kMargin);
    painter.scale(zoom, zoom);
    painter.translate(-bounds.x, -bounds.y);
    editor::paint_edit_scene(painter, state);
    painter.restore();
  };
  // The graph and its check are values that share their operators.
  const auto csv = [graph = controller_.graph(), check = controller_.check(), &scene] {
    return drawing_csv(graph, check, scene);
  };
  return figure_of({.title = Text::tr("Graph of %1").arg(shown_name(controller_.graph().name())),
                    .file_stem = "drawing-" + QString::fromStdString(file_stem(controller_.graph().name())),
                    .size = {bounds.width + 2 * kMargin, bounds.height + 2 * kMargin},
                    .paint = paint,
                    .csv = csv,
                    .height_within = [bounds, zoom_within](double width) {
                      return bounds.height * zoom_within(width) + 2 * kMargin;
                    }});
}

// ---- Finding ----

void EditCanvas::search(const QString& text) {
  found_.clear();
  // Kernels are typed as 7x1.
  const QStringList words =
      QString(text).replace(QChar(0xD7), QLatin1Char('x')).split(QLatin1Char(' '), Qt::SkipEmptyParts);
  if (words.isEmpty()) return findBar().showNothing();
  const EditableGraph& graph = controller_.graph();
  for (const editor::EditBox& box : controller_.scene().boxes()) {
    const EditOperator& op = graph.op(box.key);
    const EditUnit* const unit = graph.find(op.unit);
    const EditPart* const part = unit == nullptr ? nullptr : graph.find(unit->part);
    QStringList all{shown_name(op.name), qstring(kind_name(op.attributes)), box.text->line};
    if (unit != nullptr) all << shown_name(unit->name);
    if (part != nullptr) all << shown_name(part->name);
    for (const std::size_t p : box.problems) all << message_text(controller_.check().problems[p].wording);
    const QString haystack = all.join(QLatin1Char('\n')).replace(QChar(0xD7), QLatin1Char('x'));
    const bool has_all =
        std::ranges::all_of(words, [&](const QString& word) { return haystack.contains(word, Qt::CaseInsensitive); });
    if (has_all) found_.push_back(box.key);
  }
  findBar().showCount(-1, static_cast<int>(found_.size()));
}

std::size_t EditCanvas::foundCount() {
  std::erase_if(found_, [this](OperatorKey key) { return controller_.graph().find(key) == nullptr; });
  return found_.size();
}

void EditCanvas::goToFound(std::size_t index) { controller_.reveal(found_[index]); }

void EditCanvas::paintCanvas(QPainter& painter) {
  painter.fillRect(rect(), theme_.canvas);
  if (scene().boxes().empty()) {
    paint_text(painter, canvas::body_font(), theme_.mutedText, rect().adjusted(40, 40, -40, -40),
               Qt::AlignCenter | Qt::TextWordWrap,
               controller_.layingOut()
                   ? tr("Laying out the graph…")
                   : tr("Nothing is drawn yet. Drag an operator here from the palette, or press A, type its name and "
                        "press Return."));
  }
  state_.scene = &scene();
  state_.theme = &theme_;
  state_.selected = controller_.selected();
  state_.wire = controller_.wire();
  state_.zoom = camera_.zoom;
  state_.visible = visible();
  painter.save();
  applyCamera(painter);
  paint_edit_scene(painter, state_);
  painter.restore();
  if (tool() == nullptr) paintLatencies(painter);
}

// Returns the place of a label of this size beside something, in pixels: the nearest one that covers least of the
// operators.
QRectF EditCanvas::freeBeside(const QRectF& what, const QSizeF& size) const {
  constexpr int kFar = 10;  // steps
  constexpr double kStep = 24;
  constexpr std::size_t kMostBoxes = 200;
  const QRectF room = QRectF(rect()).adjusted(2, 2, -2, -2);
  const QRectF about = what.adjusted(-kFar * kStep - size.width(), -kFar * kStep - size.height(),
                                     kFar * kStep + size.width(), kFar * kStep + size.height());
  std::vector<QRectF> boxes;
  for (const editor::EditBox& box : scene().boxes()) {
    const QRectF at = rectOf(box);
    if (at.intersects(about)) boxes.push_back(at.adjusted(-3, -3, 3, 3));
  }
  const QPointF begin(what.right() + kLabelGap, what.top());
  QRectF best(begin, size);
  double least = std::numeric_limits<double>::max();
  const int far = boxes.size() > kMostBoxes ? 0 : kFar;  // among so many nothing is free
  for (int row = -far; row <= far; ++row) {
    for (int column = -far; column <= far; ++column) {
      for (const double left : {begin.x(), what.left() - kLabelGap - size.width(), what.left()}) {
        const QRectF card(QPointF(left + column * kStep, begin.y() + row * kStep), size);
        if (!room.contains(card) || card.intersects(what)) continue;
        const QPointF away = nearest(what, card.center()) - nearest(card, what.center());
        double cost = std::hypot(away.x(), away.y());
        for (const QRectF& box : boxes) {
          const QRectF covered = box & card;
          cost += covered.width() * covered.height();
        }
        if (cost >= least) continue;
        least = cost;
        best = card;
      }
    }
  }
  best.moveLeft(std::clamp(best.left(), room.left(), std::max(room.left(), room.right() - best.width())));
  best.moveTop(std::clamp(best.top(), room.top(), std::max(room.top(), room.bottom() - best.height())));
  return best;
}

// Paints the last edit's effect beside its place, in pixels of the window at any zoom.
void EditCanvas::paintLatencies(QPainter& painter) const {
  label_ = {};
  const EditSite* const site = latencies_ == nullptr ? nullptr : latencies_->site();
  if (rows_.empty() || site == nullptr) return;
  canvas::Rect at;
  for (const OperatorKey key : site->operators) {
    if (const editor::EditBox* const box = scene().find(key)) at = at.united(box->box);
  }
  if (at.empty()) at = site->before;
  if (at.empty()) return;
  const QRectF around = rectInView(at);
  if (!around.intersects(QRectF(rect()))) return;

  const QFont bold = canvas::name_font();
  const QFont plain = canvas::body_font();
  const QFontMetricsF bold_size(bold);
  const QFontMetricsF size(plain);
  const auto said = [](const editor::LatencyRow& row) {
    return !row.change.isEmpty() ? row.change : row.now.isEmpty() ? QStringLiteral("…") : row.now;
  };
  double names = 0;
  double changes = 0;
  for (const editor::LatencyRow& row : rows_) {
    names = std::max(names, size.horizontalAdvance(row.schedule));
    changes = std::max(changes, bold_size.horizontalAdvance(said(row)));
  }
  const double line = std::max(bold_size.height(), size.height());
  const double width = std::max(names + kLabelGap + changes, size.horizontalAdvance(origin_)) + 2 * kLabelPadding;
  const QRectF card = freeBeside(around, {width, static_cast<double>(rows_.size() + 1) * line + 2 * kLabelPadding});
  label_ = card;
  if (const QPointF from = nearest(around, card.center()); !card.adjusted(-20, -20, 20, 20).contains(from)) {
    painter.setPen(QPen(theme_.outline, 1, Qt::DotLine));
    painter.drawLine(from, nearest(card, from));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  paint_box(painter, QPen(theme_.outline, 1), theme_.window, card, 5);
  double y = card.top() + kLabelPadding;
  for (const editor::LatencyRow& row : rows_) {
    painter.setFont(plain);
    painter.setPen(theme_.text);
    painter.drawText(QPointF(card.left() + kLabelPadding, y + size.ascent()), row.schedule);
    painter.setFont(bold);
    painter.setPen(editor::change_color(theme_, row.direction));
    painter.drawText(QPointF(card.right() - kLabelPadding - bold_size.horizontalAdvance(said(row)), y + size.ascent()),
                     said(row));
    y += line;
  }
  painter.setFont(plain);
  painter.setPen(theme_.mutedText);
  painter.drawText(QPointF(card.left() + kLabelPadding, y + size.ascent()), origin_);
}

// Returns the problems of the operator under the pointer.
QString EditCanvas::tipAt(const QPointF& place) const {
  const auto at = scene().boxAt(toScene(place));
  QStringList lines;
  if (at) {
    const editor::EditBox& box = scene().boxes()[*at];
    const EditOperator* const op = controller_.graph().find(box.key);
    if (op != nullptr) lines << shown_name(op->name);
    for (const std::size_t p : box.problems) lines << message_text(controller_.check().problems[p].wording);
  }
  return lines.join(QLatin1Char('\n')).toHtmlEscaped();
}

void EditCanvas::rename() {
  if (controller_.selected().size() != 1) return;
  const OperatorKey key = controller_.selected().front();
  const editor::EditBox* const box = controller_.scene().find(key);
  if (box == nullptr) return;
  delete name_;
  name_ = named("edit-name", new QLineEdit(this), tr("Name of the operator"));
  name_->setText(shown_name(controller_.graph().op(key).name));
  name_->selectAll();
  const QPointF at = toView({box->box.x, box->box.y});
  name_->setGeometry(static_cast<int>(at.x()), static_cast<int>(at.y()),
                     std::max(160, static_cast<int>(box->box.width * camera_.zoom)), name_->sizeHint().height());
  name_->show();
  name_->setFocus();
  connect(name_, &QLineEdit::editingFinished, this, [this, key, line = QPointer(name_)] {
    if (line.isNull() || line != name_) return;
    name_ = nullptr;
    const QString text = line->text();
    line->deleteLater();
    setFocus();
    const EditOperator* const op = controller_.graph().find(key);
    if (op != nullptr && text != shown_name(op->name)) controller_.rename(key, text);
  });
}

}  // namespace iosx

#include "moc_edit_canvas.cpp"
