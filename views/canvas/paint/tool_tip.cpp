#include "views/canvas/paint/tool_tip.h"

#include "core/model/graph/work.h"
#include "views/canvas/layout/names.h"
#include "views/text/attribute_properties.h"
#include "views/text/format.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

// Names are untrusted: they are plain text, however long or similar to HTML.
QString escaped(const std::string& text) { return qstring(short_name(text)).toHtmlEscaped(); }

// The first line of an operator has it.
bool told_above(const QString& property) {
  return property == Inspector::tr("Kernel") || property == Inspector::tr("Window") ||
         property == Inspector::tr("Stride") || property == Inspector::tr("Function");
}

QString unit_tip(const Model& model, UnitId id) {
  const Graph& graph = *model.graph;
  const Unit& unit = graph.unit(id);
  QStringList lines{"<b>" + escaped(unit.name) + "</b>" + (unit.hint.empty() ? QString() : " " + escaped(unit.hint))};
  for (const OperatorId op_id : unit.operators) {
    const Operator& op = graph.op(op_id);
    QString line = escaped(operator_text(graph, op)) + " → " + format::shape(op.output).toHtmlEscaped();
    for (const Property& property : attribute_properties(op)) {
      if (!told_above(property.name)) line += ", " + (property.name.toLower() + " " + property.value).toHtmlEscaped();
    }
    lines.append(line);
  }
  const Work sum = work(graph, id, 1);
  lines.append(Text::tr("%1, %2 parameters, one sample").arg(format::flops(sum.flops), format::count(sum.parameters)));
  if (const UnitPlace& place = model.places[id.index()]; place.stage) {
    const bool barrier_free = !model.label.launches.empty();
    if (barrier_free && !model.label.launches[id.index()].empty()) {
      lines.append(launch_words(model.label.launches[id.index()]));
    }
    lines.append((barrier_free ? Text::tr("from stage %1, group %2") : Text::tr("stage %1, group %2"))
                     .arg(*place.stage + 1)
                     .arg(place.group + 1));
  }
  return lines.join("<br>");
}

QString port_tip(const Model& model, OperatorId source) {
  const Operator& op = model.graph->op(source);
  const QString shape = format::shape(op.output).toHtmlEscaped();
  if (op.is_constant()) return Text::tr("constant <b>%1</b> of the model, %2").arg(escaped(op.name), shape);
  if (op.is_input()) return Text::tr("input <b>%1</b> of the network, %2").arg(escaped(op.name), shape);
  const Unit& unit = model.graph->unit(op.unit);
  return Text::tr("output of <b>%1</b>, %2, from part %3; click to select it")
      .arg(escaped(unit.name), shape, escaped(model.graph->part(unit.part).name));
}

}  // namespace

QString tool_tip(const Model& model, const Layout& layout, const Hit& hit, const TipExtras& extras) {
  switch (hit.kind) {
    case Hit::Kind::kNode: {
      const NodeBox& node = layout.nodes[hit.index];
      if (!node.unit.valid()) return port_tip(model, node.source);
      QString text = unit_tip(model, node.unit);
      if (extras.overlay != nullptr && extras.overlay->active()) {
        const QString value = extras.overlay->text(node.unit);
        if (!value.isEmpty()) text += "<br>" + (extras.overlay->title() + ": " + value).toHtmlEscaped();
      }
      if (extras.marks != nullptr && node.unit.index() < extras.marks->size()) {
        const UnitMark& mark = (*extras.marks)[node.unit.index()];
        if (mark.change != UnitChange::kSame)
          text += "<br><b>" + change_word(mark.change) + "</b> " + mark.note.toHtmlEscaped();
      }
      return text;
    }
    case Hit::Kind::kGroup: {
      const GroupBox& group = layout.groups[hit.index];
      return (model.label.launches.empty()
                  ? Text::tr("stage %1, group %2: its units run in order on one lane (stream)")
                  : Text::tr("stage %1, group %2, the source of these kernels; they run on the lanes shown"))
          .arg(group.stage + 1)
          .arg(group.group + 1);
    }
    case Hit::Kind::kBand: {
      const QStringList lines = band_lines(model, layout.bands[hit.index].stage);
      QString text = "<b>" + lines.front() + "</b><br>" + lines.mid(1).join("<br>");
      if (extras.gains != nullptr) {
        const QString figure = extras.gains->figure(layout.bands[hit.index].stage);
        if (!figure.isEmpty()) {
          text += "<br>" + Text::tr("%1 ms against %2").arg(figure, extras.gains->baseline()).toHtmlEscaped();
        }
      }
      return text;
    }
    case Hit::Kind::kHeader:
      return "<b>" + escaped(layout.frames[hit.index].title) + "</b><br>" +
             Text::tr("click: select its units; double click: fit it into the canvas");
    case Hit::Kind::kDisclosure:
      return layout.frames[hit.index].collapsed ? Text::tr("show only this part")
                                                : Text::tr("show only this part, or all again");
    case Hit::Kind::kNothing: return {};
  }
  return {};
}

}  // namespace iosx::canvas
