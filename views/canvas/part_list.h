#pragma once

#include <QFrame>
#include <QStringList>

class QLineEdit;
class QListWidget;

namespace iosx::canvas {

// This list of the network's parts opens over the canvas; typing narrows it down.
class PartList final : public QFrame {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(PartList)

 public:
  explicit PartList(QWidget* parent);

  // Titles and what is said of each are plain text; `current` is -1 where none is.
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
