// Devices that workers are: listed, asked, added after a test, removed; the registry and the file follow.
#include "views/window/devices/devices_dialog.h"

#include "tests/gui/window_fixture.h"
#include "views/window/devices/add_worker_dialog.h"

namespace iosx {
namespace {

constexpr int kLong = test::kSanitized ? 120000 : 30000;  // ms

QString worker(const char* options = "") {
  return QStringLiteral("%1 %2").arg(QString::fromLatin1(SCRIPTED_WORKER), QString::fromLatin1(options)).trimmed();
}

wire::Hello hello_of_fake(const std::string& host) {
  wire::Hello hello{.program = "0.1.0", .host = host, .cores = 64, .load = 0.26};
  hello.device.id = "gpu";
  hello.device.name = "NVIDIA H100";
  hello.device.fingerprint = "h100";
  return hello;
}

class DevicesDialogTest : public test::WindowTest {
 protected:
  DevicesDialogTest() { qputenv("XDG_CONFIG_HOME", config_.path().toLocal8Bit()); }
  ~DevicesDialogTest() override {
    window_.reset();
    qputenv("XDG_CONFIG_HOME", before_);
  }

  QString file() const { return config_.filePath(QStringLiteral("ios-explorer/workers.json")); }
  WorkerList listed() const { return read_worker_list(file().toStdString()).value(); }
  void write(const QByteArray& text) const {
    QDir(config_.path()).mkdir(QStringLiteral("ios-explorer"));
    QFile out(file());
    ASSERT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(text);
  }
  // So that nothing can be written.
  void takePlaceOfFolder() const {
    ASSERT_TRUE(QDir(config_.filePath(QStringLiteral("ios-explorer"))).removeRecursively());
    QFile out(config_.filePath(QStringLiteral("ios-explorer")));
    ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  }
  // As `iosx workers add` does.
  std::string list(const QString& command, int count = 1) const {
    wire::Hello hello;
    auto added = ask_worker({command.toStdString(), count}, {.start = Seconds(20)}, {}, &hello);
    WorkerList list = listed();
    const auto name = add_to_list(list, std::move(*added), hello);
    EXPECT_TRUE(write_worker_list(file().toStdString(), list));
    return *name;
  }

  // One that never says anything.
  void listSilent() const {
    const WorkerList silent{Isolation::kGpus, {{"silent", {{"exec sleep 600", 1}}, {}, "node1"}}};
    ASSERT_TRUE(write_worker_list(file().toStdString(), silent));
  }

  DevicesDialog* openDialog() {
    window_->actionsOfWindow()["devices"]->trigger();
    dialog_ = window_->findChild<DevicesDialog*>();
    return dialog_;
  }
  AddWorkerDialog* openAdding() {
    part<QPushButton>("devices-add")->click();
    return dialog_->findChild<AddWorkerDialog*>();
  }
  template <typename Widget>
  Widget* part(const char* name) const {
    return dialog_->findChild<Widget*>(QString::fromLatin1(name));
  }
  void type(const QString& command) const {
    part<QTabWidget>("worker-ways")->setCurrentIndex(2);
    part<QLineEdit>("worker-command")->setText(command);
  }
  QString said() const { return part<QLabel>("worker-said")->text(); }
  QString shown() const { return part<QLabel>("worker-shown")->text(); }
  QPushButton* addButton() const { return part<QPushButton>("worker-add"); }
  bool test() const {
    part<QPushButton>("worker-test")->click();
    return QTest::qWaitFor([this] { return part<QTabWidget>("worker-ways")->isEnabled(); }, kLong);
  }
  bool asked() const {
    return QTest::qWaitFor(
        [this] {
          return std::ranges::all_of(dialog_->rows(), [](const WorkerRow& row) {
            return row.state == WorkerState::kAnswered || row.state == WorkerState::kFailed;
          });
        },
        kLong);
  }
  bool boxHas(const std::string& id) const {
    return WindowTest::part<QComboBox>("device")->findData(QString::fromStdString(id)) >= 0;
  }
  QString cell(int row, int column) {
    return dialog_->findChild<QTableView*>(QStringLiteral("devices-table"))
        ->model()
        ->index(row, column)
        .data()
        .toString();
  }

