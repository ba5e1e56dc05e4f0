#include "views/recording/recording_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

struct RecordingText {
  Q_DECLARE_TR_FUNCTIONS(iosx::RecordingText)
};

constexpr std::size_t kMostRanges = 64;  // around a kernel
constexpr std::size_t kMostBefore = 6;   // of the kernels that it waits for, in words
constexpr std::size_t kMostLanes = 4;    // of a box, in words

QString time_text(double micros) { return duration_text(Micros(micros)); }

QString shape_text(const auto& shape) {
  QStringList axes;
  for (const auto axis : shape) axes << QString::number(axis);
  return axes.join(QStringLiteral(" × "));
}

QString joined(const QStringList& path) { return path.join(QStringLiteral(" › ")); }

// Returns how long at least one of the kernels ran. They are in the order of their begins.
double busy_time(const Recording& recording, const std::vector<std::uint32_t>& kernels) {
  double busy = 0;
  double until = recording.kernels[kernels.front()].begin;
  for (const std::uint32_t i : kernels) {
    const RecordedKernel& kernel = recording.kernels[i];
    busy += std::max(0.0, kernel.end - std::max(until, kernel.begin));
    until = std::max(until, kernel.end);
  }
  return busy;
}

QString lanes_of(const Recording& recording, const std::vector<std::uint32_t>& kernels) {
  std::vector<bool> uses(recording.lanes.size(), false);
  for (const std::uint32_t i : kernels) uses[recording.kernels[i].lane] = true;
  std::vector<std::size_t> lanes;
  for (std::size_t lane = 0; lane < uses.size(); ++lane) {
    if (uses[lane]) lanes.push_back(lane);
  }
  std::ranges::sort(lanes, {}, [&](std::size_t lane) {
    const RecordedLane& own = recording.lanes[lane];
    return std::tuple(own.process, own.stream.size(), own.stream);  // shorter numbers are smaller
  });
  QStringList names;
  for (std::size_t i = 0; i < std::min(lanes.size(), kMostLanes); ++i) names << lane_text(recording, lanes[i]);
  if (lanes.size() > kMostLanes) names << RecordingText::tr("and %1 more").arg(lanes.size() - kMostLanes);
  return names.join(QLatin1Char('\n'));
}

// Returns the names of the ranges that are around all of the kernels, from the outermost on, each once. Without one, as
// where several threads launched them, those of the boxes around the box.
QStringList common_path(const OpenedRecording& opened, std::uint32_t box, const std::vector<std::uint32_t>& kernels) {
  const Recording& recording = opened.recording;
  std::vector<NameId> common;
  std::optional<std::uint32_t> last;  // the range of the kernel before
  for (const std::uint32_t kernel : kernels) {
    const std::uint32_t range = recording.kernels[kernel].range;
    if (last == range) continue;
    std::vector<NameId> names;
    for (std::uint32_t r = range; r != kNoIndex; r = recording.ranges[r].outer)
      names.push_back(recording.ranges[r].name);
    std::ranges::reverse(names);
    if (!last) common = names;
    const auto differs = std::ranges::mismatch(common, names).in1;
    common.erase(differs, common.end());
    last = range;
    if (common.empty()) break;
  }
  if (common.empty()) {
    for (std::uint32_t around = box; around != 0; around = opened.fold.nodes[around].parent) {
      const FoldNode& node = opened.fold.nodes[around];
      const bool ranges =
          node.kind == FoldKind::kStep || node.kind == FoldKind::kAnnotation || node.kind == FoldKind::kOperator;
      if (ranges) common.insert(common.begin(), node.name);
    }
  }
  QStringList path;
  for (const NameId name : common) {
    const QString text = shown_name(recording.short_name(name));
    if (path.isEmpty() || path.back() != text) path << text;
  }
  return path;
}

}  // namespace

