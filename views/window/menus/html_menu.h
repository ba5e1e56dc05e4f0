#pragma once

#include <QObject>
#include <QString>

#include "views/window/actions/actions.h"
#include "views/window/base/context.h"

namespace iosx {

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
