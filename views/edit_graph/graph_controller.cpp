#include "views/edit_graph/graph_controller.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QScopedValueRollback>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "core/analysis/experiment/parameter.h"
#include "core/formats/wire/graph_wire.h"
#include "core/model/edit/connect.h"
#include "core/model/edit/history.h"
#include "core/model/edit/operator_attributes.h"
#include "core/model/edit/units.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kPublishAfter = 150;         // ms without an edit
constexpr double kBesideOriginal = 24;     // of a copy, in both directions
constexpr double kBelow = 48;              // of what is inserted after an operator
constexpr std::size_t kMostDrawings = 20;  // that are kept with their undo steps

QString sentence_of(const Patch* patch) { return patch == nullptr ? QString() : message_text(patch->sentence); }

}  // namespace

struct GraphController::Drawing {
  std::uint64_t number = 0;
  DrawnGraph drawn;        // what is built of it is what the session has of it
  NetworkId network = {};  // of the session; not valid before anything can be computed
  QString source = {};
  bool batched = true;
  std::int64_t batch = 1;
  DrawingId kept = {};  // in the workspace; not valid while it says nothing that the network does not
};

GraphController::GraphController(Session& session, Jobs& jobs, QObject* parent)
    : QObject(parent), session_(session), jobs_(jobs), publish_(new QTimer(this)) {
  publish_->setSingleShot(true);
  publish_->setInterval(kPublishAfter);
  connect(publish_, &QTimer::timeout, this, &GraphController::publish);
  connect(&session_, &Session::documentChanged, this, &GraphController::followSession);
  connect(&session_.editor(), &WorkspaceEditor::projectOpened, this, [this] {
    std::erase_if(drawings_, [](const auto& each) { return !each->network.valid() && !each->kept.valid(); });
    dropGone();
    if (drawing_ && std::ranges::find(drawings_, drawing_) == drawings_.end()) show(nullptr);
  });
}

GraphController::~GraphController() = default;

void GraphController::attach(SelectionModel& selection) {
  if (selection_) disconnect(selection_, nullptr, this, nullptr);
  selection_ = &selection;
  connect(selection_, &SelectionModel::changed, this, &GraphController::followSelection);
  setActive(false);
  scene_.forgetTexts();
  refresh();
}

const DrawnGraph& GraphController::drawn() const { return drawing_ ? drawing_->drawn : nothing_; }

void GraphController::setActive(bool active) {
  if (active_ == active) return;
  active_ = active;
  active_ ? followSession() : publish();
}

// A network from this controller is drawn already.
void GraphController::followSession() {
  if (!active_ || telling_) return;
  publish();
  dropGone();
  if (!session_.hasDocument()) return;
  if (drawing_ && drawing_->drawn.built() == session_.document().graph) return;
  show(drawingOfShown());
  if (selection_) followSelection(selection_->current());
}

void GraphController::show(std::shared_ptr<Drawing> drawing) {
  publish_->stop();
  unpublished_ = false;
  drawing_ = std::move(drawing);
  scene_.forgetPlaces();
  selected_.clear();
  wire_.reset();
  if (!layOutApart()) refresh();
  emit opened();
  emit changed();
  emit selectionChanged();
}

std::shared_ptr<GraphController::Drawing> GraphController::made(Drawing drawing) {
  drawing.number = ++last_drawing_;
  drawings_.push_back(std::make_shared<Drawing>(std::move(drawing)));
  const auto newest = drawings_.back();
  if (drawings_.size() > kMostDrawings) drawings_.erase(drawings_.begin());  // without its steps it is in the workspace
  return newest;
}

