#include "views/canvas/layout/frame_plan.h"

#include <algorithm>
#include <unordered_map>

#include "core/model/graph/partition.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

// Fills one frame: boxes for its units, ports for outside inputs, edges between them.
class FrameBuilder {
 public:
  FrameBuilder(const Graph& graph, const TextStyle& style, const std::vector<std::string>& titles)
      : graph_(graph), style_(style), titles_(titles) {}

  std::size_t add_unit(UnitId unit) {
    const std::size_t node = frame_.nodes.size();
    frame_.nodes.push_back(
        {box_size(node_text(graph_, unit, titles_[unit.index()]), style_), unit, graph_.unit(unit).output()});
    for (const OperatorId id : graph_.unit(unit).operators) node_of_.emplace(id, node);
    return node;
  }

  void connect() {
    const std::size_t units = frame_.nodes.size();
    for (std::size_t node = 0; node < units; ++node) connect_inputs(node);
    std::sort(frame_.edges.begin(), frame_.edges.end());
    frame_.edges.erase(std::unique(frame_.edges.begin(), frame_.edges.end()), frame_.edges.end());
    if (frame_.nodes.size() == units) return;
    PlanLayer ports;
    for (std::size_t port = units; port < frame_.nodes.size(); ++port) ports.columns.push_back({{{port}}});
    frame_.layers.insert(frame_.layers.begin(), std::move(ports));
  }

  // Makes layers by the longest path from a source, ports first.
  void rank() {
    std::vector<std::size_t> rank(frame_.nodes.size(), 0);
    std::vector<std::vector<std::size_t>> readers(frame_.nodes.size());
    for (const auto& [from, to] : frame_.edges) readers[from].push_back(to);
    const auto relax = [&](std::size_t node) {
      for (const std::size_t reader : readers[node]) rank[reader] = std::max(rank[reader], rank[node] + 1);
    };
    const std::size_t units = frame_.unit_count();
    for (std::size_t port = units; port < frame_.nodes.size(); ++port) relax(port);
    for (std::size_t node = 0; node < units; ++node) relax(node);  // units are in topological order
    frame_.layers.clear();
    for (std::size_t node = 0; node < frame_.nodes.size(); ++node) {
      if (frame_.layers.size() <= rank[node]) frame_.layers.resize(rank[node] + 1);
      frame_.layers[rank[node]].columns.push_back({{{node}}});
    }
  }

  FramePlan& frame() { return frame_; }

 private:
  void connect_inputs(std::size_t node) {
    for (const OperatorId id : graph_.unit(frame_.nodes[node].unit).operators) {
      for (const Value& value : graph_.op(id).inputs) {
        const Operator& producer = graph_.op(value.producer);
        if (producer.unit.valid() && producer.unit == frame_.nodes[node].unit) continue;
        const auto [place, made] = node_of_.try_emplace(value.producer, frame_.nodes.size());
        if (made) frame_.nodes.push_back({port_size(graph_, value.producer, style_), UnitId{}, value.producer});
        frame_.edges.emplace_back(place->second, node);
      }
    }
  }

  const Graph& graph_;
  const TextStyle& style_;
  const std::vector<std::string>& titles_;  // a unit
  FramePlan frame_;
  std::unordered_map<OperatorId, std::size_t> node_of_;  // tensor → box or port that it comes from
};

FramePlan plain_frame(FrameBuilder builder, const Part& part, PartId id) {
  for (const UnitId unit : part.units) builder.add_unit(unit);
  builder.connect();
  builder.rank();
  builder.frame().part = id;
  builder.frame().title = part.name;
  return std::move(builder.frame());
}

