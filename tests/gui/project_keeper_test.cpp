#include "views/window/shell/project_keeper.h"
#include "tests/gui/window_fixture.h"
#include "views/window/dialogs/save_dialogs.h"
#include "views/window/menus/external_menu.h"

namespace iosx {
namespace {

// What is open must not be lost: neither where it has no file yet, nor where it has one.
class ProjectKeeperTest : public test::WindowTest {
 protected:
  // A project with one network, in its file; nothing is open then.
  QString other() {
    open(QStringLiteral("squeezenet"));
    session_->editor().setNotes(QStringLiteral("the other one"));
    const QString file = path("other.iosproj");
    EXPECT_TRUE(save_project(session_->workspace(), file.toStdString()));
    session_->editor().takeProject({}, {}, false);
    return file;
  }
  void workUnsaved() {
    open(QStringLiteral("sample"));
    session_->editor().setNotes(QStringLiteral("my work"));
    ASSERT_TRUE(session_->editor().modified());
  }
  bool isOpen(const char* notes) const { return session_->workspace().notes() == notes; }
  void trigger(QAction* action) {
    action->trigger();
    idle();
  }
  QString title() const {
    QString title = window_->windowTitle();
    return title.replace(QStringLiteral("[*]"), window_->isWindowModified() ? QStringLiteral("*") : QString());
  }

  test::Answers answers_;
};

TEST_F(ProjectKeeperTest, WorkWithoutAFileStaysWhereOpeningAProjectIsCancelled) {
  const QString file = other();
  workUnsaved();
  answers_.press(QMessageBox::Cancel);
  openAsked(file);
  EXPECT_TRUE(answers_.given());
  EXPECT_TRUE(isOpen("my work"));
  EXPECT_TRUE(session_->editor().modified());
}

TEST_F(ProjectKeeperTest, WorkWithoutAFileGoesWhereItIsDiscarded) {
  const QString file = other();
  workUnsaved();
  answers_.press(QMessageBox::Discard);
  openAsked(file);
  EXPECT_TRUE(answers_.given());
  EXPECT_TRUE(isOpen("the other one"));
}

TEST_F(ProjectKeeperTest, WorkWithoutAFileIsSavedBeforeAProjectTakesItsPlace) {
  const QString file = other();
  workUnsaved();
  answers_.press(QMessageBox::Save);
  answers_.typeFile(path("mine"));
  openAsked(file);
  EXPECT_TRUE(answers_.given());
  EXPECT_TRUE(isOpen("the other one"));
  EXPECT_EQ(session_->editor().projectPath(), file);
  EXPECT_EQ(must(open_project(path("mine.iosproj").toStdString())).notes(), "my work");
}

TEST_F(ProjectKeeperTest, WorkStaysWhereNoNameIsGivenOrItCannotBeSaved) {
  const QString file = other();
  workUnsaved();
  answers_.press(QMessageBox::Save);
  answers_.cancelFile();
  openAsked(file);
  EXPECT_TRUE(isOpen("my work"));
  session_->editor().savedAs(path("no such folder/mine.iosproj"), session_->editor().changes());
  session_->editor().setNotes(QStringLiteral("my work, changed"));
  answers_.press(QMessageBox::Save);
  openAsked(file);
  EXPECT_TRUE(answers_.given());
  EXPECT_TRUE(isOpen("my work, changed"));
  EXPECT_TRUE(window_->messages().showsError());
  answers_.typeFile(path("elsewhere"));
  for (auto* button : window_->messages().shown().back()->findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("Save as…")) button->click();
  }
  idle();
  EXPECT_TRUE(answers_.given());
  EXPECT_EQ(session_->editor().projectPath(), path("elsewhere.iosproj"));
}

TEST_F(ProjectKeeperTest, EveryAnswerHasAKeyOfItsOwnAndEscapeCancels) {
  workUnsaved();
  QStringList keys;
  answers_.give([&keys](QWidget* dialog) {
    auto* box = qobject_cast<QMessageBox*>(dialog);
    if (box == nullptr) return false;
    for (const QAbstractButton* button : box->buttons()) keys << QKeySequence::mnemonic(button->text()).toString();
    QTest::keyClick(box, Qt::Key_Escape);
    return true;
  });
  EXPECT_FALSE(window_->close());
  EXPECT_TRUE(answers_.given());
  EXPECT_TRUE(window_->isVisible());
  ASSERT_EQ(keys.size(), 3);
  EXPECT_FALSE(keys.contains(QString())) << keys.join(QLatin1Char(' ')).toStdString();
  EXPECT_EQ(keys.removeDuplicates(), 0) << keys.join(QLatin1Char(' ')).toStdString();
}

TEST_F(ProjectKeeperTest, WhatNobodyAskedForIsReplacedUnasked) {
  const QString file = other();
  open(QStringLiteral("sample"));
  ASSERT_TRUE(session_->comparison());
  EXPECT_FALSE(session_->editor().modified());
  openAsked(file);
  EXPECT_TRUE(isOpen("the other one"));
  EXPECT_TRUE(answers_.asked().isEmpty());
}

TEST_F(ProjectKeeperTest, RunsThatWereAskedForAreNotReplacedUnasked) {
  const QString file = other();
  open(QStringLiteral("sample"));
  trigger(window_->actionsOfWindow()["optimize"]);
  answers_.press(QMessageBox::Cancel);
  openAsked(file);
  EXPECT_TRUE(answers_.given());
  EXPECT_EQ(session_->source(), "sample");
}

TEST_F(ProjectKeeperTest, ADamagedProjectIsNoReasonToAsk) {
  workUnsaved();
  QFile broken(path("broken.iosproj"));
  ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
  broken.write("PK but nothing else");
  broken.close();
  openAsked(path("broken.iosproj"));
  EXPECT_TRUE(answers_.asked().isEmpty());
  EXPECT_TRUE(isOpen("my work"));
  EXPECT_TRUE(window_->messages().showsError());
}

TEST_F(ProjectKeeperTest, ClosingAsksWhereNothingCanBeKept) {
  QFile in_the_way(path("sessions"));
  ASSERT_TRUE(in_the_way.open(QIODevice::WriteOnly));
  Autosave autosave(*session_, path("sessions"));
  autosave.setDelay(1);
  window_->keepSessions(autosave);
  QSignalSpy failed(&autosave, &Autosave::failed);
  workUnsaved();
  ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() > 0; }));
  answers_.press(QMessageBox::Cancel);
  EXPECT_FALSE(window_->close());
  EXPECT_TRUE(answers_.given());
  answers_.press(QMessageBox::Discard);
  EXPECT_TRUE(window_->close());
  EXPECT_TRUE(answers_.given());
  window_.reset();  // before the autosave
}

