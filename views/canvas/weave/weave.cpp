#include "views/canvas/weave/weave.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "views/canvas/layout/frame_columns.h"
#include "views/canvas/weave/columns.h"
#include "views/canvas/weave/rows.h"

namespace iosx::canvas {
namespace {

constexpr double kMargin = 4;       // between a row's borders and its boxes
constexpr double kPanelGap = 24;    // between the panels of a folded section
constexpr double kStageRoom = 34;   // at the left of bands, for the number of the stage
constexpr double kChip = 20;        // width of an early kernel
constexpr double kPillWidth = 76;   // of a unit without a kernel
constexpr double kMergedFrame = 3;  // around merged units
constexpr std::size_t kMostPanels = 12;

// One section with its rows, and where they are cut into panels.
class SectionLayout {
 public:
  SectionLayout(const LayoutRequest& request, const WeaveColumns& columns, std::size_t section, SectionRows rows,
                const std::vector<std::size_t>& stage_of)
      : request_(request),
        graph_(*request.graph),
        columns_(columns),
        section_(columns.sections[section]),
        rows_(std::move(rows)),
        stage_of_(stage_of) {
    slim_.resize(count() + 1, false);
    for (const UnitRows& unit : rows_.units) {
      if (unit.pill()) slim_[unit.first] = true;
    }
    tops_.push_back(slim_[0] ? kWeavePill : 0);
    for (std::size_t r = 1; r <= count(); ++r) {
      tops_.push_back(tops_.back() + kWeaveRow + (slim_[r] ? kWeavePill : 0));
    }
  }

  FramePlan plan() const {
    FramePlan plan;
    const WeavePart& first = columns_.parts[section_.parts.front()];
    const WeavePart& last = columns_.parts[section_.parts.back()];
    plan.part = PartId(section_.parts.front());
    plan.title = section_.parts.size() == 1 ? first.title : first.title + " \u2026 " + last.title;
    const auto networks = graph_.networks();
    const MemberId begin = networks.size() < 2 ? MemberId() : graph_.network(first.units.front());
    if (networks.size() > 1 && begin != graph_.network(last.units.front())) {
      plan.title = networks[begin.index()];
      for (std::size_t n = begin.index() + 1; n <= graph_.network(last.units.front()).index(); ++n) {
        plan.title += " + " + networks[n];
      }
    }
    for (const UnitId unit : section_.units) {
      plan.nodes.push_back({{kWeaveBox, kWeaveRow - 2 * kMargin}, unit});
    }
    return plan;
  }

  // Returns the height of a usual schedule's rows. The least that a schedule takes is the longest path, the most is a
  // row a unit.
  double usual_height() const {
    std::vector<std::size_t> depth(section_.units.size(), 1);
    std::size_t deepest = 1;
    for (std::size_t i = 0; i < depth.size(); ++i) {
      for (const UnitId from : graph_.predecessors(section_.units[i])) {
        if (const auto place = place_of(from)) depth[i] = std::max(depth[i], depth[*place] + 1);
      }
      deepest = std::max(deepest, depth[i]);
    }
    constexpr double kStairs = 0.42;  // from the longest path to a row a unit
    return kWeaveRow * std::pow(static_cast<double>(deepest), 1 - kStairs) *
           std::pow(static_cast<double>(depth.size()), kStairs);
  }

  Size usual_size(std::size_t panels) const {
    return {width(panels), std::max(kWeaveRow, usual_height() / static_cast<double>(panels))};
  }

  std::size_t panels_for(double height) const {
    constexpr std::size_t kFewUnits = 16;
    if (request_.schedule == nullptr && section_.units.size() <= kFewUnits) return 1;  // the shape is what it shows
    const auto wanted = static_cast<std::size_t>(std::ceil(usual_height() / std::max(height, kWeaveRow)));
    return std::clamp<std::size_t>(wanted, 1,
                                   std::min(kMostPanels, std::max<std::size_t>(1, section_.units.size() / 4)));
  }

  // Fills the plan's edges too: an edge that a fold cuts is drawn in two pieces.
  FrameLayout lay(std::size_t panels, FramePlan& plan) {
    panels_ = this->panels(panels);
    FrameLayout layout;
    layout.size.width = width(panels);
    for (const Panel& panel : panels_) {
      layout.size.height = std::max(layout.size.height, bottom(panel.last) - head(panel.first));
    }
    for (std::size_t i = 0; i < section_.units.size(); ++i) add_unit(i, layout);
    for (std::size_t i = 0; i < section_.units.size(); ++i) add_edges(i, plan, layout);
    for (std::size_t p = 0; p < panels; ++p) add_panel(p, layout);
    if (panels > 1) {
      for (const Panel& panel : panels_) layout.columns.push_back({panel.x, 0, panel.width, layout.size.height});
    }
    add_merged(layout);
    return layout;
  }

