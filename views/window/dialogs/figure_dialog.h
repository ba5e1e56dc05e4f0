#pragma once

#include <QDialog>
#include <QTimer>
#include <optional>

#include "views/figures/figure.h"
#include "views/figures/paper.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace iosx {

// Asks how to export a figure: as on the screen, or for a paper with a width and a text size, with a preview.
class FigureDialog final : public QDialog {
  Q_OBJECT

 public:
  // The figure must outlive the dialog.
  FigureDialog(const Figure& figure, const std::optional<PaperFormat>& paper, QWidget* parent);

  std::optional<PaperFormat> paper() const;  // none: as on the screen

 private:
  enum class Size { kScreen, kSingle, kDouble, kOther };

  void takeSize();
  void takeUnit();
  void showPreview();

  const Figure& figure_;
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
