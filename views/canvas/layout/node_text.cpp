#include "views/canvas/layout/node_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/model/graph/networks.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/work.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

std::string utf8(const QString& text) { return text.toStdString(); }

QString repeated(const QString& line, int times) { return Text::tr("%1 times %2").arg(QString::number(times), line); }
QString more(std::size_t hidden) { return Text::tr("and %1 more").arg(hidden); }

constexpr std::size_t kLongestBrief = 24;  // bytes

std::string extent_text(const Extent& extent) { return fmt::format("{}×{}", extent.height, extent.width); }

// Returns " /2", or nothing for the usual stride of 1.
std::string stride_text(const Extent& stride) {
  if (stride == Extent{}) return {};
  if (stride.height == stride.width) return fmt::format(" /{}", stride.height);
  return fmt::format(" /{}", extent_text(stride));
}

bool is_global(const Pool& pool) { return pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage; }

// Returns the text of a convolution, transposed or not.
std::string conv_text(const auto& conv, const std::string& in_channels) {
  std::string text = fmt::format("{} {}{}", kind_name(conv), extent_text(conv.kernel), stride_text(conv.stride));
  if (conv.dilation != Extent{}) text += fmt::format(" dilated {}", conv.dilation.height);
  if (conv.groups == 1) text += fmt::format(" · {}→{}", in_channels, conv.out_channels);
  return text;
}

std::string resize_text(const Resize& resize) {
  const char* mode = resize.mode == ResizeMode::kNearest ? "nearest" : "linear";
  std::vector<std::string> scales;
  for (const float scale : resize.scales) scales.push_back(fmt::format("{:g}", scale));
  return fmt::format("resize {} {}", fmt::join(scales, "×"), mode);
}

// Returns the table's mark, or what the attributes say in as few characters.
std::string brief(const Attributes& attributes) {
  if (const auto* conv = std::get_if<Conv>(&attributes)) return extent_text(conv->kernel);
  if (const auto* conv = std::get_if<ConvTranspose>(&attributes)) return extent_text(conv->kernel) + "ᵀ";
  if (const auto* pool = std::get_if<Pool>(&attributes); pool != nullptr && !is_global(*pool)) {
    return extent_text(pool->kernel);
  }
  if (const auto* activate = std::get_if<Activate>(&attributes)) {
    return std::string(activation_name(activate->function));
  }
  if (const auto* binary = std::get_if<Binary>(&attributes)) return std::string(binary_row(binary->function).mark);
  if (const auto* reduce = std::get_if<Reduce>(&attributes)) return std::string(reduce_name(reduce->kind));
  if (const auto* opaque = std::get_if<Opaque>(&attributes)) return opaque->type;
  return std::string(operator_row(attributes).mark);
}

struct Line {
  const Attributes& attributes;
  std::size_t inputs = 0;
  std::optional<Shape> input;

  std::string name() const { return std::string(kind_name(attributes)); }
  std::string counted() const { return fmt::format("{} of {}", kind_name(attributes), inputs); }
  // Returns a size of what is read, if that is known.
  std::string read(auto size) const { return input ? fmt::format("{}", size(*input)) : "?"; }

  std::string operator()(const OneOf<Conv, ConvTranspose> auto& conv) const {
    return conv_text(conv, read([](const Shape& shape) { return shape.channels(); }));
  }
  std::string operator()(const Pool& pool) const {
    return is_global(pool) ? name()
                           : fmt::format("{} {}{}", name(), extent_text(pool.kernel), stride_text(pool.stride));
  }
  std::string operator()(const Linear& linear) const {
    const auto features = [&](const Shape& shape) { return shape.elements_from(linear.axis); };
    return fmt::format("linear · {}→{}", read(features), linear.out_features);
  }
  std::string operator()(const Concat& concat) const {
    return concat.axis == 0 ? counted() : fmt::format("{} on axis {}", counted(), concat.axis);
  }
  std::string operator()(const OneOf<Add, Mul> auto& /*many*/) const { return counted(); }
  std::string operator()(const Transpose& transpose) const {
    return fmt::format("transpose {}", fmt::join(transpose.axes, " "));
  }
  std::string operator()(const Resize& resize) const { return resize_text(resize); }
  std::string operator()(const Recurrent& recurrent) const {
    const char* const both = recurrent.direction == RecurrentDirection::kBoth ? " both ways" : "";
    return fmt::format("{}{} · {}→{}", name(), both, read([](const Shape& shape) { return shape[2]; }),
                       recurrent.hidden);
  }
  std::string operator()(const TopK& top) const {
    return fmt::format("{} {} on axis {}", top.largest ? "largest" : "smallest", top.k, top.axis);
  }
  std::string operator()(const Softmax& softmax) const { return fmt::format("softmax on axis {}", softmax.axis); }
  std::string operator()(const Gather& gather) const { return fmt::format("{} on axis {}", name(), gather.axis); }
  std::string operator()(const Normalize& normalize) const {
    return fmt::format("{} from axis {}", name(), normalize.axis);
  }
  std::string operator()(const Reduce& reduce) const {
    return fmt::format("{} over axes {}", reduce_name(reduce.kind), fmt::join(reduce.axes, " "));
  }
  std::string operator()(const Opaque& opaque) const { return fmt::format("{}, not executable", opaque.type); }
  // The name says it all.
  std::string otherwise() const { return name(); }
};

// Returns one line an operator; equal neighbours share one ("5 times add of 2").
std::vector<std::string> operator_lines(const Graph& graph, const Unit& unit) {
  std::vector<std::pair<std::string, int>> runs;
  for (const OperatorId id : unit.operators) {
    std::string line = operator_text(graph, graph.op(id));
    if (!runs.empty() && runs.back().first == line) {
      ++runs.back().second;
    } else {
      runs.emplace_back(std::move(line), 1);
    }
  }
  std::vector<std::string> lines;
  for (auto& [line, times] : runs) lines.push_back(times == 1 ? line : utf8(repeated(shown_name(line), times)));
  return lines;
}

}  // namespace