std::shared_ptr<GraphController::Drawing> GraphController::drawingOfShown() {
  const Document& document = session_.document();
  const auto open =
      std::ranges::find_if(drawings_, [&](const auto& each) { return each->drawn.built() == document.graph; });
  if (open != drawings_.end()) return *open;
  const auto& kept = session_.workspace().drawings();
  const auto known = std::ranges::find(kept, session_.networkId(), &WorkspaceDrawing::network);
  Drawing drawing{.drawn = known == kept.end() ? DrawnGraph(document.graph) : DrawnGraph(*known->graph),
                  .network = session_.networkId(),
                  .source = session_.source(),
                  .batched = document.batched,
                  .batch = document.batch};
  if (known == kept.end()) return made(std::move(drawing));
  drawing.kept = known->id;
  // Weights that a project has no room for are those of the network.
  const bool same = drawing.drawn.build() && same_structure(*drawing.drawn.built(), *document.graph);
  drawing.drawn.adopt(document.graph, same);
  return made(std::move(drawing));
}

// Drops what the workspace has no more, as after another project was opened.
void GraphController::dropGone() {
  const Workspace& workspace = session_.workspace();
  std::erase_if(drawings_, [&](const auto& each) {
    const bool network_gone = each->network.valid() && workspace.find(each->network) == nullptr;
    const bool drawing_gone = each->kept.valid() && workspace.find(each->kept) == nullptr;
    return network_gone || drawing_gone;
  });
}

void GraphController::newGraph() {
  publish();
  const auto taken = [this](const QString& name) {
    const std::string own = name.toStdString();
    const auto has = [&](const auto& each) { return each.source == own; };
    return std::ranges::any_of(session_.workspace().networks(), has) ||
           std::ranges::any_of(session_.workspace().drawings(), has);
  };
  QString name;
  do {
    name = tr("graph %1").arg(++drawn_);
  } while (taken(name));
  show(made({.drawn = DrawnGraph(EditableGraph(name.toStdString())), .source = name}));
}

std::vector<GraphController::Unfinished> GraphController::unfinished() const {
  std::vector<Unfinished> found;
  for (const WorkspaceDrawing& drawing : session_.workspace().drawings()) {
    if (!drawing.network.valid()) found.push_back({drawing.id, shown_name(drawing.graph->name())});
  }
  return found;
}

void GraphController::openUnfinished(DrawingId id) {
  const WorkspaceDrawing* const kept = session_.workspace().find(id);
  if (kept == nullptr || (drawing_ && drawing_->kept == id)) return;
  publish();
  const auto open = std::ranges::find_if(drawings_, [&](const auto& each) { return each->kept == id; });
  if (open != drawings_.end()) return show(*open);
  show(made({.drawn = DrawnGraph(*kept->graph), .source = QString::fromStdString(kept->source), .kept = id}));
}

void GraphController::refresh() {
  layouts_.abandon();  // an edit does not wait for it
  scene_.show(graph(), check());
}

// Lays out a large drawing without blocking the window; returns false for others.
bool GraphController::layOutApart() {
  constexpr std::size_t kLarge = 1500;  // operators, of which a layout takes longer than a blink
  layouts_.abandon();
  const auto by_hand = [](const auto& each) { return each.second->place.has_value(); };
  if (graph().operators().size() < kLarge || std::ranges::all_of(graph().operators(), by_hand)) return false;
  layouts_.start({}, JobRunner::work(
                         [graph = graph(), check = check(), sizes = scene_.measure(graph(), check())](
                             const JobContext&, const std::stop_token& abandon) -> Result<editor::EditLayout> {
                           return editor::lay_out(graph, check, sizes, abandon);
                         },
                         [this](editor::EditLayout layout) {
                           scene_.adopt(std::move(layout));
                           scene_.show(graph(), check());
                           emit changed();
                           emit selectionChanged();
                         }));
  return true;
}

std::shared_ptr<const Graph> GraphController::built() {
  publish();
  return drawing_ && drawn().computes() && !check().order.empty() ? drawn().built() : nullptr;
}

