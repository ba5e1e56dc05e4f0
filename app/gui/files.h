#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <string>

#include "app/gui/actions.h"
#include "core/base/result.h"
#include "core/compare/comparison.h"

class QWidget;

namespace iosx {

class Settings;

// Replaces the file in one step, so that a failure leaves an older one as it was.
Result<void> write_file(const QString& path, const QByteArray& content);

// Asks for a file to write, STEM with the first filter's suffix where the user last was; adds the chosen filter's
// suffix where none was typed. Empty: cancelled. A filter is "SVG drawing (*.svg)".
QString ask_where_to_save(QWidget* window, const Settings& settings, const QString& title, const QString& stem,
                          const QStringList& filters);

QString suffix(ScheduleFormat format);  // "json", "ios.json", "csv"

// One schedule of the comparison with its latencies. The error says what the original's JSON cannot hold.
Result<std::string> schedule_text(const Comparison& comparison, std::size_t result, ScheduleFormat format);

}  // namespace iosx
