#include "views/edit_schedule/stage_board.h"

#include <algorithm>

namespace iosx::board {
namespace {

constexpr double kPadding = 6;
constexpr double kChipGap = 6;
constexpr double kPlusText = 22;  // between the names of merged units

double chip_width(const Step& step, const std::vector<ChipText>& texts) {
  double width = 0;
  for (const UnitId unit : step.units) width += texts[unit.index()].width;
  return width + kPlusText * static_cast<double>(step.units.size() - 1);
}

std::vector<UnitId> sorted(std::vector<UnitId> units) {
  std::ranges::sort(units);
  return units;
}

}  // namespace

std::vector<UnitId> Lane::units() const {
  std::vector<UnitId> all;
  for (const Chip& chip : chips) all.insert(all.end(), chip.units.begin(), chip.units.end());
  return sorted(std::move(all));
}

Layout arrange(const ScheduleDraft& draft, const std::vector<ChipText>& texts, double height) {
  Layout layout;
  double x = 0;
  double lowest = height;
  for (const Stage& stage : draft.schedule().stages) {
    Column column;
    column.gap = QRectF(x, kPartHeight, kGap, 0);
    x += kGap;
    const double top = kPartHeight + kHeaderHeight + kPadding;
    double widest = 0;
    for (std::size_t g = 0; g < stage.groups.size(); ++g) {
      Lane lane;
      const double y = top + kLaneHeight * static_cast<double>(g);
      lane.handle = QRectF(x + 2, y, kHandleWidth, kLaneHeight);
      double at = lane.handle.right() + 2;
      for (const Step& step : stage.groups[g].steps) {
        const double width = chip_width(step, texts);
        lane.chips.push_back({QRectF(at, y + (kLaneHeight - kChipHeight) / 2, width, kChipHeight), step.units});
        at += width + kChipGap;
      }
      widest = std::max(widest, at - x);
      lane.box = QRectF(x, y, 0, kLaneHeight);
      column.lanes.push_back(std::move(lane));
    }
    const double width = std::max(kLeastStage, widest + kPadding - kChipGap);
    for (Lane& lane : column.lanes) lane.box.setWidth(width);
    column.header = QRectF(x, kPartHeight, width, kHeaderHeight);
    column.box = QRectF(x, kPartHeight, width, 0);
    lowest = std::max(lowest, top + kLaneHeight * static_cast<double>(column.lanes.size()) + kSpare);
    x += width;
    layout.columns.push_back(std::move(column));
  }
  layout.plus = QRectF(x + kGap, kPartHeight, kPlusWidth, lowest - kPartHeight - 2);
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    Column& column = layout.columns[i];
    column.box.setHeight(lowest - kPartHeight - 2);
    column.gap.setHeight(lowest - kPartHeight - 2);
    const PartId part = draft.graph().unit(draft.schedule().stages[i].units().front()).part;
    if (layout.parts.empty() || layout.parts.back().part != part) {
      layout.parts.push_back({QRectF(column.box.left(), 0, 0, kPartHeight), part});
    }
    layout.parts.back().box.setRight(column.box.right());
  }
  layout.size = QSizeF(layout.plus.right() + kGap, lowest);
  return layout;
}

std::optional<Piece> piece_at(const Layout& layout, const QPointF& at) {
  for (std::size_t s = 0; s < layout.columns.size(); ++s) {
    const Column& column = layout.columns[s];
    if (at.x() > column.box.right()) continue;
    if (!column.box.contains(at)) return {};
    if (column.header.contains(at)) return Piece{s};
    for (std::size_t l = 0; l < column.lanes.size(); ++l) {
      const Lane& lane = column.lanes[l];
      if (!lane.box.contains(at)) continue;
      if (lane.handle.contains(at)) return Piece{s, l};
      for (std::size_t c = 0; c < lane.chips.size(); ++c) {
        if (lane.chips[c].box.contains(at)) return Piece{s, l, c};
      }
    }
    return {};
  }
  return {};
}

QRectF box_of(const Layout& layout, const Piece& piece) {
  const Column& column = layout.columns[piece.stage];
  if (!piece.lane) return column.header;
  const Lane& lane = column.lanes[*piece.lane];
  return piece.step ? lane.chips[*piece.step].box : lane.box;
}

std::vector<UnitId> units_of(const Layout& layout, const Piece& piece) {
  const Column& column = layout.columns[piece.stage];
  if (piece.lane) {
    const Lane& lane = column.lanes[*piece.lane];
    return piece.step ? sorted(lane.chips[*piece.step].units) : lane.units();
  }
  std::vector<UnitId> all;
  for (const Lane& lane : column.lanes) {
    const std::vector<UnitId> units = lane.units();
    all.insert(all.end(), units.begin(), units.end());
  }
  return sorted(std::move(all));
}

ScheduleDraft::Place place_at(const Layout& layout, const QPointF& at) {
  for (std::size_t s = 0; s < layout.columns.size(); ++s) {
    const Column& column = layout.columns[s];
    if (at.x() < column.box.left()) return {.stage = s, .new_stage = true};
    if (at.x() > column.box.right()) continue;
    for (std::size_t l = 0; l < column.lanes.size(); ++l) {
      const Lane& lane = column.lanes[l];
      if (at.y() < lane.box.top() || at.y() >= lane.box.bottom()) continue;
      const auto before =
          std::ranges::count_if(lane.chips, [&](const Chip& chip) { return chip.box.center().x() < at.x(); });
      return {.stage = s, .group = l, .step = static_cast<std::size_t>(before)};
    }
    return {.stage = s, .group = column.lanes.size()};
  }
  return {.stage = layout.columns.size(), .new_stage = true};
}

std::size_t gap_at(const Layout& layout, double x) {
  std::size_t gap = 0;
  while (gap < layout.columns.size() && x > layout.columns[gap].box.center().x()) ++gap;
  return gap;
}

}  // namespace iosx::board