bool GraphController::push(Patch patch, std::uint64_t gesture) {
  if (!drawing_) newGraph();
  const Patch copy = patch;
  if (!drawing_->drawn.push(std::move(patch), gesture)) return false;
  take(copy, gesture);
  return true;
}

bool GraphController::push(Result<Patch> patch, std::uint64_t gesture) {
  if (patch) return push(*std::move(patch), gesture);
  emit refused(message_text(patch.error().what));
  return false;
}

void GraphController::take(const Patch& patch, std::uint64_t gesture) {
  EditSite site;
  for (const auto& change : patch.operators) {
    if (const editor::EditBox* const box = scene_.find(change.key)) site.before = site.before.united(box->box);
    if (graph().find(change.key) != nullptr) site.operators.push_back(change.key);
  }
  const bool moved_only = only_moves(patch);  // keep() may change the history that has the patch
  refresh();
  forgetGone();
  keep();
  if (!moved_only) {
    unpublished_ = true;
    publish_->start();
    emit edited(site, gesture);
  }
  emit changed();
}

std::uint64_t GraphController::drawingNumber() const { return drawing_ ? drawing_->number : 0; }

void GraphController::undo() {
  if (const Patch* const patch = drawing_ ? drawing_->drawn.undo() : nullptr) take(*patch);
}

void GraphController::redo() {
  if (const Patch* const patch = drawing_ ? drawing_->drawn.redo() : nullptr) take(*patch);
}

QString GraphController::undoText() const { return sentence_of(drawn().to_undo()); }

QString GraphController::redoText() const { return sentence_of(drawn().to_redo()); }

std::size_t GraphController::leftOut() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(graph().operators(), [this](const auto& op) { return !check().valid(op.first); }));
}

bool GraphController::unpublished() const { return drawing_ != nullptr && !drawing_->network.valid(); }

QString GraphController::shownLacks() const {
  if (!session_.hasDocument()) return {};
  const auto& graph = session_.document().graph;
  const auto open = std::ranges::find_if(drawings_, [&](const auto& each) { return each->drawn.built() == graph; });
  bool computes = true;
  std::size_t left_out = 0;
  if (open != drawings_.end()) {
    computes = (*open)->drawn.computes();
    left_out = (*open)->drawn.left_out();
  } else {  // of a project, not looked at yet
    const auto& kept = session_.workspace().drawings();
    const auto drawn = std::ranges::find(kept, session_.networkId(), &WorkspaceDrawing::network);
    if (drawn == kept.end()) return {};
    if (looked_at_.graph != drawn->graph) {
      DrawnGraph looked(*drawn->graph);
      const bool built = looked.build() && same_structure(*looked.built(), *graph);
      looked_at_ = {drawn->graph, built, looked.left_out()};
    }
    computes = looked_at_.computes;
    left_out = looked_at_.left_out;
  }
  if (!computes) return tr("The drawing has mistakes and cannot be computed. The view shows the state before");
  return left_out == 0 ? QString()
                       : tr("The drawing has mistakes: %1 of its operators are left out here").arg(left_out);
}

// A drawing of which nothing can be computed leaves the session with what it had.
void GraphController::publish() {
  if (!std::exchange(unpublished_, false)) return;
  publish_->stop();
  if (drawing_->drawn.build()) handOver();
  emit lacksChanged();
}

void GraphController::handOver() {
  const QScopedValueRollback guard(telling_, true);
  Drawing& drawing = *drawing_;
  const NetworkId before = drawing.network;
  Document document;
  document.graph = drawing.drawn.built();
  document.batched = drawing.batched;
  document.batch = drawing.batch;
  drawing.network = session_.editor().addDrawn(drawing.network, std::move(document), drawing.source,
                                               drawing.network.valid() && jobs_.has(drawing.network));
  if (drawing.network != before) keep();
  tellSelection();
}