QString kernel_kind_text(KernelKind kind) {
  switch (kind) {
    case KernelKind::kOther: return RecordingText::tr("other");
    case KernelKind::kCollective: return RecordingText::tr("collective");
    case KernelKind::kAttention: return RecordingText::tr("attention");
    case KernelKind::kGemm: return RecordingText::tr("matrix product");
    case KernelKind::kConvolution: return RecordingText::tr("convolution");
    case KernelKind::kCopy: return RecordingText::tr("copy on the device");
    case KernelKind::kHostCopy: return RecordingText::tr("copy from or to the host");
    case KernelKind::kMultiTensor: return RecordingText::tr("many tensors at once");
    case KernelKind::kNorm: return RecordingText::tr("normalization or sum");
    case KernelKind::kIndex: return RecordingText::tr("index or gather");
    case KernelKind::kPointwise: return RecordingText::tr("elementwise");
  }
  return {};
}

OperatorClass class_of(KernelKind kind) {
  switch (kind) {
    case KernelKind::kCollective: return OperatorClass::kTransposedConv;
    case KernelKind::kAttention: return OperatorClass::kGroupedConv;
    case KernelKind::kGemm: return OperatorClass::kLinear;
    case KernelKind::kConvolution: return OperatorClass::kConv3x3;
    case KernelKind::kCopy: return OperatorClass::kConcat;
    case KernelKind::kHostCopy: return OperatorClass::kConvLine;  // the colour of inputs is that of concatenations
    case KernelKind::kMultiTensor: return OperatorClass::kConvOther;
    case KernelKind::kNorm: return OperatorClass::kPool;
    case KernelKind::kIndex: return OperatorClass::kDepthwiseConv;
    case KernelKind::kPointwise: return OperatorClass::kActivation;
    case KernelKind::kOther: return OperatorClass::kOpaque;
  }
  return OperatorClass::kOpaque;
}

QString idle_reason_text(IdleReason reason, bool of_processor) {
  if (of_processor) return RecordingText::tr("between operators");
  switch (reason) {
    case IdleReason::kLaunchedLate: return RecordingText::tr("launched late");
    case IdleReason::kHostWait: return RecordingText::tr("host waited");
    case IdleReason::kLatency: return RecordingText::tr("launch latency");
    case IdleReason::kQueued: return RecordingText::tr("queued");
    case IdleReason::kUnknown: return RecordingText::tr("no launch recorded");
  }
  return {};
}

QString idle_reason_meaning(IdleReason reason, bool of_processor) {
  if (of_processor) return RecordingText::tr("No operator computed: the program did something else.");
  switch (reason) {
    case IdleReason::kLaunchedLate:
      return RecordingText::tr("The device had nothing to do, because the host had not launched the next kernel.");
    case IdleReason::kHostWait:
      return RecordingText::tr("The host had waited for the device before it launched the next kernel.");
    case IdleReason::kLatency: return RecordingText::tr("The launch had ended, and the kernel had not yet begun.");
    case IdleReason::kQueued:
      return RecordingText::tr("The next kernel had been launched before the device became idle.");
    case IdleReason::kUnknown:
      return RecordingText::tr("The recording does not say when the next kernel was launched.");
  }
  return {};
}

QString edge_kind_text(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::kData: return RecordingText::tr("data");
    case EdgeKind::kGraph: return RecordingText::tr("CUDA graph");
    case EdgeKind::kEvent: return RecordingText::tr("event");
    case EdgeKind::kHost: return RecordingText::tr("wait of the host");
    case EdgeKind::kComm: return RecordingText::tr("order of collectives");
    case EdgeKind::kInner: return RecordingText::tr("same operator");
    case EdgeKind::kOrder: return RecordingText::tr("order of the stream");
  }
  return {};
}

QString opportunity_kind_text(OpportunityKind kind) {
  switch (kind) {
    case OpportunityKind::kSiblings: return RecordingText::tr("same inputs");
    case OpportunityKind::kBackward: return RecordingText::tr("two gradients of a layer");
    case OpportunityKind::kBeside: return RecordingText::tr("at once on the lanes");
    case OpportunityKind::kAlike: return RecordingText::tr("alike neighbours");
  }
  return {};
}

QString opportunity_kind_meaning(OpportunityKind kind) {
  switch (kind) {
    case OpportunityKind::kSiblings: return RecordingText::tr("The kernels wait for exactly the same kernels.");
    case OpportunityKind::kBackward:
      return RecordingText::tr("The kernels compute the gradients of the input and of the weight of one layer.");
    case OpportunityKind::kBeside: return RecordingText::tr("The kernels run at the same time on the predicted lanes.");
    case OpportunityKind::kAlike:
      return RecordingText::tr("The kernels are direct neighbours on a stream, of one function and size.");
  }
  return {};
}