TEST_F(ProjectKeeperTest, WhatIsBeingSavedIsOnDiskBeforeTheWindowCloses) {
  workUnsaved();
  jobs_->saveProject(path("p.iosproj"));
  jobs_->saveProject(path("p.iosproj"));
  EXPECT_TRUE(window_->close());
  EXPECT_FALSE(jobs_->saving());
  EXPECT_TRUE(QFile::exists(path("p.iosproj")));
  EXPECT_TRUE(answers_.asked().isEmpty()) << "it is saved";
}

TEST_F(ProjectKeeperTest, TheTitleNamesTheProjectAndMarksWhatIsNotSaved) {
  workUnsaved();
  EXPECT_TRUE(title().contains(QLatin1Char('*'))) << title().toStdString();
  EXPECT_TRUE(title().startsWith("sample")) << title().toStdString();
  answers_.typeFile(path("first"));
  trigger(window_->actionsOfWindow()["save-project"]);
  EXPECT_TRUE(title().startsWith("first.iosproj – sample")) << title().toStdString();
  session_->editor().setNotes(QStringLiteral("changed"));
  EXPECT_TRUE(title().startsWith("first.iosproj* – sample")) << title().toStdString();
  trigger(window_->actionsOfWindow()["save-project"]);
  EXPECT_TRUE(title().startsWith("first.iosproj – sample")) << title().toStdString();
  session_->editor().savedAs(path("odd[*].iosproj"), session_->editor().changes());
  EXPECT_TRUE(title().startsWith("odd"));
  EXPECT_TRUE(window_->windowTitle().startsWith("odd[*][*].iosproj[*]"));
}

TEST_F(ProjectKeeperTest, SaveAsGivesTheProjectAnotherFile) {
  workUnsaved();
  answers_.typeFile(path("first"));
  trigger(window_->actionsOfWindow()["save-project-as"]);
  EXPECT_EQ(session_->editor().projectPath(), path("first.iosproj"));
  session_->editor().setNotes(QStringLiteral("second"));
  answers_.typeFile(path("second.iosproj"));
  trigger(window_->actionsOfWindow()["save-project-as"]);
  EXPECT_TRUE(answers_.given());
  EXPECT_EQ(session_->editor().projectPath(), path("second.iosproj"));
  EXPECT_FALSE(session_->editor().modified());
  EXPECT_EQ(open_project(path("first.iosproj").toStdString())->notes(), "my work");
  EXPECT_EQ(open_project(path("second.iosproj").toStdString())->notes(), "second");
}