// A drawing equal to its network is not kept.
void GraphController::keep() {
  Drawing& drawing = *drawing_;
  const bool empty = graph().operators().empty() && !drawing.network.valid();
  if (empty || drawing.drawn.as_it_began()) {
    session_.editor().removeDrawing(std::exchange(drawing.kept, {}));
    return;
  }
  const bool network = session_.workspace().find(drawing.network) != nullptr;
  drawing.kept = session_.editor().keepDrawing({.id = drawing.kept,
                                                .network = network ? drawing.network : NetworkId(),
                                                .source = drawing.source.toStdString(),
                                                .graph = std::make_shared<const EditableGraph>(graph())});
}

void GraphController::forgetGone() {
  const std::size_t before = selected_.size();
  std::erase_if(selected_, [this](OperatorKey key) { return graph().find(key) == nullptr; });
  bool lost = selected_.size() != before;
  if (wire_) {
    const EditOperator* const op = graph().find(wire_->op);
    if (op == nullptr || wire_->slot >= op->inputs.size() || op->inputs[wire_->slot].open()) {
      wire_.reset();
      lost = true;
    }
  }
  if (lost) emit selectionChanged();
}

bool GraphController::isSelected(OperatorKey key) const { return std::ranges::binary_search(selected_, key); }

void GraphController::select(std::vector<OperatorKey> keys) {
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (keys == selected_ && !wire_) return;
  selected_ = std::move(keys);
  wire_.reset();
  emit selectionChanged();
  tellSelection();
}

void GraphController::selectWire(const editor::Slot& slot) {
  selected_.clear();
  wire_ = slot;
  emit selectionChanged();
}

void GraphController::selectAll() {
  std::vector<OperatorKey> all;
  for (const auto& [key, op] : graph().operators()) all.push_back(key);
  select(std::move(all));
}

// The window's selection is units of the graph that it shows.
void GraphController::tellSelection() {
  if (!selection_ || !drawn().built() || !session_.hasDocument()) return;
  if (session_.document().graph != drawn().built()) return;
  const QScopedValueRollback guard(telling_, true);
  selection_->select({drawn().units_of(selected_), {}, {}});
}

void GraphController::followSelection(const Selection& selection) {
  if (!active_ || telling_ || !drawn().built()) return;
  const QScopedValueRollback guard(telling_, true);
  select(drawn().operators_of(selection.units));
}

void GraphController::reveal(OperatorKey key) {
  if (graph().find(key) == nullptr) return;
  select({key});
  emit revealAsked(key);
}

PartKey GraphController::partOfSelection() const {
  const EditOperator* const op = selected_.empty() ? nullptr : graph().find(selected_.back());
  const EditUnit* const unit = op == nullptr ? nullptr : graph().find(op->unit);
  return unit == nullptr ? PartKey() : unit->part;
}

bool GraphController::add(std::size_t kind, std::optional<CanvasPlace> place) {
  if (!drawing_) newGraph();
  if (wire_ && !place) return insert(kind, *wire_);
  // After one selected operator it takes what that gives; after several, all of it, where it may.
  const std::vector<OperatorKey> sources = place ? std::vector<OperatorKey>() : selected_;
  const Shape* const shape = sources.empty() ? nullptr : check().shapes.find(sources.front());
  Attributes attributes = default_attributes(kind, shape == nullptr ? std::nullopt : std::optional(*shape));
  return pushAdded(add_reader(graph(), std::move(attributes), sources, place, partOfSelection()));
}

bool GraphController::pushAdded(AddedOperator added) {
  if (!push(std::move(added.patch))) return false;
  reveal(added.key);
  return true;
}

bool GraphController::insert(std::size_t kind, const editor::Slot& slot, std::optional<CanvasPlace> place) {
  const EditOperator* const reader = graph().find(slot.op);
  if (reader == nullptr || slot.slot >= reader->inputs.size()) return false;
  const auto shape = check().shape_of(reader->inputs[slot.slot]);
  auto added = insert_operator(graph(), check(), default_attributes(kind, shape), slot.op, slot.slot, place);
  if (!added) return push(Result<Patch>(tl::unexpected(std::move(added.error()))));
  return pushAdded(std::move(*added));
}

