#pragma once

#include <QtTest>
#include <QtWidgets>

#include <deque>

#include "models/devices/simulated_devices.h"
#include "models/open_graph.h"
#include "tests/support/fake_devices.h"
#include "tests/support/prelude.h"
#include "tests/views/app_model/wait.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/shell/controllers.h"
#include "views/window/shell/main_window.h"

namespace iosx::test {

// The window as the program composes it, with its own settings.
class WindowTest : public testing::Test {
 protected:
  WindowTest() {
    add_simulated_devices(devices_);
    devices_.add({ScriptedDevice::make_info(ScriptedKind::kComputer),
                  [behaviour = behaviour_]() -> Result<std::unique_ptr<Device>> {
                    return std::make_unique<ScriptedDevice>(behaviour, ScriptedKind::kComputer);
                  },
                  {}});
    devices_.add(
        {{.id = "absent", .name = "Absent", .summary = "", .fingerprint = ""}, {}, verbatim("buy one <here>")});
    session_ = std::make_unique<Session>(devices_);
    jobs_ = std::make_unique<Jobs>(*session_, open_for_test);
    controllers_ = std::make_unique<Controllers>(devices_, *session_, *jobs_);
    window_ = std::make_unique<MainWindow>(*session_, *jobs_, *controllers_, settings_, false);
    window_->resize(1600, 1000);
    window_->show();
  }

  // Opens the sample with warnings, like those of an import, by the name "warned".
  static Result<Document> open_for_test(const std::string& source, const InputSizes& sizes) {
    if (source != "warned") return open_graph(source, sizes);
    auto document = open_graph("sample");
    if (document)
      document->warnings = {verbatim("first"), verbatim("second"), verbatim("third"), verbatim("fourth"),
                            verbatim("fifth")};
    return document;
  }

  void choose(const char* device) {
    auto* box = part<QComboBox>("device");
    box->setCurrentIndex(box->findData(QString::fromLatin1(device)));
  }
  void idle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !jobs_->busy(); }, kSanitized ? 400000 : 60000));
  }
  void optimize() {
    jobs_->optimize();
    idle();
  }
  // Waits for the comparison, which must be requested on a measuring device.
  void open(const QString& source) {
    jobs_->open(source);
    idle();
    const DeviceInfo* device = session_->device();
    const bool measures = device != nullptr && device->origin == Origin::kMeasured;
    if (measures && session_->hasDocument() && !session_->upToDate()) jobs_->optimize();
    idle();
  }
  // As the window itself opens it, where what was open may have to be saved.
  void openAsked(const QString& source) {
    window_->open(source);
    idle();
  }
  // The sweep is computed when it is visible.
  void lookAtSweep() {
    auto* dock = part<QDockWidget>("sweep");
    dock->show();
    dock->raise();
    auto* state = part<QLabel>("sweep-state");
    auto* slider = part<QSlider>("sweep-slider");
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return slider->isEnabled() && state->text().isEmpty(); }, kSanitized ? 200000 : 30000));
  }
  template <typename Widget>
  Widget* part(const char* name) const {
    return window_->findChild<Widget*>(QString::fromLatin1(name));
  }
  void activate() {
    window_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
  }
  QTableView* table(const char* name) { return part<QTableView>(name); }
  std::vector<int> selected_rows(const char* name) {
    auto rows = mapped<int>(table(name)->selectionModel()->selectedRows(),
                            [](const QModelIndex& index) { return index.row(); });
    std::sort(rows.begin(), rows.end());
    return rows;
  }
  QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }

  QTemporaryDir folder_;
  std::shared_ptr<ScriptedBehaviour> behaviour_ = std::make_shared<ScriptedBehaviour>();
  DeviceRegistry devices_;
  Settings settings_{folder_.filePath(QStringLiteral("settings.ini"))};
  std::unique_ptr<Session> session_;
  std::unique_ptr<Jobs> jobs_;
  std::unique_ptr<Controllers> controllers_;
  std::unique_ptr<MainWindow> window_;
};

// Gives a user's answers to the modal dialogs that appear, one per dialog, in order.
class Answers {
 public:
  Answers() {
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { giveNext(); });
    timer_.start(5);
  }

  void press(QMessageBox::StandardButton button) {
    answers_.emplace_back([this, button](QWidget* dialog) {
      auto* box = qobject_cast<QMessageBox*>(dialog);
      if (box == nullptr || box->button(button) == nullptr) return false;
      asked_ << box->text();
      box->button(button)->click();
      return true;
    });
  }
  void press(const QString& button) {
    answers_.emplace_back([this, button](QWidget* dialog) {
      const auto* box = qobject_cast<QMessageBox*>(dialog);
      if (box == nullptr) return false;
      for (QAbstractButton* each : box->buttons()) {
        if (each->text() != button) continue;
        asked_ << box->text();
        each->click();
        return true;
      }
      return false;
    });
  }
  // Answers in any way; true: this was the dialog.
  void give(std::function<bool(QWidget*)> answer) { answers_.push_back(std::move(answer)); }
  void typeFile(const QString& path) {
    answers_.emplace_back([path](QWidget* dialog) {
      auto* box = qobject_cast<QFileDialog*>(dialog);
      if (box == nullptr) return false;
      box->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
      static_cast<QDialog*>(box)->accept();
      return true;
    });
  }
  void cancelFile() {
    answers_.emplace_back([](QWidget* dialog) {
      auto* box = qobject_cast<QFileDialog*>(dialog);
      if (box != nullptr) box->reject();
      return box != nullptr;
    });
  }

  bool given() const { return answers_.empty() && !failed_; }  // all of them, each to a dialog of its kind
  const QStringList& asked() const { return asked_; }          // the boxes' texts

 private:
  // Queued: a dialog may open another one while it takes an answer.
  void giveNext() {
    QWidget* dialog = QApplication::activeModalWidget();
    if (dialog == nullptr || giving_) return;
    giving_ = true;
    QMetaObject::invokeMethod(
        &timer_,
        [this, dialog] {
          giving_ = false;
          if (dialog != QApplication::activeModalWidget()) return;
          if (answers_.empty()) return refuse(dialog);
          const auto answer = std::exchange(answers_.front(), {});
          answers_.pop_front();
          if (!answer(dialog)) refuse(dialog);
        },
        Qt::QueuedConnection);
  }
  // An unexpected dialog: the test goes on, and fails.
  void refuse(QWidget* dialog) {
    failed_ = true;
    dialog->close();
  }

  QTimer timer_;
  std::deque<std::function<bool(QWidget*)>> answers_;
  QStringList asked_;
  bool giving_ = false;
  bool failed_ = false;
};

}  // namespace iosx::test
