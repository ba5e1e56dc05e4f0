#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "views/style/theme.h"

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace iosx {

// Shows how the span of a recording divides into busy time and idle time, by reason, with their lengths in words.
class IdleBar final : public QWidget {
  Q_OBJECT

 public:
  explicit IdleBar(QWidget* parent = nullptr);
  void setUsage(const DeviceUsage& usage, bool of_processor);
  QSize sizeHint() const override { return {600, 40}; }
  QSize minimumSizeHint() const override { return {200, 40}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  DeviceUsage usage_;
  bool of_processor_ = false;
  Theme theme_ = Theme::light();
};

// Says what a recording means: first whether launches or streams matter more, then what was recorded and, apart from
// that, what is modelled; then notices. Of a recording without times it says only that, and how to get them.
class RecordingHeader final : public QWidget {
  Q_OBJECT

 public:
  explicit RecordingHeader(QWidget* parent = nullptr);

  void setRecording(const OpenedRecording& opened, const QString& name);
  QString text() const;  // all figures, in lines, for tests and the clipboard

 private:
  struct Figure {
    QLabel* value = nullptr;
    QLabel* title = nullptr;
  };
  Figure addFigure(QHBoxLayout& row, const char* name, const QString& title, const QString& tip);
  void showFigures(const OpenedRecording& opened);
  void showNotices();

  QLabel* source_;
  QLabel* judgement_;
  IdleBar* bar_;
  QWidget* figures_;
  Figure span_, busy_, idle_, path_, gaps_, streams_, model_;
  QLabel* notices_;
  QToolButton* more_;
  QStringList all_notices_;
};

}  // namespace iosx
