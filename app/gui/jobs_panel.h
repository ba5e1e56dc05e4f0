#pragma once

#include <QWidget>

class QListWidget;
class QToolButton;

namespace iosx {

class Session;

// The jobs: the one that runs and those that wait for their turn, each with a way to be rid of it.
class JobsPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit JobsPanel(Session& session, QWidget* parent = nullptr);

 private:
  void refresh();
  void drop();

  Session& session_;
  QListWidget* list_;
  QToolButton* drop_;
};

}  // namespace iosx
