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

// Asks how a figure is exported: as on the screen, or for a paper at a width and a size of text, with a preview of it.
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
  QTimer typing_;  // not every digit is a size to draw
};

}  // namespace iosx