  QByteArray before_ = qgetenv("XDG_CONFIG_HOME");
  QTemporaryDir config_;
  QPointer<DevicesDialog> dialog_;
};

TEST(WorkerRows, SayWhatWorkersDo) {
  WorkerRow row{.device = "gpu@node1", .command = {"srun iosx worker", 2}};
  const std::vector<WorkerDoing> board{{"gpu@node1", "srun iosx worker", 1, WorkerActivity::kMeasuring, 34, 12, 0},
                                       {"gpu@node1", "srun iosx worker", 2, WorkerActivity::kWaiting, 20, 3, 1},
                                       {"gpu@node1", "ssh node2 iosx worker", 3, WorkerActivity::kMeasuring, 1, 1, 0},
                                       {"cpu", "srun iosx worker", 1, WorkerActivity::kIdle, 5, 0, 0}};
  const auto own = doings_of(row, board);
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(doing_text(own[0]), "worker 1: measuring, 34 measured, 12 in flight");
  EXPECT_EQ(doing_text(own[1]), "worker 2: waiting for the hardware, 20 measured, 3 in flight, lost once");
  EXPECT_EQ(doings_text(own), QString::fromUtf8("1 of 2 measuring · 54 measured · 15 in flight · lost once"));
  EXPECT_EQ(doings_text({board[3]}), QString::fromUtf8("idle · 5 measured"));
  EXPECT_EQ(doings_text({}), QString());
}

// A search goes on while the dialog is open.
TEST_F(DevicesDialogTest, ARowSaysWhatItsWorkersDoForAJob) {
  open(QStringLiteral("sample"));
  RunSettings settings = session_->settings();
  settings.device = list(worker("--millis 50"), 2);
  window_->actionsOfWindow()["devices"]->trigger();
  dialog_ = window_->findChild<DevicesDialog*>();
  ASSERT_TRUE(asked());
  session_->setSettings(settings);
  jobs_->optimize();
  QTRY_VERIFY_WITH_TIMEOUT(cell(0, 3).contains("measured"), kLong);
  dialog_->findChild<QTableView*>(QStringLiteral("devices-table"))->selectRow(0);
  EXPECT_TRUE(part<QLabel>("devices-chosen")->text().contains("worker 2: "));
  jobs_->cancel();
  QTRY_VERIFY_WITH_TIMEOUT(!jobs_->busy(), kLong);
  QTRY_VERIFY_WITH_TIMEOUT(cell(0, 3).startsWith(QString::fromUtf8("✓")), kLong);
}

TEST_F(DevicesDialogTest, WithoutWorkersItSaysHowToGetSome) {
  ASSERT_NE(openDialog(), nullptr);
  EXPECT_TRUE(dialog_->rows().empty());
  EXPECT_FALSE(part<QPushButton>("devices-remove")->isEnabled());
  EXPECT_FALSE(part<QPushButton>("devices-ask")->isEnabled());
  EXPECT_FALSE(part<QLabel>("devices-problem")->isVisible());
  EXPECT_FALSE(QFile::exists(file())) << "looking writes nothing";
}

TEST_F(DevicesDialogTest, WhatWasTestedIsAddedAndCanBeChosenAtOnce) {
  openDialog();
  QPointer<AddWorkerDialog> adding = openAdding();
  type(worker());
  EXPECT_FALSE(addButton()->isEnabled()) << "nothing was tested";
  ASSERT_TRUE(test());
  EXPECT_TRUE(said().contains("Fake device")) << said().toStdString();
  EXPECT_TRUE(said().contains("IOS Explorer scripted")) << said().toStdString();
  EXPECT_TRUE(said().contains("It becomes the device fake@")) << said().toStdString();
  EXPECT_TRUE(addButton()->isEnabled());

  // What was tested is about this command and no other one.
  type(worker("--marked x"));
  EXPECT_FALSE(addButton()->isEnabled());
  EXPECT_EQ(said(), QString());
  ASSERT_TRUE(test());
  // How many there are to be is not.
  type(QStringLiteral("3 x ") + worker("--marked x"));
  EXPECT_TRUE(addButton()->isEnabled());
  addButton()->click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return adding.isNull(); }));

  ASSERT_EQ(dialog_->rows().size(), 1U);
  const std::string name = dialog_->rows()[0].device;
  EXPECT_TRUE(name.starts_with("fake@"));
  EXPECT_EQ(dialog_->rows()[0].state, WorkerState::kAnswered) << "it has just said so";
  EXPECT_EQ(cell(0, 2), "3");
  ASSERT_EQ(listed().devices.size(), 1U);
  EXPECT_EQ(listed().devices[0].commands, (std::vector<WorkerCommand>{{worker("--marked x").toStdString(), 3}}));
  ASSERT_NE(devices_.find(name), nullptr);
  EXPECT_TRUE(devices_.find(name)->by_workers);
  ASSERT_TRUE(boxHas(name));

  choose(name.c_str());
  open(QStringLiteral("sample"));
  ASSERT_TRUE(session_->comparison()) << window_->messages().text().toStdString();
  EXPECT_EQ(session_->comparison()->device.id, name);
}

