#pragma once

#include <QByteArray>
#include <QDialog>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "views/figures/figure.h"
#include "views/figures/paper.h"

class QWidget;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace iosx {

class Settings;

// Replaces the file in one step, so that an error leaves an older one unchanged.
Result<void> write_file(const QString& path, const QByteArray& content);

// Asks for a file to write; proposes `start`. A name without a suffix gets the chosen filter's, also in the question
// about an existing file. Empty where the user cancelled. A filter is "SVG drawing (*.svg)".
enum class Replacing { kAsk, kNotAsk };
QString ask_for_new_file(QWidget* window, const QString& title, const QString& start, const QStringList& filters,
                         Replacing replacing = Replacing::kAsk);
// Asks in the same way; proposes STEM with the first filter's suffix in the user's last folder, or in STEM's if it is a
// path.
QString ask_where_to_save(QWidget* window, const Settings& settings, const QString& title, const QString& stem,
                          const QStringList& filters);

// Returns the filters of all formats of figures.
QStringList figure_filters();

// Asks which figure to export, and how: as on the screen, or for a paper with a width and a text size, with a preview.
class FigureDialog final : public QDialog {
  Q_OBJECT

 public:
  struct Choice {
    QString title;
    const Figure* figure = nullptr;  // must outlive the dialog
  };
  // At least one; `first` is the one that is chosen at the beginning.
  FigureDialog(std::vector<Choice> figures, std::size_t first, const std::optional<PaperFormat>& paper,
               QWidget* parent);
  FigureDialog(const Figure& figure, const std::optional<PaperFormat>& paper, QWidget* parent)
      : FigureDialog({{{}, &figure}}, 0, paper, parent) {}

  std::size_t chosen() const;  // of the figures

  std::optional<PaperFormat> paper() const;  // none: as on the screen

 private:
  enum class Size { kScreen, kSingle, kDouble, kOther };

  void takeSize();
  void takeUnit();
  void showPreview();

  const Figure& figure() const { return *figures_[chosen()].figure; }

  std::vector<Choice> figures_;
  QComboBox* what_;
  QComboBox* size_;
  QDoubleSpinBox* width_;
  QComboBox* unit_;
  QDoubleSpinBox* font_;
  QSpinBox* dpi_;
  QLabel* preview_;
  QLabel* note_;
  QPushButton* save_;
  QTimer typing_;  // delays the preview while typing
};

}  // namespace iosx
