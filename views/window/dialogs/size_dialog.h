#pragma once

#include <QDialog>
#include <QTimer>
#include <memory>
#include <string>
#include <vector>

#include "core/formats/onnx/file_interface.h"
#include "views/app_model/job_runner.h"

class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace iosx {

namespace onnx_import {
struct OnnxModel;
}

// Asks for the open sizes of an ONNX model, each with usual values, and shows whether the model can be read with them.
// The file is read, and tried, on the dialog's own thread.
class SizeDialog final : public QDialog {
  Q_OBJECT

 public:
  // `file` has the known interface of the model at `path`: empty where it could not be opened.
  SizeDialog(const QString& path, const FileInterface& file, QWidget* parent);

  // Returns the sizes by name; empty where the program should choose.
  InputSizes sizes() const;

 private:
  struct Row {
    std::string name;
    QSpinBox* size;
  };

  void showDims(const FileInterface& file);
  void addDim(QFormLayout& form, const OpenDim& dim);
  void readModel();
  void tryOut();
  void showTrial(const QString& text, bool fits);

  std::string path_;
  std::shared_ptr<const onnx_import::OnnxModel> model_;  // null until it is read
  std::vector<Row> rows_;
  bool choose_ = false;  // by the program
  QWidget* form_;
  QLabel* trial_;
  QPushButton* open_;
  QTimer typing_;     // delays the trial while typing
  JobRunner reader_;  // last: its thread ends before the rest is destroyed
};

}  // namespace iosx
