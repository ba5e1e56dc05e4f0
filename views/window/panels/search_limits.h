#pragma once

#include <QToolButton>
#include <vector>

#include "views/app_model/run_settings.h"
#include "views/window/base/option_form.h"

class QAction;
class QFrame;

namespace iosx {

// Says in the tool bar what a search may do, "Both · r 3 · s 8", and opens the controls that change it, each with what
// it means; a drawing shows how large a stage that allows.
class SearchLimits final : public QToolButton {
  Q_OBJECT

 public:
  // `all` opens the rest of the settings, and is offered there, too.
  explicit SearchLimits(QAction& all, QWidget* parent = nullptr);

  void show(const RunSettings& settings);     // without a signal
  void putInto(RunSettings& settings) const;  // what the controls say
  void open();

 signals:
  void changed();

 private:
  QFrame* build(QAction& all);
  void describe();

  SearchOptions options_;  // the strategies, r and s of it
  std::vector<OptionControl> controls_;
  QWidget* sketch_ = nullptr;
  QFrame* popup_;
};

}  // namespace iosx