FramePlan staged_frame(FrameBuilder builder, const TextStyle& style, const Schedule& schedule, std::size_t first,
                       std::size_t last) {
  for (std::size_t s = first; s < last; ++s) {
    PlanLayer layer;
    layer.stage = s;
    for (const Group& group : schedule.stages[s].groups) {
      PlanColumn column;
      for (const Step& step : group.steps) {
        auto& row = column.rows.emplace_back();
        for (const UnitId unit : step.units) row.push_back(builder.add_unit(unit));
      }
      layer.columns.push_back(std::move(column));
    }
    builder.frame().layers.push_back(std::move(layer));
  }
  builder.connect();
  builder.frame().staged = true;
  // A stage's label says at most one of these, with numbers of usual length.
  for (const QString& line : {Text::tr("concurrent · %1 groups").arg(10), Text::tr("one group · %1 units").arg(10),
                              Text::tr("%1 ms %2").arg(QStringLiteral("0.000"), Text::tr("simulated"))}) {
    builder.frame().label_width = std::max(builder.frame().label_width, style.body.width(line.toStdString()) + 4);
  }
  return std::move(builder.frame());
}

// Returns the title of the n-th frame of a part, which is not its first.
QString title_going_on(const std::string& part, std::size_t number, std::size_t all) {
  const QString name = shown_name(part);
  if (all == 2) return Text::tr("%1, continued").arg(name);
  return Text::tr("%1 (%2 of %3)", "a part that is left and entered again").arg(name).arg(number).arg(all);
}

// The graph's own parts: runs of units of all networks.
std::vector<Part> mixed_parts(const Graph& graph) {
  return graph.parts().size() > 1 ? std::vector<Part>(graph.parts().begin(), graph.parts().end()) : partition(graph);
}

}  // namespace

bool frames_of_networks(const Graph& graph, const Schedule* schedule) {
  if (graph.networks().size() < 2) return false;
  return schedule == nullptr || std::ranges::all_of(schedule->stages, [&](const Stage& stage) {
           const std::vector<UnitId> units = stage.units();
           return std::ranges::all_of(units,
                                      [&](UnitId id) { return graph.network(id) == graph.network(units.front()); });
         });
}

std::size_t FramePlan::unit_count() const {
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [](const PlanNode& node) { return node.unit.valid(); }));
}

FramePlan lowered(FramePlan plan, const TextStyle& style) {
  plan.low = true;
  for (PlanNode& node : plan.nodes) {
    if (node.unit.valid()) node.size.height = std::min(node.size.height, low_box_height(style));
  }
  return plan;
}

std::vector<FramePlan> plan_frames(const Graph& graph, const Schedule* schedule, const TextStyle& style) {
  const bool of_networks = frames_of_networks(graph, schedule);
  const std::vector<Part> parts = of_networks || graph.networks().size() < 2 ? shown_parts(graph) : mixed_parts(graph);
  const std::vector<std::string> titles = unit_titles(graph, of_networks);
  std::vector<FramePlan> frames;
  if (schedule == nullptr) {
    for (std::size_t p = 0; p < parts.size(); ++p)
      frames.push_back(plain_frame({graph, style, titles}, parts[p], PartId(p)));
    return frames;
  }
  std::vector<std::size_t> part_of(graph.units().size(), 0);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const UnitId unit : parts[p].units) part_of[unit.index()] = p;
  }
  const auto part_at = [&](std::size_t s) { return part_of[schedule->stages[s].units().front().index()]; };
  std::vector<std::size_t> all(parts.size(), 0);  // frames of each part
  for (std::size_t s = 0; s < schedule->stages.size(); ++s) {
    if (s == 0 || part_at(s) != part_at(s - 1)) ++all[part_at(s)];
  }
  std::vector<std::size_t> seen(parts.size(), 0);
  for (std::size_t first = 0; first < schedule->stages.size();) {
    const std::size_t part = part_at(first);
    std::size_t last = first + 1;
    while (last < schedule->stages.size() && part_at(last) == part) ++last;
    frames.push_back(staged_frame({graph, style, titles}, style, *schedule, first, last));
    frames.back().part = PartId(part);
    frames.back().goes_on = seen[part]++ > 0;
    frames.back().title = frames.back().goes_on ? title_going_on(parts[part].name, seen[part], all[part]).toStdString()
                                                : parts[part].name;
    first = last;
  }
  return frames;
}

}  // namespace iosx::canvas