TEST_F(DevicesDialogTest, OneMoreWorkerOfADeviceIsSaidToBeThat) {
  const std::string name = list(worker());
  openDialog();
  openAdding();
  type(worker("--marked another"));
  ASSERT_TRUE(test());
  EXPECT_TRUE(said().contains(QStringLiteral("%1 is the same device").arg(QString::fromStdString(name))))
      << said().toStdString();
  type(worker());
  ASSERT_TRUE(test());
  EXPECT_TRUE(said().contains("has these workers already")) << said().toStdString();
  addButton()->click();
  EXPECT_EQ(listed().devices[0].commands.size(), 1U);
}

TEST_F(DevicesDialogTest, ATestSaysWhatFailed) {
  openDialog();
  openAdding();
  const auto fails = [this](const QString& command, const char* words) {
    type(command);
    EXPECT_TRUE(test());
    EXPECT_TRUE(said().contains(QString::fromLatin1(words))) << said().toStdString();
    EXPECT_FALSE(addButton()->isEnabled());
  };
  fails(QStringLiteral("echo Welcome to the cluster; echo Permission denied >&2; exit 255"), "Permission denied");
  fails(QStringLiteral("/no/such/program worker"), "not found");
  fails(QStringLiteral("cat /dev/null"), "ended");
  part<QSpinBox>("worker-limit")->setValue(1);
  fails(QStringLiteral("exec sleep 60"), "has not started after 1 s");
  EXPECT_TRUE(listed().devices.empty());
  // A banner is no fault.
  part<QSpinBox>("worker-limit")->setValue(60);
  type(QStringLiteral("echo 'Welcome <b>to</b> the cluster'; exec ") + worker());
  ASSERT_TRUE(test());
  EXPECT_TRUE(addButton()->isEnabled()) << said().toStdString();
}

TEST_F(DevicesDialogTest, ATestCanBeStopped) {
  openDialog();
  openAdding();
  type(QStringLiteral("exec sleep 600"));
  auto* button = part<QPushButton>("worker-test");
  button->click();
  EXPECT_TRUE(said().startsWith("Starting a worker")) << said().toStdString();
  EXPECT_FALSE(part<QTabWidget>("worker-ways")->isEnabled());
  EXPECT_EQ(button->text(), "&Stop");
  button->click();
  ASSERT_TRUE(QTest::qWaitFor([this] { return part<QTabWidget>("worker-ways")->isEnabled(); }, kLong));
  EXPECT_EQ(said(), "The test was stopped.");
  EXPECT_EQ(button->text(), "&Test");
}

TEST_F(DevicesDialogTest, ClosingDuringATestOrAQuestionDoesNotWaitForThem) {
  listSilent();
  openDialog();
  QPointer<AddWorkerDialog> adding = openAdding();
  type(QStringLiteral("trap '' TERM HUP; sleep 600; sleep 600"));
  part<QPushButton>("worker-test")->click();
  QElapsedTimer clock;
  clock.start();
  adding->reject();
  dialog_->reject();
  EXPECT_LT(clock.elapsed(), 1000);
  EXPECT_FALSE(dialog_->isVisible());
  EXPECT_TRUE(QTest::qWaitFor([&] { return dialog_.isNull() && adding.isNull(); }, kLong));
}

TEST_F(DevicesDialogTest, CommandsAreShownAsTheyAreMade) {
  openDialog();
  openAdding();
  EXPECT_TRUE(shown().contains("names no host")) << shown().toStdString();
  EXPECT_FALSE(part<QPushButton>("worker-test")->isEnabled());
  part<QLineEdit>("ssh-host")->setText(QStringLiteral("me@node1"));
  part<QLineEdit>("ssh-program")->setText(QStringLiteral("/opt/ios explorer/iosx"));
  EXPECT_EQ(shown(),
            "ssh -o BatchMode=yes -o ConnectTimeout=10 me@node1 ''\\''/opt/ios explorer/iosx'\\'' "
            "worker --device gpu'");
  part<QLineEdit>("ssh-program")->setText(QStringLiteral("iosx"));
  part<QSpinBox>("ssh-count")->setValue(4);
  part<QLineEdit>("ssh-host")->setText(QStringLiteral("a b; rm 'x'"));
  EXPECT_EQ(shown(), "4 × ssh -o BatchMode=yes -o ConnectTimeout=10 'a b; rm '\\''x'\\''' 'iosx worker --device gpu'");
  part<QLineEdit>("ssh-host")->setText(QStringLiteral("-oProxyCommand=x"));
  EXPECT_FALSE(part<QPushButton>("worker-test")->isEnabled());

  part<QTabWidget>("worker-ways")->setCurrentIndex(1);
  EXPECT_EQ(shown(), "srun --exclusive --gres=gpu:1 --ntasks=1 iosx worker --device gpu");
  part<QLineEdit>("slurm-options")->setText(QStringLiteral("-n8"));
  part<QLineEdit>("slurm-device")->setText(QStringLiteral("cpu"));
  EXPECT_EQ(shown(), "8 × srun -n1 --ntasks=1 iosx worker --device cpu");

  type({});
  EXPECT_FALSE(part<QPushButton>("worker-test")->isEnabled());
  type(QStringLiteral("0 x iosx worker"));
  EXPECT_FALSE(part<QPushButton>("worker-test")->isEnabled());
}