TEST_F(ProjectKeeperTest, AFileThatAnotherWindowWroteIsNotReplacedUnasked) {
  workUnsaved();
  const QString file = path("shared.iosproj");
  QAction* save = window_->actionsOfWindow()["save-project"];
  answers_.typeFile(file);
  trigger(save);
  trigger(save);  // what this window wrote itself is no reason to ask
  ASSERT_TRUE(answers_.given());
  Workspace others = session_->workspace();
  others.set_notes("what the other window knows");
  ASSERT_TRUE(save_project(others, file.toStdString()));
  session_->editor().setNotes(QStringLiteral("what this one knows"));
  answers_.press(QMessageBox::Cancel);
  trigger(save);
  EXPECT_TRUE(answers_.given());
  EXPECT_EQ(open_project(file.toStdString())->notes(), "what the other window knows");
  answers_.press(QStringLiteral("Save as…"));
  answers_.typeFile(path("own"));
  trigger(save);
  EXPECT_TRUE(answers_.given());
  EXPECT_EQ(session_->editor().projectPath(), path("own.iosproj"));
  EXPECT_EQ(open_project(file.toStdString())->notes(), "what the other window knows");
  trigger(save);
  ASSERT_TRUE(save_project(others, session_->editor().projectPath().toStdString()));
  answers_.press(QStringLiteral("Replace it"));
  trigger(save);
  EXPECT_TRUE(answers_.given());
  EXPECT_EQ(open_project(session_->editor().projectPath().toStdString())->notes(), "what this one knows");
}

TEST_F(ProjectKeeperTest, AFileThatIsGoneIsWrittenAgain) {
  workUnsaved();
  const QString file = path("p.iosproj");
  answers_.typeFile(file);
  trigger(window_->actionsOfWindow()["save-project"]);
  QFile::remove(file);
  trigger(window_->actionsOfWindow()["save-project"]);
  EXPECT_TRUE(answers_.given());
  EXPECT_EQ(open_project(file.toStdString())->notes(), "my work");
}

TEST_F(ProjectKeeperTest, TheQuestionWhetherToReplaceIsAskedOfTheNameThatIsWritten) {
  QFile there(path("figure.svg"));
  ASSERT_TRUE(there.open(QIODevice::WriteOnly));
  there.close();
  answers_.typeFile(path("figure"));
  answers_.press(QMessageBox::No);
  answers_.cancelFile();
  const QStringList filters{QStringLiteral("SVG drawing (*.svg)"), QStringLiteral("PDF (*.pdf)")};
  EXPECT_EQ(ask_where_to_save(window_.get(), settings_, QStringLiteral("Save"), QStringLiteral("stem"), filters),
            QString());
  EXPECT_TRUE(answers_.given());
  ASSERT_EQ(answers_.asked().size(), 1);
  EXPECT_TRUE(answers_.asked().front().contains("figure.svg"));
  answers_.typeFile(path("figure"));
  answers_.press(QMessageBox::Yes);
  EXPECT_EQ(ask_where_to_save(window_.get(), settings_, QStringLiteral("Save"), QStringLiteral("stem"), filters),
            path("figure.svg"));
  answers_.typeFile(path("new"));
  EXPECT_EQ(ask_where_to_save(window_.get(), settings_, QStringLiteral("Save"), QStringLiteral("stem"), filters),
            path("new.svg"));
  EXPECT_TRUE(answers_.given());
}

TEST_F(ProjectKeeperTest, AFileThatIsUsedAsItIsNeedsNoQuestion) {
  QFile there(path("kept.db"));
  ASSERT_TRUE(there.open(QIODevice::WriteOnly));
  there.close();
  answers_.typeFile(path("kept"));
  EXPECT_EQ(ask_for_new_file(window_.get(), QStringLiteral("File"), path("usual.db"), {QStringLiteral("Kept (*.db)")},
                             Replacing::kNotAsk),
            path("kept.db"));
  EXPECT_TRUE(answers_.given());
}

TEST_F(ProjectKeeperTest, NotesWithOtherEndsOfLinesAreNoChange) {
  open(QStringLiteral("sample"));
  Workspace other = session_->workspace();
  other.set_notes("one\r\ntwo");
  ASSERT_TRUE(save_project(other, path("p.iosproj").toStdString()));
  open(path("p.iosproj"));
  EXPECT_EQ(session_->workspace().notes(), "one\r\ntwo");
  EXPECT_FALSE(session_->editor().modified());
}

TEST_F(ProjectKeeperTest, WhatOthersRecordedWithoutALatencyCanBeRemoved) {
  open(QStringLiteral("sample"));
  ExternalRun run{.label = "nameless & silent"};
  session_->editor().addExternal(session_->networkId(), {run});
  ASSERT_EQ(session_->workspace().external().size(), 1U);
  auto* tree = part<QTreeView>("project-tree");
  QTimer::singleShot(0, window_.get(), [] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    for (QAction* action : menu->actions()) {
      if (action->text().contains("nameless && silent")) action->trigger();
    }
    menu->close();
  });
  emit tree->customContextMenuRequested(tree->visualRect(tree->model()->index(0, 0)).center());
  EXPECT_TRUE(session_->workspace().external().empty());
}

}  // namespace
}  // namespace iosx
