#pragma once

#include <QFrame>
#include <QStringList>

class QLineEdit;
class QListWidget;

namespace iosx::canvas {

// The list of the network's parts, opened over the canvas; typing filters it.
class PartList final : public QFrame {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(PartList)

 public:
  explicit PartList(QWidget* parent);

  // Titles and details are plain text; `current` is -1 for none.
  void open(const QStringList& titles, const QStringList& details, int current, const QPoint& global);

 signals:
  void chosen(int index);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void choose();

  QLineEdit* line_;
  QListWidget* list_;
};

}  // namespace iosx::canvas