TEST_F(DevicesDialogTest, EachWorkerIsAskedAndSaysWhatItIs) {
  const std::string name = list(worker());
  WorkerList all = listed();
  all.devices[0].commands.push_back({"echo no route to node2 >&2; exit 255", 2});
  all.devices.push_back(all.devices[0]);
  all.devices[1].name = "other";
  all.devices[1].commands = {{worker("--fingerprint other").toStdString(), 1}};
  ASSERT_TRUE(write_worker_list(file().toStdString(), all));
  openDialog();
  ASSERT_EQ(dialog_->rows().size(), 3U);
  EXPECT_EQ(dialog_->rows()[0].state, WorkerState::kAsking);
  ASSERT_TRUE(asked());
  EXPECT_TRUE(cell(0, 3).contains("load ")) << cell(0, 3).toStdString();
  EXPECT_EQ(cell(0, 0), QString::fromStdString(name));
  EXPECT_EQ(cell(1, 0), QString::fromStdString(name));
  EXPECT_TRUE(cell(1, 3).contains("no route to node2")) << cell(1, 3).toStdString();
  EXPECT_TRUE(cell(2, 3).contains("is another device now")) << cell(2, 3).toStdString();
  // What was added elsewhere meanwhile can be chosen, too.
  EXPECT_TRUE(boxHas(name));

  auto* table = dialog_->findChild<QTableView*>(QStringLiteral("devices-table"));
  table->selectRow(1);
  EXPECT_TRUE(part<QLabel>("devices-chosen")->text().contains("echo no route to node2"));
  ASSERT_TRUE(
      QTest::qWaitFor([this] { return part<QPushButton>("devices-ask")->text() == QStringLiteral("Ask a&gain"); }));
  part<QPushButton>("devices-ask")->click();
  EXPECT_EQ(dialog_->rows()[0].state, WorkerState::kAsking);
  EXPECT_EQ(table->selectionModel()->selectedRows().value(0).row(), 1) << "what was chosen stays chosen";
  ASSERT_TRUE(asked());
}

TEST_F(DevicesDialogTest, AskingCanBeStopped) {
  listSilent();
  openDialog();
  EXPECT_EQ(dialog_->rows()[0].state, WorkerState::kAsking);
  part<QPushButton>("devices-ask")->click();
  EXPECT_EQ(dialog_->rows()[0].state, WorkerState::kNotAsked);
  EXPECT_TRUE(QTest::qWaitFor(
      [this] { return part<QPushButton>("devices-ask")->text() == QStringLiteral("Ask a&gain"); }, kLong));
  EXPECT_EQ(dialog_->rows()[0].state, WorkerState::kNotAsked);
}

TEST_F(DevicesDialogTest, TheChosenDeviceThatIsRemovedGivesWayToAnother) {
  const std::string name = list(worker());
  openDialog();
  ASSERT_TRUE(asked());
  choose(name.c_str());
  ASSERT_EQ(session_->settings().device, name);
  dialog_->findChild<QTableView*>(QStringLiteral("devices-table"))->selectRow(0);
  part<QPushButton>("devices-remove")->click();
  EXPECT_TRUE(dialog_->rows().empty());
  EXPECT_TRUE(listed().devices.empty());
  EXPECT_EQ(devices_.find(name), nullptr);
  EXPECT_FALSE(boxHas(name));
  EXPECT_EQ(session_->settings().device, "tesla-v100");
  EXPECT_EQ(WindowTest::part<QComboBox>("device")->currentData().toString(), "tesla-v100");
}

