#include "views/edit_schedule/accessible_board.h"

#include <algorithm>
#include <vector>

#include "views/edit_schedule/stage_board.h"
#include "views/widgets/painted_items.h"

namespace iosx::board {
namespace {

// Returns stages and steps in reading order.
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

class PieceItems final : public PaintedItems {
 public:
  explicit PieceItems(StageBoard& board) : board_(board) {}

  std::size_t count() const override { return pieces(board_.layoutShown()).size(); }
  QString name(std::size_t item) const override { return board_.words(piece(item)); }
  QRect rect(std::size_t item) const override { return board_.rectOf(piece(item)); }
  bool selected(std::size_t item) const override {
    const SelectionModel* selection = board_.selectionModel();
    return selection != nullptr && std::ranges::all_of(units_of(board_.layoutShown(), piece(item)), [&](UnitId unit) {
             return selection->current().contains(unit);
           });
  }
  std::optional<std::size_t> focused() const override {
    return first([&](const Piece& each) { return each == board_.cursor(); });
  }
  std::optional<std::size_t> itemAt(const QPoint& at) const override {
    return first([&](const Piece& each) { return QRectF(board_.rectOf(each)).contains(at); });
  }
  void press(std::size_t item) override {
    const Piece pressed = piece(item);
    board_.selectPiece(pressed);
    board_.reveal(box_of(board_.layoutShown(), pressed));
  }

 private:
  Piece piece(std::size_t item) const { return pieces(board_.layoutShown())[item]; }
  template <typename Is>
  std::optional<std::size_t> first(const Is& is) const {
    const std::vector<Piece> all = pieces(board_.layoutShown());
    const auto found = std::ranges::find_if(all, is);
    return found != all.end() ? std::optional(static_cast<std::size_t>(found - all.begin())) : std::nullopt;
  }

  StageBoard& board_;
};

}  // namespace

void install_accessible_board() { install_painted_items<StageBoard, PieceItems>(); }

}  // namespace iosx::board
