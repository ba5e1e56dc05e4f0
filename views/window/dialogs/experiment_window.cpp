#include "views/window/dialogs/experiment_window.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/analysis/experiment/report.h"
#include "core/tables/render.h"
#include "views/explore/experiment/experiment_figure.h"
#include "views/explore/experiment/experiment_words.h"
#include "views/explore/experiment/figure_widget.h"
#include "views/figures/exporter.h"
#include "views/style/style.h"
#include "views/tables/table_model.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/base/settings.h"
#include "views/window/base/table_view.h"
#include "views/window/dialogs/experiment_report.h"
#include "views/window/dialogs/figure_dialog.h"
#include "views/window/dialogs/files.h"

namespace iosx {
namespace {

constexpr int kWidestMeasure = 300;
constexpr int kTitlePixels = 16;
constexpr int kWindowWidth = 980;

QLabel* text_line(const QString& text) {
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

ExperimentWindow::ExperimentWindow(std::shared_ptr<const ExperimentResult> result, const Theme& theme,
                                   Settings& settings, QWidget* parent)
    : QDialog(parent, Qt::Window),
      result_(std::move(result)),
      settings_(settings),
      figure_(new FigureWidget(figure_of(result_))),
      table_(new TableView(tr("Trials"), -1)),
      told_(text_line({})) {
  setWindowTitle(experiment_title(*result_));
  setTheme(theme);
  auto* model = new TableModel(table_);
  model->setTable(experiment_table(*result_));
  table_->setModel(model);
  table_->fitColumns(kWidestMeasure);

  auto* title = text_line(experiment_title(*result_));
  title->setFont(sized(font(), kTitlePixels, true));
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(figure_);
  split->addWidget(table_);
  split->setStretchFactor(0, 1);
  split->setChildrenCollapsible(false);
  const int rows = table_->model()->rowCount();
  const int table_height = table_->horizontalHeader()->sizeHint().height() +
                           (std::min(rows, 9) + 1) * table_->verticalHeader()->defaultSectionSize();
  split->setSizes({figure_->sizeHint().height(), table_height});

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  auto* figure_button = buttons->addButton(tr("Export &figure…"), QDialogButtonBox::ActionRole);
  auto* table_button = buttons->addButton(tr("Export &table…"), QDialogButtonBox::ActionRole);
  connect(figure_button, &QPushButton::clicked, this, &ExperimentWindow::askFigure);
  connect(table_button, &QPushButton::clicked, this, &ExperimentWindow::askTable);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);

  auto* column = new QVBoxLayout(this);
  column->addWidget(title);
  column->addWidget(text_line(explanation_words(*result_)));
  if (!result_->complete) column->addWidget(text_line(tr("Stopped early: trials are missing, or were run once only.")));
  column->addWidget(split, 1);
  if (const QString notes = marks_words(*result_); !notes.isEmpty()) column->addWidget(text_line(notes));
  if (const QString engines = engines_words(*result_); !engines.isEmpty()) column->addWidget(text_line(engines));
  column->addWidget(told_);
  column->addWidget(buttons);
  told_->hide();
  const int widest = std::max(figure_->sizeHint().width(), table_->horizontalHeader()->length());
  const QSize wanted(std::max(kWindowWidth, widest + 40), figure_->sizeHint().height() + table_height + 170);
  // On the screen with its frame, wherever the parent window is.
  const QRect room = screen()->availableGeometry().adjusted(20, 40, -20, -20);
  split->setMinimumHeight(1);  // a small screen squeezes the figure, not the title off it
  resize(wanted.boundedTo(room.size()));
  QRect place(QPoint(0, 0), size());
  place.moveCenter(parent != nullptr ? parent->window()->geometry().center() : room.center());
  place.moveRight(std::min(place.right(), room.right()));
  place.moveBottom(std::min(place.bottom(), room.bottom()));
  move(std::max(place.left(), room.left()), std::max(place.top(), room.top()));
}

void ExperimentWindow::setTheme(const Theme& theme) { figure_->setTheme(theme); }

bool ExperimentWindow::exportFigure(const QString& path, const std::optional<PaperFormat>& paper) {
  const auto format = format_of(path);
  const auto written =
      format ? write_figure(figure_->figure(), path, *format, paper) : tl::unexpected<Error>(format.error());
  return told(written, path);
}

bool ExperimentWindow::exportTable(const QString& path) {
  return told(write_file(path, QByteArray::fromStdString(table_csv(trial_list(*result_)))), path);
}

bool ExperimentWindow::told(const Result<void>& written, const QString& path) {
  if (written) settings_.setFolderOf(path);
  told_->setText(written ? tr("Wrote %1").arg(QDir::toNativeSeparators(path)) : error_text(written.error()));
  told_->show();
  return written.has_value();
}

void ExperimentWindow::askFigure() {
  FigureDialog dialog(figure_->figure(), settings_.figurePaper(), this);
  if (dialog.exec() != QDialog::Accepted) return;
  settings_.setFigurePaper(dialog.paper());
  QStringList filters;
  for (const FigureFormat format : kFigureFormats) filters << file_filter(format);
  const QString path = ask_where_to_save(this, settings_, tr("Export figure"), figure_->figure().fileStem(), filters);
  if (!path.isEmpty()) exportFigure(path, dialog.paper());
}

void ExperimentWindow::askTable() {
  const QString stem = QStringLiteral("experiment-") + qstring(row_of(result_->kind).id);
  const QString path = ask_where_to_save(this, settings_, tr("Export table"), stem, {file_filter(FigureFormat::kCsv)});
  if (!path.isEmpty()) exportTable(path);
}

}  // namespace iosx

#include "moc_experiment_window.cpp"
