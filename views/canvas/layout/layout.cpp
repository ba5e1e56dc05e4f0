#include "views/canvas/layout/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "views/canvas/layout/frame_columns.h"
#include "views/canvas/layout/geometry.h"
#include "views/canvas/layout/node_text.h"
#include "views/text/name_fit.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

constexpr double kHeaderShare = 0.5;      // of a part's height on average, at most
constexpr double kLongerSchedules = 1.5;  // times as many rows

class Arranger {
 public:
  Arranger(const LayoutRequest& request, const std::vector<FramePlan>& plans, const std::vector<FrameLayout>& layouts)
      : request_(request), plans_(plans), layouts_(layouts) {
    layout_.node_of.resize(request.graph->units().size());
  }

  Layout run() {
    fit_rooms();
    const std::vector<Size> sizes = frame_sizes(false);
    const std::vector<std::size_t>& column_of = columns_.column_of;
    std::vector<double> widths(column_of.empty() ? 0 : column_of.back() + 1, 0);
    for (std::size_t f = 0; f < sizes.size(); ++f) {
      widths[column_of[f]] = std::max(widths[column_of[f]], sizes[f].width);
    }
    double x = 0;
    double y = 0;
    for (std::size_t f = 0; f < sizes.size(); ++f) {
      if (f > 0 && column_of[f] != column_of[f - 1]) {
        x += widths[column_of[f - 1]] + kFrameColumnGap;
        y = 0;
      }
      const double indent = (widths[column_of[f]] - sizes[f].width) / 2;
      const bool collapsed = is_collapsed(f);
      add_frame(f, {x + indent, y, sizes[f].width, sizes[f].height}, collapsed);
      y += sizes[f].height + (collapsed ? kCollapsedGap : kFrameGap);
    }
    for (std::size_t f = 1; f < sizes.size(); ++f) link(f, column_of[f] != column_of[f - 1]);
    for (const FrameBox& frame : layout_.frames) layout_.bounds = layout_.bounds.united(frame.box);
    for (const auto& line : layout_.links) layout_.bounds = layout_.bounds.united(bounds_of(line));
    return std::move(layout_);
  }

 private:
  bool is_collapsed(std::size_t f) const { return request_.expanded && *request_.expanded != plans_[f].part; }

  // Makes rooms for texts that have the same size at every zoom as large as they are when all fits the room. With more
  // room for them the whole is larger, and seen smaller, so that is found step by step. Columns and the room of names
  // follow from the usual sizes, so that they are the same for every schedule.
  void fit_rooms() {
    header_ = kHeaderHeight;
    pixel_ = 0;
    fit([this] { return columns_ = columns(frame_sizes(true)); }, true);
    fit([this] { return placed(columns_.column_of, frame_sizes(false)); }, false);
  }

  // Makes the header, and with `names` the widths, large enough for `place`. Names of very many parts are not worth
  // that.
  template <typename Place>
  void fit(const Place& place, bool names) {
    constexpr int kSteps = 8;
    constexpr double kSlack = 1.03;
    double inner = 0;
    for (const FrameLayout& layout : layouts_) inner += layout.size.height + 2 * kFramePadding + kFrameGap;
    const double most =
        std::max(kHeaderHeight, kHeaderShare * inner / static_cast<double>(std::max<std::size_t>(1, layouts_.size())));
    for (int i = 0; i < kSteps; ++i) {
      const FrameColumns all = place();
      const double zoom = std::min(Camera::kMaxFitZoom, all.scale(request_.room.aspect()) * request_.room.height);
      const bool high_enough = header_ >= std::min(most, kHeaderLine / zoom);
      if (high_enough && (!names || zoom * pixel_ >= 1)) break;
      if (!high_enough) header_ = std::min(most, kSlack * kHeaderLine / zoom);
      if (names) pixel_ = kSlack / zoom;
    }
  }

  std::vector<Size> frame_sizes(bool usual) const {
    const std::vector<double> names = name_widths();
    std::vector<Size> sizes;
    for (std::size_t f = 0; f < plans_.size(); ++f) {
      const Size inner = usual ? plans_[f].usual.value_or(layouts_[f].size) : layouts_[f].size;
      sizes.push_back(is_collapsed(f) ? Size{kCollapsedWidth, header_} : framed(plans_[f], inner, header_));
      // A longer schedule of the run is seen smaller.
      const double room = plans_[f].usual ? kLongerSchedules * pixel_ : pixel_;
      sizes.back().width = std::max(sizes.back().width, names[f] * room);
    }
    return sizes;
  }

  // Returns what the names take when all is in sight, in pixels, of long ones a part: that a small part's can be read.
  std::vector<double> name_widths() const {
    constexpr double kCharacter = 7;  // of the small bold font
    constexpr std::size_t kMost = 8;  // characters
    std::vector<std::string> titles;
    for (const FramePlan& plan : plans_) titles.push_back(plan.title);
    const std::string family = family_prefix(titles);
    std::vector<double> widths;
    for (const std::string& title : titles) {
      const std::size_t length = std::min(kMost, without_family(title, family).size());
      widths.push_back(kCharacter * static_cast<double>(length) + 2 * kSmallHeaderMargin);
    }
    return widths;
  }

