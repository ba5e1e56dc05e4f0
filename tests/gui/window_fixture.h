#pragma once

#include <gtest/gtest.h>

#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>
#include <vector>

#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/settings.h"
#include "models/devices/simulated_devices.h"
#include "models/open_graph.h"
#include "views/bridge/session.h"

namespace iosx::test {

// The window as the program composes it, with settings of its own.
class WindowTest : public testing::Test {
 protected:
  WindowTest() {
    add_simulated_devices(devices_);
    session_ = std::make_unique<Session>(devices_, [](const std::string& source) { return open_graph(source); });
    window_ = std::make_unique<MainWindow>(*session_, settings_, false);
    window_->resize(1600, 1000);
    window_->show();
  }

  void idle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !session_->job().busy(); }, 60000));
  }
  void open(const QString& source) {
    session_->open(source);
    idle();
  }
  QTableView* table(const char* name) { return window_->findChild<QTableView*>(QString::fromLatin1(name)); }
  std::vector<int> selected_rows(const char* name) {
    std::vector<int> rows;
    for (const QModelIndex& index : table(name)->selectionModel()->selectedRows()) rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
  }
  QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }

  QTemporaryDir folder_;
  DeviceRegistry devices_;
  Settings settings_{folder_.filePath(QStringLiteral("settings.ini"))};
  std::unique_ptr<Session> session_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace iosx::test