 private:
  // Rows [first, last) from x on.
  struct Panel {
    std::size_t first = 0;
    std::size_t last = 0;
    double x = 0;
    double width = 0;
  };

  std::size_t count() const { return rows_.instants.size(); }
  bool staged() const { return !stage_of_.empty(); }
  double tally() const { return std::clamp(0.09 * section_.columns * kWeaveColumn, 76.0, 260.0); }
  // Equal for all schedules of a run.
  double gutter() const { return tally() + (request_.schedule ? kStageRoom : 0); }

  // Returns the place of a unit in the section's list.
  std::optional<std::size_t> place_of(UnitId unit) const {
    const auto place = std::ranges::lower_bound(section_.units, unit);
    if (place == section_.units.end() || *place != unit) return std::nullopt;
    return static_cast<std::size_t>(place - section_.units.begin());
  }

  double top(std::size_t row) const { return tops_[row]; }
  double head(std::size_t row) const { return tops_[row] - (slim_[row] ? kWeavePill : 0); }
  // Where the rows before this one end; pills below the last row belong to it.
  double bottom(std::size_t row) const { return row == count() ? tops_.back() : head(row); }

  std::size_t panel_of(std::size_t row) const {
    const auto after = std::ranges::upper_bound(panels_, row, {}, &Panel::first);
    return static_cast<std::size_t>(after - panels_.begin()) - 1;
  }
  double panel_top(std::size_t panel) const { return head(panels_[panel].first); }

  double unit_x(UnitId unit, std::size_t panel) const {
    return panels_[panel].x + gutter() + columns_.column_of[unit.index()] * kWeaveColumn +
           (kWeaveColumn - kWeaveBox) / 2;
  }

  // Returns the box of rows [first, last) in their panel.
  Rect rows_box(UnitId unit, std::size_t first, std::size_t last) const {
    const std::size_t panel = panel_of(first);
    const double y = top(first) - panel_top(panel) + kMargin;
    return {unit_x(unit, panel), y, kWeaveBox, top(last - 1) + kWeaveRow - top(first) - 2 * kMargin};
  }

  Rect pill_box(UnitId unit, std::size_t row) const {
    const std::size_t panel = panel_of(row);
    const double x = unit_x(unit, panel) + (kWeaveBox - kPillWidth) / 2;
    return {x, top(row) - kWeavePill - panel_top(panel) + 2, kPillWidth, kWeavePill - 4};
  }

  // Returns the rows from the first to the last as ranges [first, last) in which it is in flight, cut at panels.
  std::vector<std::pair<std::size_t, std::size_t>> ranges(const std::vector<std::size_t>& rows) const {
    std::vector<std::pair<std::size_t, std::size_t>> result;
    for (const std::size_t row : rows) {
      if (!result.empty() && result.back().second == row && panel_of(row) == panel_of(result.back().first)) {
        ++result.back().second;
      } else {
        result.emplace_back(row, row + 1);
      }
    }
    return result;
  }

  void add_unit(std::size_t i, FrameLayout& layout) {
    const UnitId unit = section_.units[i];
    const UnitRows& rows = rows_.units[i];
    NodeShape shape;
    if (rows.pill()) {
      shape.pill = true;
      shape.pieces.push_back(pill_box(unit, rows.first));
      layout.boxes.push_back(shape.pieces.front());
    } else {
      const auto parts = ranges(rows.rows);
      for (const auto& [first, last] : parts) shape.pieces.push_back(rows_box(unit, first, last));
      for (std::size_t p = 0; p + 1 < parts.size(); ++p) add_stem(unit, parts[p].second, parts[p + 1].first, shape);
      std::ranges::stable_sort(shape.pieces, std::ranges::greater{}, &Rect::height);
      Rect box = shape.pieces.front();
      for (const auto* list : {&shape.pieces, &shape.stems}) {
        for (const Rect& piece : *list) {
          if (same_panel(piece, box)) box = box.united(piece);
        }
      }
      layout.boxes.push_back(box);
    }
    for (const std::size_t row : rows.early) {
      const Rect whole = rows_box(unit, row, row + 1);
      shape.chips.push_back({whole.right() - kChip / 2, whole.y + whole.height / 4, kChip, whole.height / 2});
    }
    layout.shapes.push_back(std::move(shape));
  }

