#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "core/base/result.h"

class QWidget;

namespace iosx {

class Settings;

// Replaces the file in one step, so that a failure leaves an older one as it was.
Result<void> write_file(const QString& path, const QByteArray& content);

// Asks for a file to write; proposes `start`. Where no suffix was typed it has the chosen filter's, and so has the name
// that the user is asked about if there is such a file. It is empty where the user cancelled. A filter is "SVG drawing
// (*.svg)".
enum class Replacing { kAsk, kNotAsk };
QString ask_for_new_file(QWidget* window, const QString& title, const QString& start, const QStringList& filters,
                         Replacing replacing = Replacing::kAsk);
// Asks in the same way; proposes STEM with the first filter's suffix where the user last was, or where STEM is if it is
// a path.
QString ask_where_to_save(QWidget* window, const Settings& settings, const QString& title, const QString& stem,
                          const QStringList& filters);

}  // namespace iosx
