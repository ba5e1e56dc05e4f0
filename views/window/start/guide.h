#pragma once

#include <QDialog>

class QTextBrowser;

namespace iosx {

// Shows the program's built-in help: the guide, pages with pictures in the window's language, and the topics of
// resources/help in English.
class Guide final : public QDialog {
  Q_OBJECT

 public:
  explicit Guide(QWidget* window);

  QTextBrowser* page() const { return page_; }
  void showTopics();  // the list of all topics

 private:
  QTextBrowser* page_;
};

}  // namespace iosx
