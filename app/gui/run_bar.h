#pragma once

#include <QToolBar>
#include <vector>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"

class QAction;
class QActionGroup;
class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace iosx {

struct Actions;

// This is the tool bar: it has network, device, batch, what to search, and the button that starts and cancels it. It
// shows the session's settings and changes them.
class RunBar final : public QToolBar {
  Q_OBJECT

 public:
  RunBar(Session& session, Jobs& jobs, const Actions& actions, QWidget* parent = nullptr);

  // Puts the focus on the first control, for the keyboard.
  void focusNetwork();
  // Names what is drawn in place of the network that is shown; empty: that is what is shown.
  void setDrawing(const QString& name);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void addNetworks();
  void addDevices(const Actions& actions);
  void addSearch();
  void addGo(const Actions& actions);
  void addLabelled(const QString& label, QWidget* widget, const QString& help);

  void apply();         // controls → session
  void showSettings();  // session → controls
  bool drawn() const;   // what is shown was made by an editor
  void showDocument();
  void showJob();
  void showBadge();
  void fitGo();
  void fitWords();  // fewer in a narrow window

  Session& session_;
  Jobs& jobs_;
  QComboBox* network_;
  QComboBox* device_;
  QSpinBox* batch_;
  QComboBox* strategy_;
  QSpinBox* r_;
  QSpinBox* s_;
  QToolButton* go_;
  QAction* optimize_ = nullptr;  // what the button does
  QLabel* badge_;
  QActionGroup* modes_;
  std::vector<QAction*> captions_;  // of boxes whose tips say the same
  QAction* timing_ = nullptr;       // beside the badge; shown for devices that measure
  QString drawing_;
  bool tight_ = false;            // not all of it fits
  QAction* go_action_ = nullptr;  // in the bar
  QAction* options_ = nullptr;    // the first of what Optimize goes before where there is little room
  bool showing_ = false;          // controls are being set from the session: not an edit
};

}  // namespace iosx
