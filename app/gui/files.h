#pragma once

#include <QByteArray>
#include <QString>
#include <cstddef>
#include <string>

#include "app/gui/actions.h"
#include "core/base/result.h"
#include "core/compare/comparison.h"

namespace iosx {

// Replaces the file in one step, so that a failure leaves an older one as it was.
Result<void> write_file(const QString& path, const QByteArray& content);

QString suffix(ScheduleFormat format);  // "json", "ios.json", "csv"

// One schedule of the comparison with its latencies. The error says what the original's JSON cannot hold.
Result<std::string> schedule_text(const Comparison& comparison, std::size_t result, ScheduleFormat format);

}  // namespace iosx