double FontWidths::width(std::string_view utf8) const {
  double sum = 0;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if (byte < 128) {
      sum += ascii[byte];
    } else if ((byte & 0xC0U) == 0xC0U) {  // first byte of a character
      const std::string_view pair = utf8.substr(i, 2);
      // From U+2E80 on, which begins with E2 BA.
      const bool cjk = byte > 0xE2 || (byte == 0xE2 && pair.size() == 2 && static_cast<unsigned char>(pair[1]) >= 0xBA);
      sum += pair == "×" ? times : pair == "·" ? dot : cjk ? wide : other;
    }
  }
  return sum;
}

std::string operator_text(const Attributes& attributes, std::size_t inputs, const std::optional<Shape>& first) {
  return visit_kind(Line{attributes, inputs, first}, attributes);
}

std::string operator_text(const Graph& graph, const Operator& op) {
  const auto first = op.inputs.empty() ? std::nullopt : std::optional(graph.shape(op.inputs.front()));
  return operator_text(op.attributes, op.inputs.size(), first);
}

NodeText node_text(const Graph& graph, UnitId unit, std::string title) {
  const Unit& info = graph.unit(unit);
  NodeText text;
  text.name = std::move(title);
  text.lines = operator_lines(graph, info);
  if (text.lines.size() > kMaxOperatorLines) {
    const std::size_t hidden = text.lines.size() - kMaxOperatorLines + 1;
    text.lines.resize(kMaxOperatorLines - 1);
    text.lines.push_back(utf8(more(hidden)));
  }
  for (const OperatorId id : graph.outputs(unit)) {
    if (!text.shape.empty()) text.shape += ", ";
    const Operator& op = graph.op(id);
    text.shape += op.sized ? shape_text(op.output, "×") : utf8(Text::tr("unknown"));
  }
  text.brief = short_name(brief(graph.op(dominant_operator(graph, unit)).attributes), kLongestBrief);
  return text;
}

namespace {

double box_height(double rows, const TextStyle& style) {
  return std::ceil(style.name.line_height + rows * style.body.line_height + 2 * kBoxPadding - 2);
}

}  // namespace

Size box_size(const NodeText& text, const TextStyle& style) {
  double width = style.name.width(text.name);
  for (const std::string& line : text.lines) width = std::max(width, style.body.width(line));
  width = std::max(width, style.body.width(text.shape)) + 2 * kBoxPadding + kBoxStripe + 2;
  const double rows = static_cast<double>(text.lines.size()) + 1;
  return {std::ceil(std::clamp(width, kMinBoxWidth, kMaxBoxWidth)), box_height(rows, style)};
}

namespace {

constexpr std::string_view kDots = "…";

TextWidth width_in(const FontWidths& widths) {
  return [&widths](std::string_view text) { return widths.width(text); };
}

// Returns the name without "PART." in front, which the frame around the box says already.
std::string without_part(const std::string& name, const std::string& part) {
  const bool prefixed =
      name.size() > part.size() + 1 && name.starts_with(part) && (name[part.size()] == '.' || name[part.size()] == '/');
  return prefixed ? name.substr(part.size() + 1) : name;
}

}  // namespace

std::string short_name(std::string_view name, std::size_t most) {
  if (name.size() <= most) return printable(name);
  return printable(name.substr(0, character_until(name, most / 2))) + std::string(kDots) +
         printable(name.substr(character_from(name, name.size() - most / 2)));
}

std::string shared_prefix(const Graph& graph) {
  if (graph.units().size() < 3) return {};
  std::string_view shared = graph.units().front().name;
  for (const Unit& unit : graph.units()) shared = shared.substr(0, common_length(shared, unit.name));
  const std::size_t joint = shared.find_last_of("/.:");
  return joint == std::string_view::npos ? std::string() : std::string(shared.substr(0, joint + 1));
}

bool has_letter(std::string_view name) {
  return std::ranges::any_of(
      name, [](char c) { return std::string_view("0123456789/._-: ").find(c) == std::string_view::npos; });
}

std::vector<std::string> unit_titles(const Graph& graph, bool of_networks) {
  constexpr std::size_t kShort = 22;  // characters that fit beside a hint
  const std::size_t shared = shared_prefix(graph).size();
  std::vector<std::string> titles;
  for (std::size_t u = 0; u < graph.units().size(); ++u) {
    const Unit& unit = graph.units()[u];
    const std::string inner =
        of_networks ? std::string(own_name(graph, UnitId(u))) : without_part(unit.name, graph.part(unit.part).name);
    const std::string& rest = inner.size() < unit.name.size() - shared ? inner : unit.name.substr(shared);
    const bool hinted = !unit.hint.empty() && unit.hint != unit.name && rest.size() + unit.hint.size() < kShort;
    titles.push_back(printable(has_letter(rest) ? rest : unit.name));
    if (hinted) titles.back() += " " + printable(unit.hint);
  }
  return titles;
}

std::string elide_around(std::string_view text, std::size_t from, std::size_t to, double width,
                         const FontWidths& widths) {
  return iosx::elide_around(text, from, to, width, width_in(widths));
}

std::vector<std::string> fit_names(std::span<const std::string> names, std::span<const double> room,
                                   const FontWidths& widths) {
  return iosx::fit_names(names, room, width_in(widths));
}

std::vector<std::string> fit_family(std::span<const std::string> names, std::span<const double> room,
                                    const FontWidths& widths) {
  return iosx::fit_family(names, room, width_in(widths));
}

}  // namespace iosx::canvas
