#pragma once

#include <QDialog>

class QTextBrowser;

namespace iosx {

// The guide of the program's help: its pages with pictures, in the window's language, from the program itself.
class Guide final : public QDialog {
  Q_OBJECT

 public:
  explicit Guide(QWidget* window);

  QTextBrowser* page() const { return page_; }

 private:
  QTextBrowser* page_;
};

}  // namespace iosx
