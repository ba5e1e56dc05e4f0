#include "views/share/rivals.h"

#include "views/text/latency_text.h"
#include "views/text/translate.h"

namespace iosx {

QString Rivals::sentence() const {
  const QString latencies =
      Text::tr("%1 instead of %2").arg(latency_text(one().latency), latency_text(other().latency));
  const QString a = schedule_title(one());
  const QString b = schedule_title(other());
  switch (difference(one(), other())) {
    case Difference::kFaster:
    case Difference::kSlower:
      return Text::tr("%1 is %2 as fast as %3: %4").arg(a, speed_text(one(), other()), b, latencies);
    case Difference::kSame: return Text::tr("%1 is as fast as %2 within the noise: %3").arg(a, b, latencies);
    case Difference::kUnknown: break;
  }
  return Text::tr("%1 against %2, too few runs to tell: %3").arg(a, b, latencies);
}

std::optional<Rivals> rivals_of(const std::shared_ptr<const Comparison>& comparison, std::size_t shown,
                                std::optional<std::size_t> baseline) {
  if (!comparison || !comparison->graph || shown >= comparison->results.size()) return std::nullopt;
  if (!baseline) {
    const ScheduleResult* sequential = comparison->find(ScheduleKind::kSequential);
    if (sequential == nullptr) return std::nullopt;
    baseline = comparison->index_of(sequential->id);
  }
  if (!baseline || *baseline >= comparison->results.size()) return std::nullopt;
  Rivals rivals{comparison, shown, *baseline};
  if (rivals.shown == rivals.against) rivals.shown = comparison->best();
  const bool timed = !rivals.one().trace.kernels.empty() && !rivals.other().trace.kernels.empty();
  if (rivals.shown == rivals.against || !timed) return std::nullopt;
  return rivals;
}

}  // namespace iosx