  bool same_panel(const Rect& a, const Rect& b) const {
    const auto panel = [this](const Rect& rect) {
      return std::ranges::upper_bound(panels_, rect.x, {}, &Panel::x) - panels_.begin();
    };
    return panel(a) == panel(b);
  }

  // A stem from the end of row `from` - 1 to the top of row `to`, in each panel that it crosses.
  void add_stem(UnitId unit, std::size_t from, std::size_t to, NodeShape& shape) const {
    constexpr double kWidth = 10;
    for (std::size_t panel = panel_of(from - 1); panel <= panel_of(to); ++panel) {
      const double begin =
          panel == panel_of(from - 1) ? top(from - 1) + kWeaveRow - kMargin : head(panels_[panel].first);
      const double end = panel == panel_of(to) ? top(to) + kMargin : bottom(panels_[panel].last);
      if (end <= begin) continue;
      const double x = unit_x(unit, panel) + (kWeaveBox - kWidth) / 2;
      shape.stems.push_back({x, begin - panel_top(panel), kWidth, end - begin});
    }
  }

  // Edges leave a unit at the bottom of its last piece and enter the next at the top of its first one.
  void add_edges(std::size_t i, FramePlan& plan, FrameLayout& layout) const {
    const UnitId unit = section_.units[i];
    for (const UnitId from : graph_.predecessors(unit)) {
      const auto p = place_of(from);
      if (!p) continue;
      const End start = end_of(*p, true);
      const End goal = end_of(i, false);
      const bool across = columns_.part_of[from.index()] != columns_.part_of[unit.index()];
      const auto add = [&](Curve curve, bool corners) {
        plan.edges.emplace_back(*p, i);
        layout.curves.push_back(std::move(curve));
        layout.corners.push_back(corners);
        layout.across.push_back(across);
      };
      if (start.panel == goal.panel) {
        add(curve(start.at, goal.at), true);
        continue;
      }
      constexpr double kStub = kWeaveRow / 2;
      const auto stub = [](const Point& a, const Point& b) { return Curve{a, a, b, b}; };
      add(stub(start.at, {start.at.x, start.at.y + kStub}), false);
      add(stub({goal.at.x, goal.at.y - kStub}, goal.at), false);
    }
  }

  struct End {
    Point at;
    std::size_t panel = 0;
  };
  End end_of(std::size_t i, bool bottom) const {
    const UnitId unit = section_.units[i];
    const UnitRows& rows = rows_.units[i];
    const std::size_t row = rows.pill() ? rows.first : bottom ? rows.last - 1 : rows.first;
    const Rect box = rows.pill() ? pill_box(unit, row) : rows_box(unit, row, row + 1);
    return {{box.center().x, bottom ? box.bottom() : box.y}, panel_of(row)};
  }

  // Returns a line that leaves the column beside its units, so that it crosses no box of either end's column.
  static Curve curve(const Point& from, const Point& to) {
    const bool straight = std::abs(from.x - to.x) < 1;
    const double rise = to.y - from.y;
    if (rise < kWeaveRow * 0.8 || (straight && rise < kWeaveRow * 1.3)) {
      const double middle = (from.y + to.y) / 2;
      return {from, {from.x, middle}, {to.x, middle}, to};
    }
    const double turn = 12;
    const double side = straight || to.x < from.x ? -kWeaveColumn / 2 : kWeaveColumn / 2;
    const double x = from.x + side;
    const Point a{x, from.y + turn};
    const Point b{x, to.y - turn};
    return {from, {from.x, a.y}, {x, from.y}, a, a, b, b, {x, to.y}, {to.x, b.y}, to};
  }

  std::optional<std::size_t> stage_at(std::size_t row) const {
    std::optional<std::size_t> stage;
    for (const UnitId unit : rows_.own[row]) stage = std::max(stage.value_or(0), stage_of_[unit.index()]);
    return stage;
  }

