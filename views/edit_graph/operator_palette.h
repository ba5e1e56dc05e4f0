#pragma once

#include <QWidget>
#include <cstddef>
#include <vector>

#include "core/model/edit/fragment.h"

class QLineEdit;
class QTreeWidgetItem;

namespace iosx {

namespace editor {
class PaletteTree;
}

// A named piece of a graph that can be inserted.
struct Template {
  QString title;
  QString tip;
  Fragment fragment;
};

// Lists all kinds of operators by class, and templates; they are dragged to the canvas, or added by a double click or
// Return. Typing filters; Return adds the first match.
class OperatorPalette final : public QWidget {
  Q_OBJECT

 public:
  explicit OperatorPalette(QWidget* parent = nullptr);

  void setTemplates(std::vector<Template> built_in, std::vector<Template> own);
  void focusSearch();
  QSize sizeHint() const override { return {260, 600}; }

 signals:
  void kindChosen(std::size_t kind);  // index of Attributes
  void templateChosen(const iosx::Fragment& fragment);
  void left();  // Escape

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill();
  void filter(const QString& text);
  void choose(QTreeWidgetItem* item);
  void step(int by);

  QLineEdit* search_;
  editor::PaletteTree* tree_;
  std::vector<Template> templates_;
  std::size_t built_in_ = 0;  // of these; the others are the user's own
};

}  // namespace iosx