QString GraphController::connectDisabledReason(OperatorKey from, const editor::Slot& to) const {
  if (graph().find(from) == nullptr || graph().find(to.op) == nullptr) return {};
  auto may = may_connect(graph(), check(), {from, std::nullopt}, to.op, to.slot);
  return may ? QString() : message_text(may.error().what);
}

editor::Slot GraphController::slotFor(OperatorKey from, OperatorKey to) const {
  return {to, graph().find(to) == nullptr ? 0 : slot_for(graph(), from, to)};
}

bool GraphController::connectSlot(OperatorKey from, const editor::Slot& to, std::uint64_t gesture) {
  if (graph().find(from) == nullptr || graph().find(to.op) == nullptr) return false;
  return push(iosx::connect(graph(), check(), {from, std::nullopt}, to.op, to.slot), gesture);
}

bool GraphController::disconnectSlot(const editor::Slot& slot, std::uint64_t gesture) {
  return graph().find(slot.op) != nullptr && push(iosx::disconnect(graph(), slot.op, slot.slot), gesture);
}

bool GraphController::remove(Healing healing) {
  if (wire_) return disconnectSlot(*wire_);
  if (selected_.empty()) return false;
  return push(remove_operators(graph(), selected_, healing));
}

bool GraphController::duplicateSelected() {
  if (selected_.empty()) return false;
  InsertedFragment made = duplicate(graph(), selected_, {kBesideOriginal, kBesideOriginal});
  editor::Places places;
  for (std::size_t i = 0; i < made.operators.size() && i < selected_.size(); ++i) {
    const editor::EditBox* const box = scene_.find(selected_[i]);
    if (box == nullptr) continue;
    const canvas::Point at = box->box.center();
    places[made.operators[i]] = {at.x + kBesideOriginal, at.y + kBesideOriginal};
  }
  scene_.suggest(places);
  if (!push(std::move(made.patch))) return false;
  select(made.operators);
  return true;
}

Fragment GraphController::selectedFragment() const { return fragment_of(graph(), selected_); }

void GraphController::copy() const {
  if (selected_.empty()) return;
  QGuiApplication::clipboard()->setText(QString::fromStdString(fragment_to_text(selectedFragment())));
}

bool GraphController::cut() {
  if (selected_.empty()) return false;
  copy();
  return remove(Healing::kNone);
}

bool GraphController::paste(std::optional<CanvasPlace> at) {
  const std::string text = QGuiApplication::clipboard()->text().toStdString();
  const auto fragment = fragment_from_text(text, "clipboard");
  if (fragment && !text.empty()) return insertFragment(*fragment, at, false);
  emit refused(text.empty() ? tr("The clipboard is empty") : tr("The clipboard has no piece of a graph"));
  return false;
}