  // Adds what is behind the units of a panel: rows, bands of stages, borders of parts.
  void add_panel(std::size_t panel, FrameLayout& layout) const {
    const double x = panels_[panel].x;
    std::optional<std::size_t> stage;
    for (std::size_t row = panels_[panel].first; row < panels_[panel].last; ++row) {
      RowBox box;
      const double y = top(row) - panel_top(panel);
      box.box = {x, y, panels_[panel].width, kWeaveRow};
      box.tally = {x + gutter() - tally(), y, tally(), kWeaveRow};
      box.at = rows_.instants[row];
      box.own = by_kernel(*request_.weave.spans, rows_.own[row], box.at);
      box.guests = by_kernel(*request_.weave.spans, rows_.guests[row], box.at);
      box.even = row % 2 == 0;
      if (const auto now = staged() ? stage_at(row) : std::nullopt) {
        box.barrier = row > 0 && stage_at(row - 1) != now;
        if (stage != now) {
          const double above = head(row) - panel_top(panel);
          layout.bands.push_back(
              {{x, above, panels_[panel].width, y + kWeaveRow - above}, {x + 4, y, kStageRoom - 16, kWeaveRow}, *now});
        } else {
          BandBox& band = layout.bands.back();
          band.box.height = y + kWeaveRow - band.box.y;
          band.label.height = y + kWeaveRow - band.label.y;
        }
        stage = now;
      }
      layout.rows.push_back(std::move(box));
    }
    if (section_.parts.size() > 1) {
      for (const std::size_t part : section_.parts) add_part(part, panel, layout);
    }
  }

  void add_part(std::size_t number, std::size_t panel, FrameLayout& layout) const {
    const WeavePart& part = columns_.parts[number];
    std::size_t first = count();
    std::size_t last = 0;
    for (const UnitId unit : part.units) {
      const UnitRows& rows = rows_.units[place_of(unit).value()];
      first = std::min(first, rows.first);
      last = std::max({last, rows.last, std::min(count(), rows.first + 1)});
    }
    const std::size_t from = std::max(first, panels_[panel].first);
    const std::size_t to = std::min(last, panels_[panel].last);
    if (from >= to) return;
    const double x = panels_[panel].x + gutter() + part.left * kWeaveColumn;
    const double y = head(from) - panel_top(panel);
    PartBox shown;
    shown.box = {x + 1, y + 1, part.width * kWeaveColumn - 2, bottom(to) - head(from) - 2};
    shown.title = part.title;
    shown.goes_on = from != first;
    layout.parts.push_back(std::move(shown));
  }

  void add_merged(FrameLayout& layout) const {
    const UnitSpans* spans = request_.weave.spans.get();
    if (spans == nullptr) return;
    for (const std::vector<UnitId>& units : spans->together) {
      MergedBox merged;
      for (const UnitId unit : units) {
        const auto place = place_of(unit);
        if (!place) continue;
        merged.box = merged.box.united(layout.boxes[*place]);
        merged.units.push_back(unit);
      }
      if (merged.units.size() < 2) continue;
      merged.box = merged.box.grown(kMergedFrame);
      layout.merged.push_back(std::move(merged));
    }
  }

  double panel_width() const { return gutter() + section_.columns * kWeaveColumn; }
  double width(std::size_t panels) const {
    return static_cast<double>(panels) * (panel_width() + kPanelGap) - kPanelGap;
  }

  std::vector<Panel> panels(std::size_t number) const {
    const std::vector<std::size_t> at = cuts(number);
    std::vector<Panel> result;
    for (std::size_t p = 0; p < number; ++p) {
      result.push_back({at[p], at[p + 1], static_cast<double>(p) * (panel_width() + kPanelGap), panel_width()});
    }
    return result;
  }

  // Returns the rows at which panels begin, and the number of rows. It cuts near equal heights, where few units and
  // edges cross.
  std::vector<std::size_t> cuts(std::size_t panels) const {
    constexpr double kFreedom = 0.22;  // of a panel's rows
    std::vector<std::size_t> result{0};
    if (panels > 1) {
      const std::vector<std::size_t>& crossings = crossed();
      const double each = static_cast<double>(count()) / static_cast<double>(panels);
      for (std::size_t p = 1; p < panels; ++p) {
        const auto middle = static_cast<std::size_t>(std::lround(each * static_cast<double>(p)));
        const auto around = static_cast<std::size_t>(std::max(1.0, kFreedom * each));
        const std::size_t from = std::max(result.back() + 1, middle - std::min(middle, around));
        const std::size_t to = std::min(count() - (panels - p), middle + around);
        std::size_t best = from;
        const auto far = [middle](std::size_t row) { return row > middle ? row - middle : middle - row; };
        for (std::size_t row = from; row <= to; ++row) {
          if (std::pair(crossings[row], far(row)) < std::pair(crossings[best], far(best))) best = row;
        }
        result.push_back(best);
      }
    }
    result.push_back(count());
    return result;
  }

