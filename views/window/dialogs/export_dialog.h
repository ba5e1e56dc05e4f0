#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <cstddef>
#include <optional>
#include <vector>

#include "views/figures/exporter.h"
#include "views/figures/figure.h"
#include "views/figures/paper.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace iosx {

class Settings;

// Describes how a figure is exported.
struct FigureExport {
  FigureFormat format = FigureFormat::kSvg;
  std::optional<PaperFormat> paper = {};  // none: as on the screen
  bool with_data = false;                 // also writes its data as CSV beside it
  friend bool operator==(const FigureExport&, const FigureExport&) = default;
};

// The export that was chosen last.
FigureExport last_figure_export(const Settings& settings);
void keep_figure_export(Settings& settings, const FigureExport& how);
// Asks where to write the figure, and before a file of its data is replaced. Empty where the user cancelled.
QString ask_where_to_export(QWidget* window, const Settings& settings, const Figure& figure, const FigureExport& how);
// Writes the figure in the format of the path's suffix, and its data to the same name with ".csv" if that is asked for;
// returns the paths. Errors: an unknown suffix; the exporter's.
Result<QStringList> write_figure_export(const Figure& figure, const QString& path, const FigureExport& how);

// Asks what to export, and of a figure how: its format, as on the screen or for a paper with a width and a text size,
// with its data beside it or not. A figure has a preview; anything else has a sentence.
class ExportDialog final : public QDialog {
  Q_OBJECT

 public:
  struct Choice {
    QString group;  // its heading in the list
    QString title;
    const Figure* figure = nullptr;  // must outlive the dialog; null: `summary` says what is written
    QString summary = {};
    QString reason = {};  // why it cannot be exported now; empty: it can be
  };
  // At least one; `first` is chosen at the beginning. One alone needs no list.
  ExportDialog(std::vector<Choice> choices, std::size_t first, const FigureExport& how, QWidget* parent);
  ExportDialog(const Figure& figure, const FigureExport& how, QWidget* parent)
      : ExportDialog({{{}, {}, &figure}}, 0, how, parent) {}

  std::size_t chosen() const { return chosen_; }  // of the choices
  FigureExport how() const;

 private:
  enum class Size { kScreen, kSingle, kDouble, kOther };

  void fillList();
  QWidget* makeFigurePage();
  QWidget* makeTextPage();
  void takeSize();
  void takeUnit();
  void choose(QTreeWidgetItem* item, QTreeWidgetItem* before);
  void showChoice();
  void showPreview();

  std::optional<PaperFormat> paper() const;
  FigureFormat format() const;

  std::vector<Choice> choices_;
  std::size_t chosen_;
  QTreeWidget* what_;
  QStackedWidget* pages_;
  QComboBox* format_;
  QComboBox* size_;
  QDoubleSpinBox* width_;
  QComboBox* unit_;
  QDoubleSpinBox* font_;
  QSpinBox* dpi_;
  QCheckBox* data_;
  QLabel* preview_;
  QLabel* note_;
  QLabel* title_;  // of what is no figure, like the next two
  QLabel* summary_;
  QLabel* reason_;
  QPushButton* save_;
  QTimer typing_;  // delays the preview while typing
};

}  // namespace iosx