bool GraphController::insertFragment(const Fragment& fragment, std::optional<CanvasPlace> at, bool fed) {
  if (!drawing_) newGraph();
  const auto own = scene_.boxesOf(fragment.graph);
  canvas::Rect bounds;
  for (const auto& [key, box] : own) bounds = bounds.united(box);
  InsertOptions options;
  options.part = partOfSelection();
  canvas::Point corner{scene_.bounds().x, scene_.bounds().bottom() + kBelow};
  if (selected_.size() == 1 && !at) {
    if (fed) options.feed = EditInput{selected_.front(), std::nullopt};
    if (const editor::EditBox* const box = scene_.find(selected_.front()); box != nullptr) {
      corner = {box->box.center().x - bounds.width / 2, box->box.bottom() + kBelow};
    }
  }
  if (at) corner = {at->x - bounds.width / 2, at->y - bounds.height / 2};
  const canvas::Point aside = scene_.freeShift({corner.x, corner.y, bounds.width, bounds.height});
  const double dx = corner.x + aside.x - bounds.x;
  const double dy = corner.y + aside.y - bounds.y;
  options.outside = OutsideSlots::kOpen;
  Fragment loose = fragment;  // the layout of the place where it comes to is not that where it is from
  for (const auto& [key, op] : fragment.graph.operators()) {
    if (!op->place) continue;
    EditOperator moved = *op;
    moved.place.reset();
    loose.graph.set(key, std::move(moved));
  }
  InsertedFragment made = insert_fragment(graph(), loose, options);
  editor::Places places;
  std::size_t i = 0;
  for (const auto& [key, op] : fragment.graph.operators()) {
    if (i >= made.operators.size()) break;
    const canvas::Point place = own.at(key).center();
    places[made.operators[i++]] = {place.x + dx, place.y + dy};
  }
  scene_.suggest(places);
  if (!push(std::move(made.patch))) return false;
  select(made.operators);
  if (!made.operators.empty()) emit revealAsked(made.operators.front());
  return true;
}

bool GraphController::rename(OperatorKey key, const QString& name) {
  return push(rename_operator(graph(), key, name.trimmed().toStdString()));
}

bool GraphController::resize(SweepParameter parameter, const QString& operator_name, std::int64_t value) {
  const auto now = built();
  if (now == nullptr) return false;
  const auto op = now->find_operator(operator_name.toStdString());
  const SweepParameterRow& row = row_of(parameter);
  if (row.resized == nullptr || (row.of_operator && !op)) return false;
  Result<Graph> resized = row.resized(*now, op.value_or(OperatorId()), value);
  if (!resized) return push(Result<Patch>(tl::unexpected(std::move(resized.error()))));
  const std::string who = row.of_operator ? operator_name.toStdString() : graph().name();
  return push(drawn().with_attributes(*resized, message("Change {}", who)));
}

bool GraphController::group() { return push(group_operators(graph(), check(), selected_)); }

UnitKey GraphController::unitOfSelection() const {
  const UnitKey unit = selected_.empty() ? UnitKey() : graph().op(selected_.front()).unit;
  return graph().find(unit) == nullptr ? UnitKey() : unit;
}

bool GraphController::split() {
  const UnitKey unit = unitOfSelection();
  return unit.valid() && push(split_unit(graph(), unit));
}

bool GraphController::beginPart() {
  const UnitKey unit = unitOfSelection();
  const QString name = tr("part %1").arg(graph().parts().size() + 1);
  return unit.valid() && push(declare_part(graph(), check(), unit, name.toStdString()));
}

bool GraphController::joinPart() {
  const PartKey part = partOfSelection();
  return part.valid() && push(join_part(graph(), part));
}

bool GraphController::alignSelected(Alignment alignment) {
  std::vector<PlacedOperator> placed;
  for (const OperatorKey key : selected_) {
    if (const auto* box = scene_.find(key)) placed.push_back({key, {box->box.center().x, box->box.center().y}});
  }
  return push(align(graph(), placed, alignment));
}

bool GraphController::move(std::span<const OperatorKey> keys, double dx, double dy, std::uint64_t gesture) {
  std::vector<PlacedOperator> placed;
  for (const OperatorKey key : keys) {
    const EditOperator& op = graph().op(key);
    const editor::EditBox* const box = scene_.find(key);
    if (box == nullptr) continue;
    const canvas::Point at = op.place ? canvas::Point{op.place->x, op.place->y} : box->box.center();
    placed.push_back({key, {at.x + dx, at.y + dy}});
  }
  return push(place_operators(graph(), placed), gesture);
}

bool GraphController::releaseSelected() { return !selected_.empty() && push(release_places(graph(), selected_)); }

void GraphController::layOut() {
  layouts_.abandon();
  scene_.layOut(graph(), check());
  emit opened();
  emit changed();
}

}  // namespace iosx

#include "moc_graph_controller.cpp"
