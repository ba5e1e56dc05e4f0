#include "views/window/menus/experiment_shelf.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/app_model/session.h"
#include "views/explore/experiment/experiment_figure.h"
#include "views/explore/experiment/experiment_words.h"
#include "views/explore/experiment/figure_widget.h"
#include "views/window/dialogs/experiment_report.h"
#include "views/window/dialogs/experiment_window.h"

namespace iosx {
namespace {

constexpr int kLeastFigureHeight = 300;

}  // namespace

ExperimentShelf::ExperimentShelf(const WindowContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      pages_(new QStackedLayout(this)),
      box_(new QComboBox),
      scroll_(new QScrollArea) {
  setAccessibleName(tr("Experiments"));
  pages_->addWidget(makeHint());
  pages_->addWidget(makeFigures());
  connect(&context_.session, &Session::experimentAdded, this, &ExperimentShelf::fill);
  if (!context_.session.experiments().empty()) fill();
}

QWidget* ExperimentShelf::makeHint() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(12, 12, 12, 12);
  auto* text = new QLabel(
      tr("No experiment was run in this session yet. An experiment searches the shown network again and again, on the "
         "chosen device and with the settings of now; its figure then stands here."));
  text->setWordWrap(true);
  column->addWidget(text);
  auto* row = new QHBoxLayout;
  for (QAction* action : context_.actions.of("experiments")) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    row->addWidget(button);
  }
  row->addStretch(1);
  column->addLayout(row);
  column->addStretch(1);
  return page;
}

QWidget* ExperimentShelf::makeFigures() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(4);
  auto* row = new QHBoxLayout;
  box_->setObjectName(QStringLiteral("experiment-box"));
  box_->setAccessibleName(tr("Experiment"));
  box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  auto* open = new QPushButton(tr("Table and export…"));
  open->setToolTip(tr("Show the experiment in a window, with its table, and export both"));
  row->addWidget(box_);
  row->addWidget(open);
  row->addStretch(1);
  column->addLayout(row);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  column->addWidget(scroll_, 1);
  connect(box_, &QComboBox::currentIndexChanged, this, &ExperimentShelf::show);
  connect(open, &QPushButton::clicked, this, &ExperimentShelf::openWindow);
  return page;
}

void ExperimentShelf::fill() {
  {
    const QSignalBlocker quiet(box_);
    box_->clear();
    for (const auto& result : context_.session.experiments()) box_->addItem(experiment_title(*result));
  }
  show(0);
  pages_->setCurrentIndex(1);
}

void ExperimentShelf::show(int index) {
  const auto& results = context_.session.experiments();
  if (index < 0 || static_cast<std::size_t>(index) >= results.size()) return;
  figure_ = new FigureWidget(figure_of(results[static_cast<std::size_t>(index)]));
  figure_->setMinimumHeight(std::max(kLeastFigureHeight, figure_->sizeHint().height() * 3 / 4));
  scroll_->setMinimumHeight(figure_->minimumHeight());  // the page scrolls already
  scroll_->setWidget(figure_);
}

void ExperimentShelf::openWindow() {
  const int index = box_->currentIndex();
  if (index < 0) return;
  auto* opened = new ExperimentWindow(context_.session.experiments()[static_cast<std::size_t>(index)],
                                      context_.settings, window());
  opened->setAttribute(Qt::WA_DeleteOnClose);
  opened->show();
}

}  // namespace iosx

#include "moc_experiment_shelf.cpp"
