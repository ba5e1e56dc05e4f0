#pragma once

#include <QToolBar>
#include <QToolButton>
#include <vector>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/window/base/context.h"
#include "views/window/base/option_form.h"

class QAction;
class QFrame;
class QComboBox;
class QSpinBox;

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

class DeviceBox;

// The tool bar: modes, network, device, batch, search options, and the run button. It shows the session's settings
// and changes them. In a narrow window it has fewer words, but all controls.
class RunBar final : public QToolBar {
  Q_OBJECT

 public:
  explicit RunBar(const WindowContext& context);

  // Focuses the first control, for the keyboard.
  void focusNetwork();
  // Sets the name of a drawing that is shown in place of the network; empty: none.
  void setDrawing(const QString& name);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void addNetworks();
  void addDevices(QAction& others);
  void addBatch();
  void addGo();
  void addButton(QAction* action);  // an icon without a word

  void apply();         // controls → session
  void showSettings();  // session → controls
  bool drawn() const;   // an editor made the shown network
  void showDocument();
  void showJob();
  void showMode();   // a recording has no settings
  void showParts();  // without a network, a recording has neither that nor a device
  QAction* ofNetwork(QAction* part);
  void fitGo();
  enum class Words { kMany, kUsual, kFew };
  void say(Words words);
  void fitWords();     // as many as fit
  void keepAllSeen();  // the window stays at least as wide as the bar with few words

  WindowContext context_;
  QComboBox* network_;
  DeviceBox* device_;
  QSpinBox* batch_;
  SearchLimits* limits_;
  QToolButton* go_;
  QAction* optimize_ = nullptr;       // what the button does
  std::vector<QAction*> modes_;       // in the order of kModes
  QAction* batch_caption_ = nullptr;  // the box's tip says the same
  std::vector<QAction*> of_network_;  // what only a network needs
  bool alone_ = false;                // a recording is shown, and no network is open
  QString drawing_;
  bool showing_ = false;  // controls are being set from the session: not an edit
};

}  // namespace iosx