  FrameColumns columns(const std::vector<Size>& sizes) const {
    if (!request_.expanded) return choose_columns(sizes, request_.room.aspect());
    return placed(three_columns(*request_.expanded), sizes);
  }

  FrameColumns placed(std::vector<std::size_t> column_of, const std::vector<Size>& sizes) const {
    FrameColumns result;
    result.column_of = std::move(column_of);
    double y = 0;
    double widest = 0;
    for (std::size_t f = 0; f < sizes.size(); ++f) {
      if (f > 0 && result.column_of[f] != result.column_of[f - 1]) {
        result.width += widest + kFrameColumnGap;
        y = widest = 0;
      }
      y += sizes[f].height + (is_collapsed(f) ? kCollapsedGap : kFrameGap);
      widest = std::max(widest, sizes[f].width);
      result.height = std::max(result.height, y);
    }
    result.width += widest;
    return result;
  }

  // Returns three columns: what runs before the open part, the part itself, and what runs after it.
  std::vector<std::size_t> three_columns(PartId expanded) const {
    std::vector<std::size_t> column_of;
    std::size_t column = 0;
    bool opened = false;
    for (std::size_t f = 0; f < plans_.size(); ++f) {
      const bool open = plans_[f].part == expanded;
      if (f > 0 && ((open && !opened) || (!open && plans_[f - 1].part == expanded))) ++column;
      opened = opened || open;
      column_of.push_back(column);
    }
    return column_of;
  }

  void add_frame(std::size_t f, const Rect& box, bool collapsed) {
    const FramePlan& plan = plans_[f];
    FrameBox frame;
    frame.box = box;
    frame.header = {box.x, box.y, box.width, header_};
    frame.columns = {box};
    frame.part = plan.part;
    frame.title = plan.title;
    for (const PlanNode& node : plan.nodes) frame.units.push_back(node.unit);
    frame.collapsed = collapsed;
    frame.nodes.first = layout_.nodes.size();
    frame.edges.first = layout_.edges.size();
    frame.bands.first = layout_.bands.size();
    frame.merged.first = layout_.merged.size();
    frame.rows.first = layout_.rows.size();
    frame.parts.first = layout_.parts.size();
    if (!collapsed) {
      const double indent = (box.width - layouts_[f].size.width) / 2;
      const FrameLayout& contents = layouts_[f];
      add_contents(plans_[f], contents, {box.x + indent, box.y + header_ + kFramePadding});
      if (!contents.columns.empty()) frame.columns = panels(box, indent, contents.columns);
    }
    frame.nodes.second = layout_.nodes.size();
    frame.edges.second = layout_.edges.size();
    frame.bands.second = layout_.bands.size();
    frame.merged.second = layout_.merged.size();
    frame.rows.second = layout_.rows.size();
    frame.parts.second = layout_.parts.size();
    layout_.frames.push_back(std::move(frame));
  }

  // Returns a panel a column of a folded frame; the outer ones reach to the frame's borders.
  static std::vector<Rect> panels(const Rect& box, double indent, const std::vector<Rect>& columns) {
    std::vector<Rect> result;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double from = box.x + indent;
      const double left = c == 0 ? box.x : from + columns[c].x - kFramePadding;
      const double right = c + 1 == columns.size() ? box.right() : from + columns[c].right() + kFramePadding;
      result.push_back({left, box.y, right - left, box.height});
    }
    return result;
  }

  void add_contents(const FramePlan& plan, const FrameLayout& from, const Point& at) {
    const std::size_t first = layout_.nodes.size();
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
      const PlanNode& node = plan.nodes[n];
      layout_.node_of[node.unit.index()] = layout_.nodes.size();
      layout_.nodes.push_back({from.boxes[n].moved(at.x, at.y), node.unit});
      if (from.shapes.empty()) continue;
      NodeShape& shape = layout_.nodes.back().shape = from.shapes[n];
      for (auto* list : {&shape.pieces, &shape.stems, &shape.chips}) {
        for (Rect& rect : *list) rect = rect.moved(at.x, at.y);
      }
    }
    for (std::size_t e = 0; e < plan.edges.size(); ++e) {
      Curve curve = from.curves[e];
      for (Point& p : curve) p = {p.x + at.x, p.y + at.y};
      const Rect bounds = bounds_of(curve);
      const bool corners = !from.corners.empty() && from.corners[e];
      const bool across = !from.across.empty() && from.across[e];
      layout_.edges.push_back(
          {first + plan.edges[e].first, first + plan.edges[e].second, std::move(curve), bounds, corners, across});
    }
    const auto add = [&at](auto& list, auto thing) {
      thing.box = thing.box.moved(at.x, at.y);
      list.push_back(std::move(thing));
    };
    for (BandBox band : from.bands) {
      band.label = band.label.moved(at.x, at.y);
      add(layout_.bands, band);
    }
    for (const MergedBox& merged : from.merged) add(layout_.merged, merged);
    for (PartBox part : from.parts) {
      add(layout_.parts, std::move(part));
    }
    for (RowBox row : from.rows) {
      row.tally = row.tally.moved(at.x, at.y);
      add(layout_.rows, std::move(row));
    }
  }

  // Links a frame to the next straight down, or through the gap between two columns.
  void link(std::size_t f, bool next_column) {
    const Rect& from = layout_.frames[f - 1].box;
    const Rect& to = layout_.frames[f].box;
    const Point start{from.center().x, from.bottom()};
    const Point end{to.center().x, to.y};
    if (!next_column) {
      layout_.links.push_back({start, end});
      return;
    }
    const double half = kFrameGap / 2;
    double column_left = to.x;
    for (const FrameBox& frame : layout_.frames) {
      if (frame.box.x < to.center().x && frame.box.right() > to.x) column_left = std::min(column_left, frame.box.x);
    }
    const double gutter = column_left - kFrameColumnGap / 2;
    layout_.links.push_back({start,
                             {start.x, start.y + half},
                             {gutter, start.y + half},
                             {gutter, end.y - half},
                             {end.x, end.y - half},
                             end});
  }

  const LayoutRequest& request_;
  const std::vector<FramePlan>& plans_;
  const std::vector<FrameLayout>& layouts_;
  double header_ = kHeaderHeight;
  double pixel_ = 0;      // when all fits the room, as a length
  FrameColumns columns_;  // of the usual sizes
  Layout layout_;
};

}  // namespace

