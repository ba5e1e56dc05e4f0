#pragma once

#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/model/graph/operator.h"
#include "core/model/schedule/schedule_draft.h"

// The places of a schedule's pieces on the stage board: stages as columns, their lanes as rows, steps as chips.
namespace iosx::board {

inline constexpr double kPartHeight = 20;                    // names of parts, above the stages
inline constexpr double kHeaderHeight = 58;                  // number and lock, cost, change
inline constexpr double kTop = kPartHeight + kHeaderHeight;  // stays visible while lanes scroll
inline constexpr double kLaneHeight = 30;
inline constexpr double kChipHeight = 24;
inline constexpr double kHandleWidth = 16;  // at the left of a lane
inline constexpr double kGap = 18;          // between stages: drop place for a new one
inline constexpr double kSpare = 30;        // below the lanes: drop place for a new lane
inline constexpr double kLeastStage = 116;
inline constexpr double kPlusWidth = 44;

// The texts of a chip.
struct ChipText {
  QString name;
  double width = 0;  // pixels
  OperatorClass what = OperatorClass::kConv1x1;
  bool merged = false;  // in the network's file
};

struct Chip {
  QRectF box;
  std::vector<UnitId> units;  // several for a merged step
};

struct Lane {
  QRectF box;
  QRectF handle;
  std::vector<Chip> chips;
  std::vector<UnitId> units() const;
};

struct Column {
  QRectF box;
  QRectF header;
  QRectF gap;  // before it
  std::vector<Lane> lanes;
};

// A strip above consecutive stages that begin in one part.
struct PartStrip {
  QRectF box;
  PartId part;
};

struct Layout {
  std::vector<Column> columns;
  QRectF plus;  // after the last stage
  std::vector<PartStrip> parts;
  QSizeF size;
};

// `texts` has one per unit. Columns are at least `height` high in total.
Layout arrange(const ScheduleDraft& draft, const std::vector<ChipText>& texts, double height);

// A piece of the board. Without a lane it is the stage; without a step it is the lane.
struct Piece {
  std::size_t stage = 0;
  std::optional<std::size_t> lane = {};
  std::optional<std::size_t> step = {};
  friend bool operator==(const Piece&, const Piece&) = default;
};

// Returns the piece whose header, handle or chip is under a point; none elsewhere.
std::optional<Piece> piece_at(const Layout& layout, const QPointF& at);
QRectF box_of(const Layout& layout, const Piece& piece);
std::vector<UnitId> units_of(const Layout& layout, const Piece& piece);  // by id

// Returns the drop place of a dragged thing: in a lane, in a new lane below them, or in a new stage in a gap.
ScheduleDraft::Place place_at(const Layout& layout, const QPointF& at);
// Returns the stage after the nearest gap.
std::size_t gap_at(const Layout& layout, double x);

}  // namespace iosx::board
