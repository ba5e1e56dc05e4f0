#include "views/text/messages.h"

#include <QCoreApplication>
#include <array>
#include <string>

#include "views/text/qstring.h"

namespace iosx {
namespace {

struct Core {
  Q_DECLARE_TR_FUNCTIONS(iosx::Core)
};

constexpr const char* kContext = "iosx::Core";

// Whole sentences or words of core, for lupdate to find. Tests compare it with core's tables.
[[maybe_unused]] constexpr std::array kTexts{
    // core/model/schedule: schedule kinds
    QT_TRANSLATE_NOOP("iosx::Core", "Sequential"),
    QT_TRANSLATE_NOOP("iosx::Core", "One by one"),
    QT_TRANSLATE_NOOP("iosx::Core", "Greedy"),
    QT_TRANSLATE_NOOP("iosx::Core", "Side by side"),
    QT_TRANSLATE_NOOP("iosx::Core", "IOS-Merge"),
    QT_TRANSLATE_NOOP("iosx::Core", "IOS-Parallel"),
    QT_TRANSLATE_NOOP("iosx::Core", "IOS-Both"),
    QT_TRANSLATE_NOOP("iosx::Core", "List"),
    QT_TRANSLATE_NOOP("iosx::Core", "IOS-Flow"),
    QT_TRANSLATE_NOOP("iosx::Core", "From a file"),
    QT_TRANSLATE_NOOP("iosx::Core", "By hand"),
    QT_TRANSLATE_NOOP("iosx::Core", "both"),
    QT_TRANSLATE_NOOP("iosx::Core", "parallel"),
    QT_TRANSLATE_NOOP("iosx::Core", "merge"),
    // core/search: words of options
    QT_TRANSLATE_NOOP("iosx::Core", "connected"),
    QT_TRANSLATE_NOOP("iosx::Core", "single-root"),
    QT_TRANSLATE_NOOP("iosx::Core", "automatic"),
    QT_TRANSLATE_NOOP("iosx::Core", "exhaustive"),
    QT_TRANSLATE_NOOP("iosx::Core", "lazy"),
    // core/model/graph: classes of operators
    QT_TRANSLATE_NOOP("iosx::Core", "convolution 1×1"),
    QT_TRANSLATE_NOOP("iosx::Core", "convolution 3×3"),
    QT_TRANSLATE_NOOP("iosx::Core", "convolution n×1 or 1×n"),
    QT_TRANSLATE_NOOP("iosx::Core", "convolution, other kernel"),
    QT_TRANSLATE_NOOP("iosx::Core", "depthwise convolution"),
    QT_TRANSLATE_NOOP("iosx::Core", "grouped convolution"),
    QT_TRANSLATE_NOOP("iosx::Core", "transposed convolution"),
    QT_TRANSLATE_NOOP("iosx::Core", "pooling"),
    QT_TRANSLATE_NOOP("iosx::Core", "linear"),
    QT_TRANSLATE_NOOP("iosx::Core", "concat, copy"),
    QT_TRANSLATE_NOOP("iosx::Core", "arithmetic"),
    QT_TRANSLATE_NOOP("iosx::Core", "activation"),
    QT_TRANSLATE_NOOP("iosx::Core", "input"),
    QT_TRANSLATE_NOOP("iosx::Core", "not executable"),
    // core/model/edit: templates
    QT_TRANSLATE_NOOP("iosx::Core", "Inception branches"),
    QT_TRANSLATE_NOOP("iosx::Core", "1×1, 5×5, two 3×3 and pooling in parallel, concatenated"),
    QT_TRANSLATE_NOOP("iosx::Core", "a feature map"),
    QT_TRANSLATE_NOOP("iosx::Core", "Inception branch 1×7, 7×1"),
    QT_TRANSLATE_NOOP("iosx::Core", "A 7×7 convolution as 1×7 and 7×1"),
    QT_TRANSLATE_NOOP("iosx::Core", "NASNet separable unit"),
    QT_TRANSLATE_NOOP("iosx::Core", "relu, depthwise and pointwise convolution, twice, in one unit"),
    QT_TRANSLATE_NOOP("iosx::Core", "a feature map of 64 channels"),
    QT_TRANSLATE_NOOP("iosx::Core", "Residual"),
    QT_TRANSLATE_NOOP("iosx::Core", "Two 3×3 convolutions and a shortcut around them"),
    QT_TRANSLATE_NOOP("iosx::Core", "Squeeze-expand"),
    QT_TRANSLATE_NOOP("iosx::Core", "A 1×1 convolution, read by 1×1 and 3×3 ones, concatenated"),
    QT_TRANSLATE_NOOP("iosx::Core", "Squeeze-and-excitation"),
    QT_TRANSLATE_NOOP("iosx::Core", "Channels scaled by weights from their means"),
    QT_TRANSLATE_NOOP("iosx::Core", "Attention heads"),
    QT_TRANSLATE_NOOP("iosx::Core", "Four heads in parallel"),
    QT_TRANSLATE_NOOP("iosx::Core", "tokens × 64 features"),
    QT_TRANSLATE_NOOP("iosx::Core", "Mixture of experts"),
    QT_TRANSLATE_NOOP("iosx::Core", "Four experts in parallel, weighted by a gate"),
    // core/analysis/sweep: what is varied, and why a value has no latencies
    QT_TRANSLATE_NOOP("iosx::Core", "Batch size"),
    QT_TRANSLATE_NOOP("iosx::Core", "batch size (samples)"),
    QT_TRANSLATE_NOOP("iosx::Core", "Device"),
    QT_TRANSLATE_NOOP("iosx::Core", "device"),
    QT_TRANSLATE_NOOP("iosx::Core", "Units per group (r)"),
    QT_TRANSLATE_NOOP("iosx::Core", "r, maximum units per group"),
    QT_TRANSLATE_NOOP("iosx::Core", "Groups per stage (s)"),
    QT_TRANSLATE_NOOP("iosx::Core", "s, maximum groups per stage"),
    QT_TRANSLATE_NOOP("iosx::Core", "Streams"),
    QT_TRANSLATE_NOOP("iosx::Core", "streams (s and greedy)"),
    QT_TRANSLATE_NOOP("iosx::Core", "Input size"),
    QT_TRANSLATE_NOOP("iosx::Core", "input height (pixels; text: tokens)"),
    QT_TRANSLATE_NOOP("iosx::Core", "Output channels"),
    QT_TRANSLATE_NOOP("iosx::Core", "output channels"),
    QT_TRANSLATE_NOOP("iosx::Core", "Kernel size"),
    QT_TRANSLATE_NOOP("iosx::Core", "kernel size (pixels)"),
    QT_TRANSLATE_NOOP("iosx::Core", "unlimited"),
    QT_TRANSLATE_NOOP("iosx::Core", "not measured yet"),
    // core/analysis/experiment: what there is, what is varied, what is found out
    QT_TRANSLATE_NOOP("iosx::Core", "Schedules"),
    QT_TRANSLATE_NOOP("iosx::Core", "Latency of sequential, greedy, IOS and barrier-free schedules"),
    QT_TRANSLATE_NOOP("iosx::Core", "Pruning"),
    QT_TRANSLATE_NOOP("iosx::Core", "Search effort that smaller r and s save, and latency they add"),
    QT_TRANSLATE_NOOP("iosx::Core", "Batch sizes"),
    QT_TRANSLATE_NOOP("iosx::Core", "A schedule found for one batch size, run with another"),
    QT_TRANSLATE_NOOP("iosx::Core", "Devices"),
    QT_TRANSLATE_NOOP("iosx::Core", "A schedule found on one device, run on another"),
    QT_TRANSLATE_NOOP("iosx::Core", "Throughput"),
    QT_TRANSLATE_NOOP("iosx::Core", "Samples per second by batch size"),
    QT_TRANSLATE_NOOP("iosx::Core", "Utilization"),
    QT_TRANSLATE_NOOP("iosx::Core", "Device utilization over time: sequential and IOS-Both"),
    QT_TRANSLATE_NOOP("iosx::Core", "Search cost"),
    QT_TRANSLATE_NOOP("iosx::Core", "Lazy compared with exhaustive search: what it saves and loses"),
    QT_TRANSLATE_NOOP("iosx::Core", "Memory"),
    QT_TRANSLATE_NOOP("iosx::Core", "Latency over tensor memory: lanes under memory limits"),
    QT_TRANSLATE_NOOP("iosx::Core", "Frameworks"),
    QT_TRANSLATE_NOOP("iosx::Core",
                      "Our schedules and other inference engines with the same network, weights, input and threads"),
    QT_TRANSLATE_NOOP("iosx::Core", "engine"),
    QT_TRANSLATE_NOOP("iosx::Core", "times ours"),
    QT_TRANSLATE_NOOP("iosx::Core", "output error"),
    QT_TRANSLATE_NOOP("iosx::Core", "preparation"),
    QT_TRANSLATE_NOOP("iosx::Core", "ppm"),
    QT_TRANSLATE_NOOP("iosx::Core", "found for batch"),
    QT_TRANSLATE_NOOP("iosx::Core", "run at batch"),
    QT_TRANSLATE_NOOP("iosx::Core", "found on"),
    QT_TRANSLATE_NOOP("iosx::Core", "run on"),
    QT_TRANSLATE_NOOP("iosx::Core", "schedule"),
    QT_TRANSLATE_NOOP("iosx::Core", "ending rule"),
    QT_TRANSLATE_NOOP("iosx::Core", "search"),
    QT_TRANSLATE_NOOP("iosx::Core", "batch"),
    QT_TRANSLATE_NOOP("iosx::Core", "latency"),
    QT_TRANSLATE_NOOP("iosx::Core", "loss"),
    QT_TRANSLATE_NOOP("iosx::Core", "stages needed"),
    QT_TRANSLATE_NOOP("iosx::Core", "stages measured"),
    QT_TRANSLATE_NOOP("iosx::Core", "transitions"),
    QT_TRANSLATE_NOOP("iosx::Core", "speed-up"),
    QT_TRANSLATE_NOOP("iosx::Core", "95 % from"),
    QT_TRANSLATE_NOOP("iosx::Core", "to"),
    QT_TRANSLATE_NOOP("iosx::Core", "stages"),
    QT_TRANSLATE_NOOP("iosx::Core", "share"),
    QT_TRANSLATE_NOOP("iosx::Core", "measured"),
    QT_TRANSLATE_NOOP("iosx::Core", "certified gap"),
    QT_TRANSLATE_NOOP("iosx::Core", "estimated gap"),
    QT_TRANSLATE_NOOP("iosx::Core", "throughput"),
    QT_TRANSLATE_NOOP("iosx::Core", "mean of active warps"),
    QT_TRANSLATE_NOOP("iosx::Core", "mean of busy cores"),
    QT_TRANSLATE_NOOP("iosx::Core", "mean of kernels in flight"),
    QT_TRANSLATE_NOOP("iosx::Core", "share of device capacity"),
    QT_TRANSLATE_NOOP("iosx::Core", "against sequential"),
    QT_TRANSLATE_NOOP("iosx::Core", "planned peak"),
    QT_TRANSLATE_NOOP("iosx::Core", "lanes"),
    // core/tables: units
    QT_TRANSLATE_NOOP("iosx::Core", "ms/sample"),
    QT_TRANSLATE_NOOP("iosx::Core", "mean"),
    // core/devices, core/devices/cpu and gpu: counters of a trace, and their units
    QT_TRANSLATE_NOOP("iosx::Core", "active warps"),
    QT_TRANSLATE_NOOP("iosx::Core", "busy cores"),
    QT_TRANSLATE_NOOP("iosx::Core", "kernels in flight"),
    QT_TRANSLATE_NOOP("iosx::Core", "warps"),
    QT_TRANSLATE_NOOP("iosx::Core", "cores"),
    QT_TRANSLATE_NOOP("iosx::Core", "kernels"),
    QT_TRANSLATE_NOOP("iosx::Core", "simulated"),
    // core/documents/exports: titles and summaries
    QT_TRANSLATE_NOOP("iosx::Core", "IOS Explorer schedule"),
    QT_TRANSLATE_NOOP("iosx::Core", "Write the schedule as JSON that IOS Explorer reads"),
    QT_TRANSLATE_NOOP("iosx::Core", "original IOS JSON"),
    QT_TRANSLATE_NOOP("iosx::Core", "Write the graph and the schedule as JSON that the original IOS program reads"),
    QT_TRANSLATE_NOOP("iosx::Core", "stage table"),
    QT_TRANSLATE_NOOP("iosx::Core", "Write the schedule as a table, one line for each step or launch"),
    QT_TRANSLATE_NOOP("iosx::Core", "ONNX model"),
    QT_TRANSLATE_NOOP("iosx::Core", "Write the network with its weights as an ONNX model"),
    QT_TRANSLATE_NOOP("iosx::Core", "scheduled ONNX model"),
    QT_TRANSLATE_NOOP("iosx::Core",
                      "Write the network as the schedule runs it: merged layers as one, nodes in launch order, the "
                      "schedule in its metadata"),
    QT_TRANSLATE_NOOP("iosx::Core", "PyTorch package"),
    QT_TRANSLATE_NOOP(
        "iosx::Core",
        "Write the network and the schedule as a Python package that runs the schedule in PyTorch, on CUDA streams"),
    QT_TRANSLATE_NOOP("iosx::Core", "Chrome trace"),
    QT_TRANSLATE_NOOP("iosx::Core", "Write all timelines of the run for Perfetto or chrome://tracing"),
    QT_TRANSLATE_NOOP("iosx::Core", "HTML report"),
    QT_TRANSLATE_NOOP("iosx::Core", "Write the run as one interactive page that any browser opens"),
    QT_TRANSLATE_NOOP("iosx::Core", "run file"),
    QT_TRANSLATE_NOOP("iosx::Core", "Write the run to one file that IOS Explorer opens here or elsewhere"),
    // models/networks: groups of the zoo
    QT_TRANSLATE_NOOP("iosx::Core", "Networks of the IOS paper"),
    QT_TRANSLATE_NOOP("iosx::Core", "Classification"),
    QT_TRANSLATE_NOOP("iosx::Core", "Detection and segmentation"),
    QT_TRANSLATE_NOOP("iosx::Core", "Transformers"),
    // and its networks: titles that are more than a name, and summaries
    QT_TRANSLATE_NOOP("iosx::Core", "IOS sample network"),
    QT_TRANSLATE_NOOP("iosx::Core", "SqueezeNet 1.0 with complex bypass"),
    QT_TRANSLATE_NOOP("iosx::Core", "RandWire with 320 nodes"),
    QT_TRANSLATE_NOOP("iosx::Core", "ViT-S/16 with parallel heads"),
    QT_TRANSLATE_NOOP("iosx::Core", "BERT-Base encoder"),
    QT_TRANSLATE_NOOP("iosx::Core", "Mixture of 8 experts"),
    QT_TRANSLATE_NOOP("iosx::Core", "Ding et al. 2021, figure 2: four convolutions, 375x15x15"),
    QT_TRANSLATE_NOOP("iosx::Core", "Szegedy et al. 2016, without the classifier, 3x299x299"),
    QT_TRANSLATE_NOOP("iosx::Core", "Zoph et al. 2018, 6@4032, as benchmarked by IOS, 3x331x331"),
    QT_TRANSLATE_NOOP("iosx::Core", "Xie et al. 2019, Watts-Strogatz(32, 4, 0.75), 3x224x224"),
    QT_TRANSLATE_NOOP("iosx::Core", "Krizhevsky 2014, one column, 3x224x224"),
    QT_TRANSLATE_NOOP("iosx::Core", "He et al. 2016, stride in the 3x3 convolutions, 3x224x224"),
    QT_TRANSLATE_NOOP("iosx::Core", "Szegedy et al. 2015, without auxiliary classifiers, 3x224x224"),
    QT_TRANSLATE_NOOP("iosx::Core", "Szegedy et al. 2017, without auxiliary classifier, 3x299x299"),
    QT_TRANSLATE_NOOP("iosx::Core", "Wang et al. 2020, for classification, 3x224x224"),
    QT_TRANSLATE_NOOP("iosx::Core", "as RandWire, Watts-Strogatz(320, 20, 0.75), channels / √10, 3x224x224"),
    QT_TRANSLATE_NOOP("iosx::Core", "Ge et al. 2021, outputs not decoded, 3x640x640"),
    QT_TRANSLATE_NOOP("iosx::Core", "Tan et al. 2020, outputs not decoded, 3x512x512"),
    QT_TRANSLATE_NOOP("iosx::Core", "Ronneberger et al. 2015, unpadded, 1x572x572"),
    QT_TRANSLATE_NOOP("iosx::Core", "Dosovitskiy et al. 2021, 12 blocks, 3x224x224"),
    QT_TRANSLATE_NOOP("iosx::Core", "Touvron et al. 2021; blocks as in ViT-22B, each head a branch, 3x224x224"),
    QT_TRANSLATE_NOOP("iosx::Core", "Devlin et al. 2019, 12 layers on embedded tokens, 128x768"),
    QT_TRANSLATE_NOOP("iosx::Core", "Fedus et al. 2022, a layer of Switch-Base, every expert computed, 128x768"),
};

// Returns whether the text begins with a user's name for something.
bool begins_with_name(const Message& message) {
  if (message.is_verbatim()) return true;
  const QString pattern = QCoreApplication::translate(kContext, message.pattern().c_str());
  const std::vector<PatternPiece> pieces = pieces_of(pattern.toStdString());
  if (pieces.empty() || !pieces.front().hole) return false;
  return *pieces.front().hole < message.arguments().size() &&
         begins_with_name(message.arguments()[*pieces.front().hole]);
}

}  // namespace

QString core_words(std::string_view text) {
  const std::string key(text);
  const QString words = QCoreApplication::translate(kContext, key.c_str());
  return words == qstring(text) ? shown_name(text) : words;
}

QString message_text(const Message& message) {
  if (message.is_verbatim()) return shown_name(message.pattern());
  const QString pattern = QCoreApplication::translate(kContext, message.pattern().c_str());
  QString text;
  for (const PatternPiece& piece : pieces_of(pattern.toStdString())) {
    if (!piece.hole) {
      text += qstring(piece.text);
    } else if (*piece.hole < message.arguments().size()) {
      text += message_text(message.arguments()[*piece.hole]);
    }
  }
  return text;
}

QString message_sentence(const Message& message) {
  const QString text = message_text(message);
  return begins_with_name(message) ? text : text.left(1).toUpper() + text.mid(1);
}

QString device_summary(const DeviceInfo& device) {
  const QString summary = QString::fromStdString(device.summary);
  return device.grade.empty() ? summary : QStringLiteral("%1; %2").arg(summary, message_text(device.grade));
}

QString error_text(const Error& error) { return message_text(error.line()); }

QString rough_time_words(Seconds time) {
  const RoughTime rough = rough_time(time);
  if (rough.hours > 0 && rough.minutes > 0) return Core::tr("about %1 h %2 min").arg(rough.hours).arg(rough.minutes);
  if (rough.hours > 0) return Core::tr("about %1 h").arg(rough.hours);
  if (rough.minutes > 0) return Core::tr("about %1 min").arg(rough.minutes);
  if (rough.seconds > 0) return Core::tr("about %1 s").arg(rough.seconds);
  return Core::tr("a few seconds");
}

}  // namespace iosx
