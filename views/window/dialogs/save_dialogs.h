#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "core/base/result.h"
#include "views/figures/exporter.h"

class QWidget;

namespace iosx {

class Settings;

// Replaces the file in one step, so that an error leaves an older one unchanged.
Result<void> write_file(const QString& path, const QByteArray& content);

// Asks for a file to write; proposes `start`. A name without a suffix gets the chosen filter's, also in the question
// about an existing file. Empty where the user cancelled. A filter is "SVG drawing (*.svg)".
enum class Replacing { kAsk, kNotAsk };
QString ask_for_new_file(QWidget* window, const QString& title, const QString& start, const QStringList& filters,
                         Replacing replacing = Replacing::kAsk);
// Asks in the same way; proposes STEM with the first filter's suffix in the user's last folder, or in STEM's if it is a
// path.
QString ask_where_to_save(QWidget* window, const Settings& settings, const QString& title, const QString& stem,
                          const QStringList& filters);

// Returns the filters of all formats of figures, `first` first.
QStringList figure_filters(FigureFormat first = FigureFormat::kSvg);

}  // namespace iosx
