#pragma once

#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "views/figures/figure.h"
#include "views/recording/recording_rows.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"

class QPainter;

namespace iosx {

// Holds what the timeline of a recording draws, for the window and for figures. It refers to its parts and does not own
// them. Places are in pixels from its top left corner.
struct RecordingPicture {
  const OpenedRecording& opened;
  const recorded::Rows& rows;
  const Theme& theme;
  TimeAxis axis = {};
  QSizeF size = {};
  double scrolled = 0;
  const std::vector<bool>& marked;  // per kernel; empty: none
  std::optional<std::uint32_t> chosen = {};
  const std::vector<RecordedEdge>& edges;  // of the chosen one
  QFont font = {};
  QString hint = {};  // about mouse and keys, at the end of the legend

  double rowTop(const recorded::Row& row) const;
  QRectF rectOf(std::uint32_t kernel) const;  // it may be outside
  double bottom() const;                      // of the rows

  void paint(QPainter& painter) const;
  void paintMeasure(QPainter& painter, const TimeMeasure& measure) const;  // with its length and statistics
};

// Returns the axis of a timeline of this width.
TimeAxis recording_axis(TimeRange range, double width);

// Returns the timeline of that range, with the kernels that are marked, as a figure: its data has a line for each
// kernel in the range.
std::unique_ptr<Figure> recording_figure(std::shared_ptr<const OpenedRecording> opened, TimeRange range,
                                         std::vector<bool> marked, const QString& title);

}  // namespace iosx