Layout arrange(const LayoutRequest& request, const std::vector<FramePlan>& plans,
               const std::vector<FrameLayout>& layouts) {
  return Arranger(request, plans, layouts).run();
}

namespace {

constexpr double kLeastName = 8;  // pixels of width
constexpr double kSpareLine = 1;  // pixels that a line may lack
constexpr double kTriangle = 18;  // width, at 100 %

// Returns a line of text in a band whose middle is at y.
Rect line_at(double x, double width, double middle, double height) { return {x, middle - height / 2, width, height}; }

QString continued_long(const std::string& name) { return Text::tr("%1, continued").arg(qstring(name)); }

}  // namespace

Rect panel_box(const FrameBox& frame, std::size_t column, double zoom) {
  const Rect row = header_row(frame, column, zoom);
  return {row.x, row.y, row.width, frame.columns[column].bottom() - row.y};
}

Rect header_row(const FrameBox& frame, std::size_t column, double zoom) {
  const Rect& panel = frame.columns[column];
  const double least = std::min(kHeaderHeight, frame.header.height);
  const double height = std::clamp(kHeaderLine / zoom, least, frame.header.height);
  return {panel.x, frame.header.bottom() - height, panel.width, height};
}

Rect header_room(const FrameBox& frame, std::size_t column, double zoom, const SmallText& text) {
  const Rect row = header_row(frame, column, zoom);
  if (!header_is_small(zoom)) return {row.x + kHeaderMargin, row.y, row.width - 2 * kHeaderMargin, row.height};
  const double line = text.ascent + text.descent;
  const double margin = kSmallHeaderMargin / zoom;
  if (row.height * zoom < line - kSpareLine || row.width * zoom < 2 * kSmallHeaderMargin + kLeastName) return {};
  return line_at(row.x + margin, row.width - 2 * margin, row.center().y, std::min(row.height, line / zoom));
}

std::vector<std::vector<std::string>> header_names(const Layout& layout, double zoom, const SmallText& text,
                                                   const FontWidths& widths) {
  const bool small = header_is_small(zoom);
  std::vector<std::string> names;
  std::vector<double> room;  // a frame: of its narrowest panel
  for (const FrameBox& frame : layout.frames) {
    names.push_back(printable(frame.title));
    double least = header_room(frame, 0, zoom, text).width;
    for (std::size_t c = 1; c < frame.columns.size(); ++c) {
      least = std::min(least, header_room(frame, c, zoom, text).width);
    }
    room.push_back(small ? least * zoom : least - kTriangle);
  }
  const std::vector<std::string> shown = fit_family(names, room, widths);
  std::vector<std::vector<std::string>> result(layout.frames.size());
  for (std::size_t f = 0; f < layout.frames.size(); ++f) {
    const FrameBox& frame = layout.frames[f];
    for (std::size_t c = 0; c < frame.columns.size(); ++c) {
      const Rect place = header_room(frame, c, zoom, text);
      const double width = small ? place.width * zoom : place.width - kTriangle;
      std::string name = place.empty() ? std::string() : shown[f];
      if (frame.columns.size() > 1 && !name.empty()) {
        const std::string number = fmt::format(" {}/{}", c + 1, frame.columns.size());
        const std::string whole = continued_long(names[f]).toStdString();
        if (widths.width(whole) <= width) {
          if (c > 0) name = whole;
        } else {
          name = elide_around(shown[f], 0, 0, width - widths.width(number), widths) + number;
        }
      }
      result[f].push_back(std::move(name));
    }
  }
  return result;
}

}  // namespace iosx::canvas
