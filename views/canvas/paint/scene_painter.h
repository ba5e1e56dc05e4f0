#pragma once

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QStaticText>
#include <QString>
#include <QStringList>
#include <QTransform>
#include <functional>
#include <optional>
#include <vector>

#include "views/app_model/selection.h"
#include "views/canvas/layout/layout.h"
#include "views/canvas/paint/marks.h"
#include "views/canvas/paint/overlay.h"
#include "views/canvas/paint/scene.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx::canvas {

// How much of a box is drawn: a plain rectangle; a rounded one with a word; everything.
enum class Detail { kBlock, kBrief, kFull };
// Text is drawn from about 6 pixels on.
Detail detail_at(double zoom);
inline constexpr double kBriefMergedLine = 2;  // pixels around what is merged, where boxes have one line of text

// Keeps shaped texts of one font that a canvas draws repeatedly while zooming: per thing (node, stage) its possible
// texts, the longest first.
class ShapedWords {
 public:
  void clear() { things_.clear(); }
  // Draws the first one that fits into the room, at the left and baseline that `place` returns for its width;
  // returns false where none fits. `words` is called once per thing.
  bool draw(QPainter& painter, std::size_t thing, const std::function<QStringList()>& words, const QFont& font,
            double room, const std::function<QPointF(double width)>& place);

 private:
  struct Word {
    QString words;
    double width = 0;
    std::optional<QStaticText> shaped;  // after its first drawing
  };
  std::vector<std::optional<std::vector<Word>>> things_;
};

// The texts of one scene; dropped when these or their language change.
struct SceneTexts {
  ShapedWords nodes;
  std::vector<std::vector<QString>> headers;  // names of parts, from header_names() at header_zoom
  double header_zoom = 0;
};

// The content and state of a scene. The painter does not change it.
struct SceneState {
  const Model* model = nullptr;
  const Drawing* drawing = nullptr;
  const Theme* theme = nullptr;
  const OverlayScale* overlay = nullptr;
  const PartGains* gains = nullptr;              // null or inactive: no savings in the headers of frames
  const Selection* selection = nullptr;          // null: no selection
  const std::vector<UnitMark>* marks = nullptr;  // null or empty: none
  const std::vector<Tie>* ties = nullptr;        // null or empty: none
  const std::vector<UnitId>* running = nullptr;  // units that run at the current time
  const std::vector<UnitId>* ahead = nullptr;    // units that have not begun then
  const std::vector<UnitId>* lit = nullptr;      // by id; null or empty: all. The rest is dimmed
  const std::vector<UnitId>* pointed = nullptr;  // under the pointer in another view
  const std::vector<UnitId>* found = nullptr;    // by a search
  const std::vector<bool>* matches = nullptr;    // per unit during a search: the others are dimmed
  std::optional<UnitId> current;                 // of those, the current one
  std::optional<std::size_t> hovered;            // node of the layout
  std::optional<std::size_t> hovered_header;     // frame of the layout
  double zoom = 1;                               // pixels per unit of length
  QTransform page;                               // of the pixels: none in a window, which has its own
  QRectF visible;                                // in the layout's coordinates
  SceneTexts* texts = nullptr;                   // kept between pictures; null: shaped anew
  bool export_quality = false;                   // everything in full detail, with antialiasing
};

// Paints a layout in its own coordinates; the caller has set the transform. Everything outside `visible` is left out.
class ScenePainter {
 public:
  ScenePainter(QPainter& painter, const SceneState& state);
  void paint();
  // Paint the same in two steps: what stays while the pointer moves, and what lies over it: selection, search
  // results, running units, the hovered thing.
  void paintBase();
  void paintTop();

 private:
  void paintFrame(std::size_t frame);
  void paintHeader(std::size_t frame);
  void paintGain(const FrameBox& frame, const QString& name);
  void paintFullHeader(const QRectF& line, const QString& title, std::size_t units);
  void paintSmallHeader(const QRectF& room, const QString& name);
  const std::vector<std::vector<QString>>& headers();
  SmallText small_text() const;
  void paintLinks();
  bool gains() const { return state_.gains != nullptr && state_.gains->active(); }
  void paintMerged(const MergedBox& merged);
  void paintEdges(const FrameBox& frame);
  void paintEdge(std::size_t edge, const QColor& color, double width);
  double strength(std::size_t edge) const;  // of its line, from 0 to 1
  QColor edgeColor(double strength) const;
  void paintArrow(const EdgePath& edge, const QColor& color);
  void paintHighlightedEdges(const FrameBox& frame);
  void paintCriticalEdges(const FrameBox& frame);
  void paintMarks(const FrameBox& frame);
  void paintMark(const NodeBox& node, const UnitMark& mark);
  void outline(UnitId unit, double grown, const QPen& pen);
  void paintFound();
  void paintRunning();
  void paintPointed();
  void paintAhead();
  void paintUnlit();
  std::vector<Rect> rects_of(UnitId unit) const;  // its box, and what of it is elsewhere
  void paintDim();
  void veil(const Rect& box);
  void paintHovered();
  void paintMergedFrame(const NodeBox& node);  // around a unit that merges layers
  void paintHatch(const QRectF& box, const QColor& color);
  // Cut the corners and draw sharply, without antialiasing; boxes are in the window's pixels.
  void fillCut(const QRectF& box, const QColor& color);
  QRectF snapped(const QRectF& box) const;             // to pixels of the device
  QPointF onPixel(const QPointF& at) const;            // the nearest place at a corner of a pixel, in the layout
  QStringList brief_words(const NodeBox& node) const;  // texts for a small box, the longest first
  void paintSelection();
  // weave_painter.cpp
  void paintRows(const FrameBox& frame);
  void paintTally(const RowBox& row, const QRectF& room);  // in the window's pixels
  void paintParts(const FrameBox& frame);
  void paintPartNames(const FrameBox& frame);
  void paintStageNumber(const BandBox& band);
  void paintMergedBar(const MergedBox& merged);
  void paintPieces(std::size_t node);
  void paintTies();
  void paintShortText(std::size_t node, const QRectF& box);  // in the window's pixels
  void paintWovenText(const NodeBox& node, const QColor& fill);
  QString woven_times(UnitId unit) const;

  SceneTexts& texts() { return state_.texts != nullptr ? *state_.texts : own_texts_; }
  bool visible(const Rect& rect) const;
  QColor fill(UnitId unit) const;
  QColor accent(UnitId unit) const;
  bool selected(UnitId unit) const { return state_.selection != nullptr && state_.selection->contains(unit); }
  bool highlighted(const EdgePath& edge) const;
  bool dim(UnitId unit) const;              // excluded by a search
  bool raised(const EdgePath& edge) const;  // drawn in full, because a unit at its end is selected
  QTransform toPixels() const;
  double pixels(double n) const { return n / state_.zoom; }  // the length of n pixels on the screen
  QPen pen(const QColor& color, double width, double least_pixels) const;
  QFont font(bool bold, double size) const;

  QPainter& painter_;
  const SceneState& state_;
  const Layout& layout_;
  const Theme& theme_;
  Detail detail_;
  QFont name_font_;
  QFont body_font_;
  QFont letter_font_;
  QFont small_font_;  // in the window's pixels, for zoomed-out things
  QFont small_bold_font_;
  SmallText small_text_;
  SceneTexts own_texts_;
  double name_ascent_;
  double name_height_;
  double body_ascent_;
  double body_height_;
};

QRectF to_qt(const Rect& rect);

}  // namespace iosx::canvas