  // Returns for every row how much crosses its top.
  const std::vector<std::size_t>& crossed() const {
    if (!crossed_.empty()) return crossed_;
    constexpr std::size_t kUnit = 3;  // a unit that is cut is as bad as that many edges
    crossed_.resize(count() + 2, 0);
    for (std::size_t i = 0; i < section_.units.size(); ++i) {
      const UnitRows& rows = rows_.units[i];
      for (std::size_t row = rows.first + 1; row < rows.last; ++row) crossed_[row] += kUnit;
      for (const UnitId from : graph_.predecessors(section_.units[i])) {
        const auto place = place_of(from);
        if (!place) continue;
        for (std::size_t row = rows_.units[*place].last; row <= rows.first; ++row) ++crossed_[row];
      }
    }
    return crossed_;
  }

  const LayoutRequest& request_;
  const Graph& graph_;
  const WeaveColumns& columns_;
  const WeaveSection& section_;
  SectionRows rows_;
  const std::vector<std::size_t>& stage_of_;  // per unit; empty: no barriers
  std::vector<bool> slim_;                    // per row, and below the last: a line of pills is above it
  std::vector<double> tops_;                  // per row, and the end
  std::vector<Panel> panels_;                 // of lay()
  mutable std::vector<std::size_t> crossed_;
};

// Returns the height of panels at which the whole is usually seen largest; fewer panels where that is nearly as good.
double best_height(const std::vector<SectionLayout>& sections, const std::vector<FramePlan>& plans, const Size& room) {
  constexpr double kClearly = 1.01;
  const double most = Camera::kMaxFitZoom / room.height;  // more is not shown larger
  double tallest = 0;
  for (const SectionLayout& section : sections) tallest = std::max(tallest, section.usual_height());
  double best = tallest;
  double largest = 0;
  for (std::size_t panels = 1; panels <= kMostPanels; ++panels) {
    const double height = tallest / static_cast<double>(panels);
    std::vector<Size> sizes;
    for (std::size_t s = 0; s < sections.size(); ++s) {
      sizes.push_back(framed(plans[s], sections[s].usual_size(sections[s].panels_for(height))));
    }
    const double scale = std::min(most, choose_columns(sizes, room.aspect()).scale(room.aspect()));
    if (scale <= kClearly * largest) continue;
    largest = scale;
    best = height;
  }
  return best;
}

// Returns the stage of each unit where the schedule's stages are run; empty where nothing divides the run.
std::vector<std::size_t> stages_of(const LayoutRequest& request) {
  std::vector<std::size_t> result;
  if (request.schedule == nullptr || request.weave.barrier_free) return result;
  result.resize(request.graph->units().size(), 0);
  for (std::size_t s = 0; s < request.schedule->stages.size(); ++s) {
    for (const UnitId unit : request.schedule->stages[s].units()) result[unit.index()] = s;
  }
  return result;
}

}  // namespace

Layout weave_graph(const LayoutRequest& request, const std::stop_token& stop) {
  LayoutRequest known = request;
  if (known.weave.spans == nullptr) {
    known.weave.spans = std::make_shared<const UnitSpans>(request.schedule == nullptr
                                                              ? expected_spans(*request.graph)
                                                              : expected_spans(*request.graph, *request.schedule));
  }
  const UnitSpans& spans = *known.weave.spans;
  const WeaveColumns columns = weave_columns(*request.graph, request.weave.tracks);
  const std::vector<std::size_t> stage_of = stages_of(request);
  const std::vector<Overlap> pairs = at_once(spans, overlaps(spans));
  std::vector<SectionLayout> sections;
  std::vector<FramePlan> plans;
  for (std::size_t s = 0; s < columns.sections.size(); ++s) {
    if (stop.stop_requested()) return {};
    sections.emplace_back(known, columns, s, weave_rows(*request.graph, columns, s, spans, pairs), stage_of);
    plans.push_back(sections.back().plan());
  }
  const auto begins = [&](const FramePlan& plan) { return plan.part == known.expanded; };
  if (std::ranges::none_of(plans, begins)) known.expanded.reset();  // it is in the middle of a section
  const double height = best_height(sections, plans, request.room);
  std::vector<FrameLayout> layouts;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    if (stop.stop_requested()) return {};
    const std::size_t panels = sections[s].panels_for(height);
    plans[s].usual = sections[s].usual_size(panels);
    layouts.push_back(sections[s].lay(panels, plans[s]));
  }
  return arrange(known, plans, layouts);
}

}  // namespace iosx::canvas
