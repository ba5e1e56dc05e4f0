#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace iosx {

struct OpenedRecording;

// Returns the lines of Python that record what the page of a recording can show.
QString recording_lines();

// Shows these lines under a sentence. They can be selected, and a button copies all of them.
class RecordingLines final : public QWidget {
  Q_OBJECT

 public:
  explicit RecordingLines(QWidget* parent = nullptr);

  void showWhole();  // the window that holds it is then wide enough for the longest line

 private:
  QPlainTextEdit* code_;
  QToolButton* copy_;
};

// Says in place of predicted lanes why there are none, with the lines that record what is needed where that helps.
class NoPredictions final : public QWidget {
  Q_OBJECT

 public:
  explicit NoPredictions(QWidget* parent = nullptr);

  void setRecording(const OpenedRecording& opened);

 private:
  QLabel* why_;
  RecordingLines* lines_;
};

// Returns whether nothing is predicted because no file says which kernels wait for which.
bool lacks_dependencies(const OpenedRecording& opened);

}  // namespace iosx
