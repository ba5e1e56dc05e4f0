#include "views/explore/experiment/experiment_words.h"

#include <algorithm>

#include "core/analysis/experiment/report.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

QString seconds_words() { return Text::tr("Seconds are shown of searches that found nothing measured before."); }

QString best_words(const ExperimentResult& result) {
  if (result.kind == ExperimentKind::kMemory) return Text::tr("★ nothing takes less memory and is as fast");
  const bool rows = result.kind == ExperimentKind::kThroughput;
  if (result.measured()) {
    if (!result.matrix()) return Text::tr("★ best, or no worse beyond the noise");
    return rows ? Text::tr("★ best of its row, or no worse beyond the noise")
                : Text::tr("★ best of its column, or no worse beyond the noise");
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
      return Text::tr("Speed-up is against sequential. Searches share what they measure. %1").arg(seconds_words());
    case ExperimentKind::kPruning:
      return (result.method == SearchMethod::kLazy
                  ? Text::tr("Every search is a lazy one of IOS-Both by itself: at most r units in a group and s "
                             "groups in a stage, 0 = unlimited. %1")
                  : Text::tr("Every search is an exhaustive one of IOS-Both by itself: at most r units in a group and "
                             "s groups in a stage, 0 = unlimited. %1"))
          .arg(seconds_words());
    case ExperimentKind::kBatches:
      return Text::tr(
          "Rows: the batch that the schedule was found for; columns: the batch that ran. Latency [ms] and loss "
          "against the column's own schedule.");
    case ExperimentKind::kDevices:
      return Text::tr(
          "Rows: the device that the schedule was found on; columns: the device that ran it. Latency [ms] and loss "
          "against the column's own schedule.");
    case ExperimentKind::kThroughput: return Text::tr("Samples a second, by batch size.");
    case ExperimentKind::kUtilization: return Text::tr("Means are over the whole run.");
    case ExperimentKind::kMemory:
      return Text::tr(
          "Kernels of a schedule with stages on lanes without barriers, under limits of memory; without lanes: the "
          "schedule itself. The peak is planned, not measured: most that tensors take at once, inputs and outputs too, "
          "weights not.");
    case ExperimentKind::kFrameworks:
      return Text::tr(
          "Latency of one inference; times ours: over that of our fastest schedule, so that above 1 an engine takes "
          "longer. "
          "All get the same model, weights, input and number of threads and are timed in turn, while the others stand "
          "still. No engine has a time whose outputs are not ours.");
    case ExperimentKind::kSearch: break;
  }
  return Text::tr(
             "Loss is of the schedule's stage sum against exhaustive search; gaps are what a search itself says it may "
             "miss. %1")
      .arg(seconds_words());
}

QString marks_words(const ExperimentResult& result) {
  QStringList words;
  if (std::ranges::any_of(result.trials, &Trial::best)) words << best_words(result);
  if (std::ranges::any_of(result.trials, &Trial::within_noise)) {
    words << Text::tr("≈ no difference beyond the noise");
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