QString lane_text(const Recording& recording, std::size_t lane) {
  const RecordedLane& own = recording.lanes[lane];
  bool number = false;
  const QString stream = shown_name(own.stream);
  const QString thread = QStringLiteral("thread ");
  if (stream.startsWith(thread)) return RecordingText::tr("Thread %1").arg(stream.mid(thread.size()));
  stream.toLongLong(&number);
  QString text = recording.of_processor && number ? RecordingText::tr("Thread %1").arg(stream)
                 : number                         ? RecordingText::tr("Stream %1").arg(stream)
                                                  : stream;
  const bool processes = std::ranges::any_of(
      recording.lanes, [&](const RecordedLane& other) { return other.process != recording.lanes.front().process; });
  if (processes && !own.process.empty()) text = QStringLiteral("%1, %2").arg(shown_name(own.process), text);
  return text;
}

QString kernel_name(const Recording& recording, std::uint32_t kernel) {
  return shown_name(recording.short_name(recording.kernels[kernel].name));
}

QStringList path_of(const Recording& recording, std::uint32_t kernel) {
  QStringList path;
  std::size_t count = 0;
  for (std::uint32_t r = recording.kernels[kernel].range; r != kNoIndex && count < kMostRanges; ++count) {
    const QString name = shown_name(recording.short_name(recording.ranges[r].name));
    if (path.isEmpty() || path.front() != name) path.push_front(name);
    r = recording.ranges[r].outer;
  }
  return path;
}

QString box_text(const OpenedRecording& opened, std::uint32_t box) {
  const FoldNode& node = opened.fold.nodes[box];
  const auto name = [&](const FoldNode& one) { return shown_name(opened.recording.short_name(one.name)); };
  QString text = name(node);
  if (node.kind == FoldKind::kRepeat) {
    QStringList inside;
    for (const std::uint32_t child : opened.fold.children(box)) inside << name(opened.fold.nodes[child]);
    text = inside.size() > 2 ? RecordingText::tr("%1 … %2").arg(inside.front(), inside.back())
                             : inside.join(QStringLiteral(", "));
  } else if (node.kind == FoldKind::kStretch) {
    text = RecordingText::tr("%1 and %n more", nullptr, static_cast<int>(node.kernels) - 1).arg(text);
  }
  return node.repeats > 1 ? QStringLiteral("%1 × %2").arg(text).arg(node.repeats) : text;
}

QString kernels_text(const Recording& recording, std::size_t count) {
  if (!recording.timed) {
    return count == 1 ? RecordingText::tr("1 operator")
                      : RecordingText::tr("%1 operators").arg(format::count(static_cast<std::int64_t>(count)));
  }
  return count == 1 ? RecordingText::tr("1 kernel")
                    : RecordingText::tr("%1 kernels").arg(format::count(static_cast<std::int64_t>(count)));
}

