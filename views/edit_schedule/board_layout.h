#pragma once

#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/model/graph/operator_class.h"
#include "core/model/schedule/schedule_draft.h"

// These types say where the pieces of a schedule stand on the stage board: stages as columns, their lanes as rows,
// steps as chips.
namespace iosx::board {

inline constexpr double kPartHeight = 20;                    // names of parts, above the stages
inline constexpr double kHeaderHeight = 58;                  // number and lock, cost, change
inline constexpr double kTop = kPartHeight + kHeaderHeight;  // stays in sight while lanes are scrolled
inline constexpr double kLaneHeight = 30;
inline constexpr double kChipHeight = 24;
inline constexpr double kHandleWidth = 16;  // at the left of a lane
inline constexpr double kGap = 18;          // between stages: where a new one is dropped
inline constexpr double kSpare = 30;        // below the lanes: where a new lane is dropped
inline constexpr double kLeastStage = 116;
inline constexpr double kPlusWidth = 44;

// Holds what a chip says.
struct ChipText {
  QString name;
  double width = 0;  // pixels
  OperatorClass what = OperatorClass::kConv1x1;
  bool merged = false;  // in the network's file
};

struct Chip {
  QRectF box;
  std::vector<UnitId> units;  // several of a merged step
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

// A strip stands above stages in a row that begin in one part.
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

// `texts` has one a unit. Columns are at least `height` high in all.
Layout arrange(const ScheduleDraft& draft, const std::vector<ChipText>& texts, double height);

// Names a piece of the board. Without a lane it is the stage; without a step it is the lane.
struct Piece {
  std::size_t stage = 0;
  std::optional<std::size_t> lane = {};
  std::optional<std::size_t> step = {};
  friend bool operator==(const Piece&, const Piece&) = default;
};

// Returns the piece whose header, handle or chip a point is on; nothing elsewhere.
std::optional<Piece> piece_at(const Layout& layout, const QPointF& at);
QRectF box_of(const Layout& layout, const Piece& piece);
std::vector<UnitId> units_of(const Layout& layout, const Piece& piece);  // by id

// Says where what is dragged would go: into a lane, into a new lane below them, into a new stage in a gap.
ScheduleDraft::Place place_at(const Layout& layout, const QPointF& at);
// Says before which stage something is put: the gap that is nearest.
std::size_t gap_at(const Layout& layout, double x);

}  // namespace iosx::board
