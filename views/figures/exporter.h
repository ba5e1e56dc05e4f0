#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <QStringList>
#include <array>
#include <optional>

#include "core/base/result.h"
#include "views/figures/figure.h"
#include "views/figures/paper.h"

namespace iosx {

enum class FigureFormat { kSvg, kPdf, kPng, kCsv };
inline constexpr std::array kFigureFormats{FigureFormat::kSvg, FigureFormat::kPdf, FigureFormat::kPng,
                                           FigureFormat::kCsv};

QString suffix(FigureFormat format);       // "svg"
QString file_filter(FigureFormat format);  // "SVG drawing (*.svg)", for file dialogs
// Returns the format by the file name's suffix; the error lists the suffixes.
Result<FigureFormat> format_of(const QString& path);

// Returns the figure as a file's bytes, on the light theme, under its title. SVG and PDF are vector drawings with
// selectable text, one page of the figure's size; PNG has two pixels per device-independent one; CSV has only the
// data, in UTF-8. For a paper it has the format's width and the paper theme, and no text is below kLeastTextPoints:
// smaller text makes all text grow, and where that is impossible, the error names a sufficient width. GUI thread
// only; needs a QApplication (any platform, also offscreen).
Result<QByteArray> render_figure(const Figure& figure, FigureFormat format,
                                 const std::optional<PaperFormat>& paper = std::nullopt);

// Returns a picture of the export, as large as fits into `most` pixels.
Result<QImage> figure_preview(const Figure& figure, const std::optional<PaperFormat>& paper, const QSize& most);
// Returns the figure's size in a paper, in millimetres. Errors are those of render_figure().
Result<QSizeF> size_on_paper(const Figure& figure, const PaperFormat& paper);

// Replaces the file in one step, so that an error leaves an older one unchanged.
Result<void> write_figure(const Figure& figure, const QString& path, FigureFormat format,
                          const std::optional<PaperFormat>& paper = std::nullopt);
// Writes every format into the folder, which is made if missing; returns the paths.
Result<QStringList> write_figure_files(const Figure& figure, const QString& folder,
                                       const std::optional<PaperFormat>& paper = std::nullopt);

}  // namespace iosx