TEST_F(DevicesDialogTest, AListThatCannotBeWrittenChangesNothing) {
  const std::string name = list(worker());
  openDialog();
  ASSERT_TRUE(asked());
  openAdding();
  type(worker("--fingerprint other"));
  ASSERT_TRUE(test());
  takePlaceOfFolder();
  addButton()->click();
  EXPECT_TRUE(addButton()->isVisible());
  EXPECT_TRUE(said().contains("ios-explorer")) << said().toStdString();
  part<QDialog>("add-worker")->reject();

  auto* isolation = part<QComboBox>("devices-isolation");
  isolation->setCurrentIndex(2);
  emit isolation->activated(2);
  EXPECT_EQ(isolation->currentData().toInt(), static_cast<int>(Isolation::kGpus));
  EXPECT_TRUE(part<QLabel>("devices-problem")->isVisible());
  EXPECT_TRUE(part<QLabel>("devices-problem")->text().contains("workers.json"));
}

TEST_F(DevicesDialogTest, AListThatCannotBeReadIsSaidAndLeftAsItIs) {
  write("{ not a list");
  openDialog();
  EXPECT_TRUE(part<QLabel>("devices-problem")->isVisible());
  EXPECT_TRUE(part<QLabel>("devices-problem")->text().contains("workers.json"));
  openAdding();
  type(worker());
  ASSERT_TRUE(test());
  addButton()->click();
  EXPECT_TRUE(said().contains("workers.json")) << said().toStdString();
  QFile in(file());
  ASSERT_TRUE(in.open(QIODevice::ReadOnly));
  EXPECT_EQ(in.readAll(), QByteArray("{ not a list"));
  EXPECT_EQ(devices_.entries().back()->info.id, "absent");
}

TEST_F(DevicesDialogTest, WhatIsWrongWithTheListAtTheStartStaysSaidAndLeadsThere) {
  window_->tellOfWorkers({});
  EXPECT_EQ(window_->messages().text(), QString());
  open(QStringLiteral("sample"));
  window_->tellOfWorkers({message("the list of workers is not used: {}", verbatim("broken"))});
  ASSERT_EQ(window_->messages().shown().size(), 1U);
  const Toast* toast = window_->messages().shown().front();
  EXPECT_FALSE(toast->closesByItself());
  EXPECT_TRUE(window_->messages().text().contains("broken"));
  for (auto* button : toast->findChildren<QAbstractButton*>()) {
    if (button->text() == QStringLiteral("Devices…")) button->click();
  }
  EXPECT_NE(window_->findChild<DevicesDialog*>(), nullptr);
}

TEST_F(DevicesDialogTest, IsolationIsWritten) {
  list(worker());
  openDialog();
  auto* isolation = part<QComboBox>("devices-isolation");
  EXPECT_EQ(isolation->currentData().toInt(), static_cast<int>(Isolation::kGpus));
  isolation->setCurrentIndex(0);
  emit isolation->activated(0);
  EXPECT_EQ(listed().isolation, Isolation::kNone);
  EXPECT_EQ(listed().devices.size(), 1U);
  EXPECT_FALSE(part<QLabel>("devices-problem")->isVisible());
}

TEST(WorkerRows, SayWhatIsKnownOfEachCommand) {
  const wire::Hello hello = hello_of_fake("node1");
  EXPECT_EQ(hello_text(hello), QString::fromUtf8("node1 · 64 cores · load 0.3 · IOS Explorer 0.1.0"));
  wire::Hello odd = hello;
  odd.host.clear();
  odd.cores = 1;
  odd.program = "1\n\x1B[31m";
  EXPECT_EQ(hello_text(odd), QString::fromUtf8("1 core · load 0.3 · IOS Explorer 1\\n\\x1B[31m"));

  WorkerList list;
  list.devices.push_back({"gpu@node1", {{"a", 1}, {"b", 4}}, known_of(hello), "node1"});
  list.devices.push_back({"mine", {{"a", 2}}, known_of(hello), "node1"});
  Error error{message("has ended"), "a", message("look there")};
  const auto rows =
      worker_rows(list, {{"gpu@node1", {"b", 4}, hello}, {"mine", {"a", 2}, tl::unexpected(error)}}, true);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].state, WorkerState::kAsking);
  EXPECT_EQ(rows[1].state, WorkerState::kAnswered);
  EXPECT_EQ(rows[1].command.count, 4);
  EXPECT_EQ(rows[2].state, WorkerState::kFailed);
  EXPECT_EQ(rows[2].said, "has ended");
  EXPECT_EQ(rows[2].remedy, "look there");
  EXPECT_EQ(worker_rows(list, {}, false)[0].state, WorkerState::kNotAsked);
  EXPECT_TRUE(worker_rows({}, {}, true).empty());
}

}  // namespace
}  // namespace iosx
