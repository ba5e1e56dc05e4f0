#pragma once

#include <QCoreApplication>
#include <QKeySequence>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "views/window/actions/actions.h"

namespace iosx {

struct ExportFormat;
class MainWindow;

// Makes the table of a window, menu by menu. Rows hold the window: what they do and ask is called once it is whole.
struct ActionTable {
  Q_DECLARE_TR_FUNCTIONS(iosx::Actions)

 public:
  explicit ActionTable(MainWindow& window);

  ActionRow file() const;
  ActionRow edit() const;
  ActionRow view() const;
  ActionRow graph() const;
  ActionRow schedule() const;
  ActionRow help() const;

 private:
  ActionRow exportRow(const ExportFormat& format) const;
  std::vector<ActionRow> exports() const;
  std::vector<ActionRow> originals() const;  // for the original IOS program
  std::vector<ActionRow> figures() const;
  std::vector<ActionRow> experiments() const;
  std::vector<ActionRow> drawing() const;
  std::vector<ActionRow> alignments() const;
  std::vector<ActionRow> modes() const;
  std::vector<ActionRow> overlays() const;
  std::vector<ActionRow> themes() const;
  std::vector<ActionRow> languages() const;

  static bool draws(const MainWindow* w);  // the graph is edited
  // These return what a step of the mode is called, empty where there is none. None: the mode edits nothing.
  static std::optional<QString> undo_step(const MainWindow& w);
  static std::optional<QString> redo_step(const MainWindow& w);
  static QString reason(const std::optional<QString>& step, const QString& none);  // why the step cannot be done
  static bool warm_start_used(const MainWindow& w);

  MainWindow* w;
  // These return why something cannot be done.
  std::function<QString()> no_network;
  std::function<QString()> nothing_open;  // neither a network nor a recording
  std::function<QString()> no_schedule;
  std::function<QString()> no_weights;   // or no network
  std::function<QString()> not_written;  // of models with a schedule
  std::function<QString()> no_operator;
  std::function<QString()> not_one_operator;
};

}  // namespace iosx