std::vector<std::pair<QString, QString>> kernel_facts(const OpenedRecording& opened, std::uint32_t kernel) {
  const Recording& recording = opened.recording;
  const RecordedKernel& own = recording.kernels[kernel];
  const double zero = recording.kernels.front().begin;
  std::vector<std::pair<QString, QString>> facts;
  const auto add = [&](const QString& title, const QString& text) {
    if (!text.isEmpty()) facts.emplace_back(title, text);
  };
  add(RecordingText::tr("Kernel"), shown_name(recording.name(own.name)));
  add(RecordingText::tr("Kind"), kernel_kind_text(own.kind));
  add(RecordingText::tr("Lane"), lane_text(recording, own.lane));
  if (recording.timed) {
    add(RecordingText::tr("Begin"), time_text(own.begin - zero));
    add(RecordingText::tr("Duration"), time_text(own.duration()));
  }
  if (!recording.timed || recording.of_processor) {
    // Nothing was launched, or nobody knows when.
  } else if (own.launch != kNoIndex) {
    const HostLaunch& launch = recording.launches[own.launch];
    add(RecordingText::tr("Launched"), RecordingText::tr("%1 before it began, by thread %2")
                                           .arg(time_text(own.begin - launch.begin))
                                           .arg(launch.thread + 1));
  } else {
    add(RecordingText::tr("Launched"), RecordingText::tr("not recorded"));
  }
  if (!opened.on_path.empty()) {
    add(RecordingText::tr("Critical path"),
        opened.on_path[kernel] ? RecordingText::tr("on it") : RecordingText::tr("not on it"));
  }
  QStringList before;
  const std::vector<RecordedEdge> edges = opened.edges_to(kernel);
  for (const RecordedEdge& edge : edges) {
    if (static_cast<std::size_t>(before.size()) == kMostBefore) {
      before << RecordingText::tr("and %1 more").arg(edges.size() - kMostBefore);
      break;
    }
    const QString certainty =
        edge.certainty == EdgeCertainty::kKnown ? RecordingText::tr("known") : RecordingText::tr("assumed");
    before << RecordingText::tr("%1 (%2, %3)")
                  .arg(kernel_name(recording, edge.before), edge_kind_text(edge.kind), certainty);
  }
  add(RecordingText::tr("Waits for"),
      before.isEmpty() ? RecordingText::tr("no kernel") : before.join(QLatin1Char('\n')));
  if (own.has_shape()) {
    add(RecordingText::tr("Grid"), shape_text(own.grid));
    add(RecordingText::tr("Block"), shape_text(own.block));
  }
  if (own.registers > 0) add(RecordingText::tr("Registers"), QString::number(own.registers));
  if (own.shared_bytes > 0) add(RecordingText::tr("Shared memory"), format::bytes(own.shared_bytes));
  if (recording.timed) {
    const QString share = percent_text(opened.shares[kernel]);
    add(RecordingText::tr("Share of the device"), !opened.shares_unknown[kernel] ? share
                                                  : opened.given_share
                                                      ? RecordingText::tr("not known, %1 given").arg(share)
                                                      : RecordingText::tr("not known"));
  }
  add(RecordingText::tr("Path"), joined(path_of(recording, kernel)));
  return facts;
}

std::vector<std::pair<QString, QString>> box_facts(const OpenedRecording& opened, std::uint32_t box) {
  const Recording& recording = opened.recording;
  const std::vector<std::uint32_t> kernels = opened.fold.kernels_of(box);
  std::vector<std::pair<QString, QString>> facts{
      {RecordingText::tr("Box"), box_text(opened, box)},
      {recording.timed ? RecordingText::tr("Kernels") : RecordingText::tr("Operators"),
       format::count(static_cast<std::int64_t>(kernels.size()))}};
  if (recording.timed) {
    facts.emplace_back(RecordingText::tr("Together"), time_text(opened.fold.nodes[box].time));
    facts.emplace_back(RecordingText::tr("Busy"), time_text(busy_time(recording, kernels)));
  }
  facts.emplace_back(recording.of_processor ? RecordingText::tr("Threads") : RecordingText::tr("Streams"),
                     lanes_of(recording, kernels));
  const QString path = joined(common_path(opened, box, kernels));
  if (!path.isEmpty()) facts.emplace_back(RecordingText::tr("Path"), path);
  return facts;
}

QString judgement_text(const OpenedRecording& opened) {
  const Message first = judgement(opened.recording, opened.report);
  return first.empty() ? QString() : message_sentence(first) + QLatin1Char('.');
}

QString untimed_text(const Recording& recording) {
  return recording.execution
             ? RecordingText::tr(
                   "The file says which operators wait for which, but not when they ran. To see times, open the trace "
                   "of the same run together with it.")
             : RecordingText::tr(
                   "The file says which operators wait for which, but not when they ran. To see times, record a run.");
}

QString model_text(const RecordingReport& report) {
  const auto error = report.model_error();
  if (!error) return RecordingText::tr("unknown");
  const QString off = QStringLiteral("%1 %").arg(100 * std::abs(*error), 0, 'f', 1);
  return std::abs(*error) > kReliable ? RecordingText::tr("%1 off: unreliable").arg(off)
                                      : RecordingText::tr("within %1").arg(off);
}

}  // namespace iosx
