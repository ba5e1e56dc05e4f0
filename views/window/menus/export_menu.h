#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/documents/exports/exports.h"
#include "views/figures/figure.h"
#include "views/figures/paper.h"
#include "views/window/actions/actions.h"

class QWidget;

namespace iosx {

class Jobs;
class ScheduleController;
class Session;
class Settings;
class Toasts;
class Views;

// Does the export actions and saves runs: asks for a file name, writes, and says in a message what was written or
// went wrong.
class ExportMenu final : public QObject {
  Q_OBJECT

 public:
  ExportMenu(Session& session, Jobs& jobs, const Views& views, Settings& settings, const Actions& actions,
             Toasts& messages, QWidget* window);

  // `figures` returns what a view shows now; null where it shows nothing.
  void setFigures(std::function<std::unique_ptr<Figure>(FigureKind)> figures) { figures_ = std::move(figures); }

  // These export without asking; the figure's format is the path's suffix. They return false where it failed, which a
  // message says. Texts are written at once, all else in a job, whose end a message tells.
  bool exportAs(const ExportFormat& format, const QString& path);
  // Exports the schedule that is changed by hand, with what its stages cost as far as that is known.
  bool exportDraft(const ScheduleController& controller, const ExportFormat& format, const QString& path);
  void askDraft(const ScheduleController& controller, const ExportFormat& format);  // for a name first
  bool exportFigure(FigureKind kind, const QString& path, const std::optional<PaperFormat>& paper = std::nullopt);
  void copyCard();                            // as an image to the clipboard
  void exportAnimation(const QString& path);  // in a job; a message tells when it is done
  void saveRun(const QString& path);          // as the next job
  void askFigure(FigureKind kind);            // for a name and a format first

 private:
  ExportSource source(const ExportFormat& format) const;  // what is shown now
  QString ask(const QString& title, const QString& stem, const QStringList& filters);
  QString askFor(const ExportFormat& format, const QString& stem);  // a file or folder
  bool told(const QString& error, const QString& path);
  void askExport(const ExportFormat& format);
  void askAnimation();
  void askStatistics();  // of what is measured in the timeline
  void askRun();

  Session& session_;
  Jobs& jobs_;
  const Views& views_;
  std::function<std::unique_ptr<Figure>(FigureKind)> figures_;
  Settings& settings_;
  Toasts& messages_;
  QWidget* window_;
};

}  // namespace iosx
