#include "views/recording/recording_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

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

QString time_text(double micros) { return duration_text(Micros(micros)); }

QString shape_text(const auto& shape) {
  QStringList axes;
  for (const auto axis : shape) axes << QString::number(axis);
  return axes.join(QStringLiteral(" × "));
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
    case KernelKind::kHostCopy: return OperatorClass::kInput;
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

QString device_text(const Recording& recording) {
  if (recording.of_processor) return RecordingText::tr("processor");
  if (recording.lanes.empty()) return RecordingText::tr("a device");
  const std::int64_t id = recording.lanes.front().device;
  const auto found = std::ranges::find(recording.devices, id, &RecordedDevice::id);
  if (found == recording.devices.end()) return RecordingText::tr("device %1").arg(id);
  QString name = found->name.empty() ? RecordingText::tr("device %1").arg(id) : shown_name(found->name);
  if (!found->multiprocessors) return name;
  return RecordingText::tr("%1 (%2 multiprocessors)").arg(name).arg(*found->multiprocessors);
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
  return shown_name(short_name(recording.name(recording.kernels[kernel].name)));
}

QStringList path_of(const Recording& recording, std::uint32_t kernel) {
  QStringList path;
  std::size_t count = 0;
  for (std::uint32_t r = recording.kernels[kernel].range; r != kNoIndex && count < kMostRanges; ++count) {
    const QString name = shown_name(short_name(recording.name(recording.ranges[r].name)));
    if (path.isEmpty() || path.front() != name) path.push_front(name);
    r = recording.ranges[r].outer;
  }
  return path;
}

QString box_text(const OpenedRecording& opened, std::uint32_t box) {
  const FoldNode& node = opened.fold.nodes[box];
  const auto name = [&](const FoldNode& one) { return shown_name(short_name(opened.recording.name(one.name))); };
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

QString kernels_text(std::size_t count) {
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
  if (own.launch != kNoIndex && !recording.of_processor) {
    const HostLaunch& launch = recording.launches[own.launch];
    add(RecordingText::tr("Launched"), RecordingText::tr("%1 before it began, by thread %2")
                                           .arg(time_text(own.begin - launch.begin))
                                           .arg(launch.thread + 1));
  } else if (!recording.of_processor) {
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
  add(RecordingText::tr("Share of the device"), percent_text(opened.shares[kernel]));
  add(RecordingText::tr("Path"), path_of(recording, kernel).join(QStringLiteral(" › ")));
  return facts;
}

QString judgement_text(const OpenedRecording& opened) {
  const Message first = judgement(opened.recording, opened.report);
  return first.empty() ? QString() : message_sentence(first) + QLatin1Char('.');
}

QString model_text(const RecordingReport& report) {
  const auto error = report.model_error();
  if (!error) return RecordingText::tr("unknown");
  const QString off = QStringLiteral("%1 %").arg(100 * std::abs(*error), 0, 'f', 1);
  return std::abs(*error) > kReliable ? RecordingText::tr("%1 off: unreliable").arg(off)
                                      : RecordingText::tr("within %1").arg(off);
}

}  // namespace iosx
