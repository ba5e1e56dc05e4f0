#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/documents/exports/exports.h"
#include "views/figures/figure.h"
#include "views/window/actions/actions.h"
#include "views/window/base/context.h"
#include "views/window/dialogs/export_dialog.h"

class QAction;

namespace iosx {

class ScheduleController;
class Views;

inline constexpr std::string_view kOriginalExport = "ios";  // the format of the original IOS program

// Returns the id of the action that exports so.
QString export_action(const ExportFormat& format);

// Does the export actions and saves runs: asks for a file name, writes, and says in a message what was written or
// went wrong.
class ExportMenu final : public QObject {
  Q_OBJECT

 public:
  ExportMenu(const WindowContext& context, const Views& views);

  // `figures` returns a view's current figure; null for an empty view.
  void setFigures(std::function<std::unique_ptr<Figure>(FigureKind)> figures) { figures_ = std::move(figures); }

  // These export without asking; the figure's format is the path's suffix. They return false where it failed, which a
  // message says. Texts are written at once, all else in a job, whose end a message tells.
  bool exportAs(const ExportFormat& format, const QString& path);
  // Exports the schedule that is changed by hand, with what its stages cost as far as that is known.
  bool exportDraft(const ScheduleController& controller, const ExportFormat& format, const QString& path);
  void askDraft(const ScheduleController& controller, const ExportFormat& format);  // for a name first
  bool exportFigure(FigureKind kind, const QString& path, const FigureExport& how = {});
  void copyCard();                            // as an image to the clipboard
  void exportAnimation(const QString& path);  // in a job; a message tells when it is done
  void saveRun(const QString& path);          // as the next job

  // These ask for a name first, and for a format where there are several.
  void askFigure(FigureKind kind);
  void askAny();  // for what is exported too: figures that show something, and all other exports
  void askExport(const ExportFormat& format);
  void askAnimation();
  void askRun();

 private:
  ExportSource source(const ExportFormat& format) const;            // what is shown now
  QString askFor(const ExportFormat& format, const QString& stem);  // a file or folder
  QString ask(const QString& title, const QString& stem, const QStringList& filters);
  void addExports(std::vector<ExportDialog::Choice>& choices, std::vector<QAction*>& actions) const;
  void askWhereFor(FigureKind kind, const Figure& figure, const FigureExport& how);
  bool told(const QString& error, const QString& path);
  void askStatistics();  // of what is measured in the timeline

  WindowContext context_;
  const Views& views_;
  std::function<std::unique_ptr<Figure>(FigureKind)> figures_;
  QString last_;  // the title of what was chosen last in askAny()
};

class ComparedRuns;

// Saves the comparison as one HTML page: asks for a name, makes and writes it in the background, and offers to open it.
class HtmlMenu final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the window, which owns this.
  HtmlMenu(const WindowContext& context, const ComparedRuns& compared);

  void ask();                      // for a name first
  void save(const QString& path);  // in the background, as the next job

 private:
  void tell(const QString& path);

  WindowContext context_;
  const ComparedRuns& compared_;
};

}  // namespace iosx
