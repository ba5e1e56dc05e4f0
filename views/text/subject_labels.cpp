#include "views/text/subject_labels.h"

#include "views/text/latency_text.h"
#include "views/text/translate.h"

namespace iosx {

LabelWords shown_labels() {
  return {.title = [](const ScheduleResult& result) { return schedule_title(result).toStdString(); },
          .batch = [](std::int64_t batch) { return Text::tr("batch %1").arg(batch).toStdString(); },
          .origin = [](Origin origin) { return origin_text(origin).toStdString(); },
          .run = [](int run) { return Text::tr("run %1").arg(run).toStdString(); }};
}

}  // namespace iosx
