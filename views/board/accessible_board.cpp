#include "views/board/accessible_board.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QHash>
#include <vector>

#include "views/board/stage_board.h"

namespace iosx::board {
namespace {

// Stages and steps in reading order.
std::vector<Piece> pieces(const Layout& layout) {
  std::vector<Piece> all;
  for (std::size_t s = 0; s < layout.columns.size(); ++s) {
    all.push_back({s});
    const std::vector<Lane>& lanes = layout.columns[s].lanes;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      for (std::size_t c = 0; c < lanes[l].chips.size(); ++c) all.push_back({s, l, c});
    }
  }
  return all;
}

// Looks everything up when it is asked, as the draft may be another one by then.
class AccessiblePiece final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  AccessiblePiece(StageBoard* board, std::size_t index) : board_(board), index_(index) {}

  bool isValid() const override { return piece().has_value(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return board_ ? board_->window()->windowHandle() : nullptr; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(board_.data()); }
  QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
  QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  QString text(QAccessible::Text what) const override {
    const auto own = piece();
    return own && what == QAccessible::Name ? board_->words(*own) : QString();
  }
  void setText(QAccessible::Text /*what*/, const QString& /*text*/) override {}
  QRect rect() const override {
    const auto own = piece();
    if (!own) return {};
    const QRect box = board_->rectOf(*own);
    return {board_->viewport()->mapToGlobal(box.topLeft()), box.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    const auto own = piece();
    state.selectable = true;
    state.focusable = true;
    state.invalid = !own;
    if (!own) return state;
    state.offscreen = !board_->viewport()->rect().intersects(board_->rectOf(*own));
    state.focused = board_->hasFocus() && board_->cursor() == own;
    if (const SelectionModel* selection = board_->selectionModel()) {
      state.selected = true;
      for (const UnitId unit : units_of(board_->layoutShown(), *own)) {
        if (!selection->current().contains(unit)) state.selected = false;
      }
    }
    return state;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  QStringList actionNames() const override { return {pressAction()}; }
  void doAction(const QString& name) override {
    const auto own = piece();
    if (name != pressAction() || !own) return;
    board_->selectPiece(*own);
    board_->reveal(box_of(board_->layoutShown(), *own));
  }
  QStringList keyBindingsForAction(const QString& /*name*/) const override { return {}; }

 private:
  std::optional<Piece> piece() const {
    if (!board_) return {};
    const std::vector<Piece> all = pieces(board_->layoutShown());
    return index_ < all.size() ? std::optional(all[index_]) : std::nullopt;
  }

  QPointer<StageBoard> board_;
  std::size_t index_;
};

class AccessibleBoard final : public QAccessibleWidget {
 public:
  explicit AccessibleBoard(StageBoard* board) : QAccessibleWidget(board, QAccessible::List), board_(board) {}
  ~AccessibleBoard() override {
    for (const QAccessible::Id id : pieces_) QAccessible::deleteAccessibleInterface(id);
  }
  AccessibleBoard(const AccessibleBoard&) = delete;
  AccessibleBoard& operator=(const AccessibleBoard&) = delete;

  int childCount() const override { return static_cast<int>(pieces(board_->layoutShown()).size()); }
  QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) return nullptr;
    if (const auto known = pieces_.find(index); known != pieces_.end()) return QAccessible::accessibleInterface(*known);
    auto* piece = new AccessiblePiece(board_, static_cast<std::size_t>(index));  // the registry owns it
    pieces_.insert(index, QAccessible::registerAccessibleInterface(piece));
    return piece;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    for (auto piece = pieces_.begin(); piece != pieces_.end(); ++piece) {
      if (QAccessible::accessibleInterface(*piece) == child) return piece.key();
    }
    return -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    const QPointF at = board_->viewport()->mapFromGlobal(QPoint(x, y));
    const std::vector<Piece> all = pieces(board_->layoutShown());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (QRectF(board_->rectOf(all[i])).contains(at)) return child(static_cast<int>(i));
    }
    return nullptr;
  }
  QAccessibleInterface* focusChild() const override {
    const auto at = cursor();
    return at ? child(*at) : nullptr;
  }
  std::optional<int> cursor() const {
    if (!board_->cursor()) return {};
    const std::vector<Piece> all = pieces(board_->layoutShown());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] == *board_->cursor()) return static_cast<int>(i);
    }
    return {};
  }

 private:
  StageBoard* board_;
  mutable QHash<int, QAccessible::Id> pieces_;  // those that were asked for
};

QAccessibleInterface* make_accessible(const QString& /*key*/, QObject* object) {
  auto* board = qobject_cast<StageBoard*>(object);
  return board != nullptr ? new AccessibleBoard(board) : nullptr;
}

}  // namespace

void install_accessible_board() { QAccessible::installFactory(make_accessible); }

void announce_cursor(StageBoard& board) {
  if (!QAccessible::isActive()) return;
  const auto* own = dynamic_cast<AccessibleBoard*>(QAccessible::queryAccessibleInterface(&board));
  const auto at = own != nullptr ? own->cursor() : std::nullopt;
  if (!at) return;
  QAccessibleEvent focus(&board, QAccessible::Focus);
  focus.setChild(*at);
  QAccessible::updateAccessibility(&focus);
}

}  // namespace iosx::board
