#include "views/window/start/network_card.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <algorithm>

#include "core/model/graph/work.h"

namespace iosx {
namespace {

constexpr double kWidestBox = 14;  // pixels
constexpr double kGap = 0.25;      // of a box, between two

// Returns by unit the most units on a path that ends in front of it.
std::vector<std::size_t> depths(const Graph& graph) {
  std::vector<std::size_t> depth(graph.units().size(), 0);
  for (std::size_t u = 0; u < depth.size(); ++u) {  // in topological order
    for (const OperatorId id : graph.unit(UnitId(u)).operators) {
      for (const Value& value : graph.op(id).inputs) {
        const UnitId producer = graph.op(value.producer).unit;
        if (producer.valid() && producer.index() != u) depth[u] = std::max(depth[u], depth[producer.index()] + 1);
      }
    }
  }
  return depth;
}

}  // namespace

NetworkSketch sketch_of(const Graph& graph, std::size_t most_columns) {
  NetworkSketch sketch;
  sketch.units = graph.units().size();
  std::vector<NetworkSketch::Column> levels;
  const std::vector<std::size_t> depth = depths(graph);
  for (std::size_t u = 0; u < depth.size(); ++u) {
    if (levels.size() <= depth[u]) levels.resize(depth[u] + 1);
    levels[depth[u]].push_back(operator_class(graph.op(dominant_operator(graph, UnitId(u))).attributes));
  }
  const std::size_t columns = std::min(levels.size(), std::max<std::size_t>(1, most_columns));
  for (std::size_t c = 0; c < columns; ++c) {
    const auto first = levels.begin() + static_cast<std::ptrdiff_t>(c * levels.size() / columns);
    const auto last = levels.begin() + static_cast<std::ptrdiff_t>((c + 1) * levels.size() / columns);
    const auto widest = std::max_element(first, last, [](const auto& a, const auto& b) { return a.size() < b.size(); });
    sketch.widest = std::max(sketch.widest, widest->size());
    sketch.columns.push_back(std::move(*widest));
  }
  return sketch;
}

void paint_sketch(QPainter& painter, const QRectF& area, const NetworkSketch& sketch, const Theme& theme) {
  if (sketch.columns.empty() || area.isEmpty()) return;
  const double across = area.width() / static_cast<double>(sketch.columns.size());
  const double down = area.height() / static_cast<double>(sketch.widest);
  const double column = std::min(across, kWidestBox);
  const double row = std::min(down, kWidestBox);
  const double left = area.center().x() - column * static_cast<double>(sketch.columns.size()) / 2;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  for (std::size_t c = 0; c < sketch.columns.size(); ++c) {
    const auto& boxes = sketch.columns[c];
    const double top = area.center().y() - row * static_cast<double>(boxes.size()) / 2;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const QRectF box(left + column * (static_cast<double>(c) + kGap / 2),
                       top + row * (static_cast<double>(b) + kGap / 2), column * (1 - kGap), row * (1 - kGap));
      const QColor fill = theme.operatorFill(boxes[b]);
      painter.setBrush(fill);
      // Light colours need an edge on a light ground.
      painter.setPen(QPen(theme.dark ? fill.lighter(130) : fill.darker(150), 0.7));
      const double round = std::min(2.0, std::min(box.width(), box.height()) / 3);
      painter.drawRoundedRect(box, round, round);
    }
  }
  painter.restore();
}

namespace {

constexpr Sentence kRemedy{"create it again with tests/bench/zoo_figures.py"};

}  // namespace

Result<std::vector<ZooFigure>> zoo_figures(std::string_view json) {
  const QJsonDocument document = QJsonDocument::fromJson(QByteArray(json.data(), static_cast<qsizetype>(json.size())));
  const QJsonArray rows = document.object().value(QStringLiteral("figures")).toArray();
  if (rows.isEmpty()) return fail(message("the table of zoo figures has no rows"), "figures", kRemedy);
  std::vector<ZooFigure> figures;
  for (const QJsonValue& value : rows) {
    const QJsonObject row = value.toObject();
    ZooFigure figure{.network = row.value(QStringLiteral("network")).toString().toStdString(),
                     .device = row.value(QStringLiteral("device")).toString().toStdString(),
                     .sequential = Millis(row.value(QStringLiteral("sequential_ms")).toDouble()),
                     .ios = Millis(row.value(QStringLiteral("ios_ms")).toDouble())};
    if (figure.network.empty() || figure.device.empty() || figure.sequential <= Millis(0) || figure.ios <= Millis(0)) {
      return fail(message("a row in the table of zoo figures is incomplete"),
                  "row " + std::to_string(figures.size() + 1), kRemedy);
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

Result<std::vector<ZooFigure>> built_in_zoo_figures() {
  QFile file(QStringLiteral(":/zoo/figures.json"));
  if (!file.open(QIODevice::ReadOnly))
    return fail(message("the table of zoo figures is missing"), "figures.json", kRemedy);
  return zoo_figures(file.readAll().toStdString());
}

const ZooFigure* find(const std::vector<ZooFigure>& figures, std::string_view network, std::string_view device) {
  const auto found = std::ranges::find_if(
      figures, [&](const ZooFigure& each) { return each.network == network && each.device == device; });
  return found == figures.end() ? nullptr : &*found;
}

}  // namespace iosx
