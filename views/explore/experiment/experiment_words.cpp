#include "views/explore/experiment/experiment_words.h"

#include <algorithm>

#include "core/analysis/experiment/report.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

QString seconds_words() { return Text::tr("Search times are given only for searches without earlier measurements."); }

QString best_words(const ExperimentResult& result) {
  if (result.kind == ExperimentKind::kMemory) return Text::tr("★ no schedule is as fast with less memory");
  const bool rows = result.kind == ExperimentKind::kThroughput;
  if (result.measured()) {
    if (!result.matrix()) return Text::tr("★ best, or as good within the noise");
    return rows ? Text::tr("★ best of its row, or as good within the noise")
                : Text::tr("★ best of its column, or as good within the noise");
  }
  if (!result.matrix()) return Text::tr("★ best");
  return rows ? Text::tr("★ best of its row") : Text::tr("★ best of its column");
}

}  // namespace

QString experiment_title(const ExperimentResult& result) {
  QStringList words{shown_name(result.network)};
  for (const DeviceInfo& device : result.devices) {
    words << Text::tr("%1 %2", "origin, device").arg(origin_text(device.origin), shown_name(device.name));
  }
  if (result.batch) words << Text::tr("batch %1").arg(*result.batch);
  return Text::tr("%1: %2").arg(core_words(row_of(result.kind).title), words.join(Text::tr(", ")));
}

QString explanation_words(const ExperimentResult& result) {
  switch (result.kind) {
    case ExperimentKind::kSchedules:
      return Text::tr("Speed-up is relative to sequential. Searches share their measurements. %1").arg(seconds_words());
    case ExperimentKind::kPruning:
      return (result.method == SearchMethod::kLazy
                  ? Text::tr("Every search is a separate lazy search of IOS-Both: at most r units per group and s "
                             "groups per stage, 0 = unlimited. %1")
                  : Text::tr("Every search is a separate exhaustive search of IOS-Both: at most r units per group and "
                             "s groups per stage, 0 = unlimited. %1"))
          .arg(seconds_words());
    case ExperimentKind::kBatches:
      return Text::tr(
          "Rows: batch of the search; columns: batch of the run. Latency [ms], and loss against the column's own "
          "schedule.");
    case ExperimentKind::kDevices:
      return Text::tr(
          "Rows: device of the search; columns: device of the run. Latency [ms], and loss against the column's own "
          "schedule.");
    case ExperimentKind::kThroughput: return Text::tr("Samples per second, by batch size.");
    case ExperimentKind::kUtilization: return Text::tr("Means are over the whole run.");
    case ExperimentKind::kMemory:
      return Text::tr(
          "The kernels of a schedule with stages, on lanes under memory limits; without lanes: the schedule itself. "
          "The planned peak is the maximum memory of all tensors at one time, with inputs and outputs, without "
          "weights; it is not measured.");
    case ExperimentKind::kFrameworks:
      return Text::tr(
          "Latency of one inference; times ours: relative to our fastest schedule, so above 1 an engine is slower. All "
          "engines get the same model, weights, input and number of threads, and run in turn while the others stand "
          "still. Engines whose outputs differ from ours are not timed.");
    case ExperimentKind::kSearch: break;
  }
  return Text::tr(
             "Loss: stage sum relative to exhaustive search; gap: possible loss that the search itself reports. %1")
      .arg(seconds_words());
}

QString marks_words(const ExperimentResult& result) {
  QStringList words;
  if (std::ranges::any_of(result.trials, &Trial::best)) words << best_words(result);
  if (std::ranges::any_of(result.trials, &Trial::within_noise)) {
    words << Text::tr("≈ difference within the noise");
  }
  return words.join(QStringLiteral("     "));
}

QString engines_words(const ExperimentResult& result) {
  QStringList lines;
  for (const EngineTrial& engine : result.engines) {
    QStringList what{qstring(engine.info.title)};
    for (const auto& [package, version] : engine.info.versions) {
      what << QStringLiteral("%1 %2").arg(qstring(package), qstring(version));
    }
    const QString more = engine.problem.empty() ? qstring(engine.settings) : message_text(engine.problem);
    const QString who = what.join(Text::tr(", "));
    lines << (more.isEmpty() ? who : Text::tr("%1: %2").arg(who, more));
  }
  return lines.join(QLatin1Char('\n'));
}

QString level_words(const ExperimentResult& result, const std::string& level) {
  const auto device = std::ranges::find(result.devices, level, &DeviceInfo::id);
  const bool names_device = result.kind == ExperimentKind::kDevices && device != result.devices.end();
  const QString words = core_words(level);
  return names_device ? Text::tr("%1 (%2)", "device, origin").arg(words, origin_text(device->origin)) : words;
}

}  // namespace iosx
