#include "views/window/dialogs/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QImage>
#include <QMessageBox>
#include <QPixmap>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/base/settings.h"
#include "views/window/dialogs/save_dialogs.h"

namespace iosx {
namespace {

constexpr double kMmPerInch = 25.4;
constexpr int kInches = 1;  // row of the box of units
constexpr int kTypingMs = 250;
constexpr QSize kPreviewSize(560, 400);

QDoubleSpinBox* number(const PaperLimits& limits, const char* name) {
  auto* box = new QDoubleSpinBox;
  box->setRange(limits.least, limits.most);
  box->setDecimals(1);
  box->setObjectName(QString::fromLatin1(name));
  return box;
}

bool near(double a, double b) { return std::abs(a - b) < 0.05; }

constexpr int kWhatWidth = 210;
constexpr int kMarginOfPages = 12;
constexpr int kTitlePointsOfText = 13;

// Returns "SVG drawing", of the file dialog's "SVG drawing (*.svg)".
QString format_name(FigureFormat format) {
  const QString filter = file_filter(format);
  return filter.left(filter.lastIndexOf(QStringLiteral(" (*.")));
}

// Returns the place of a figure's data: the same name with ".csv".
QString data_path(const QString& path) {
  const QFileInfo file(path);
  return file.dir().filePath(file.completeBaseName() + QStringLiteral(".csv"));
}

}  // namespace

FigureExport last_figure_export(const Settings& settings) {
  const auto format = format_of(QStringLiteral("x.") + settings.figureSuffix());
  return {format.value_or(FigureFormat::kSvg), settings.figurePaper(), settings.figureData()};
}

void keep_figure_export(Settings& settings, const FigureExport& how) {
  settings.setFigurePaper(how.paper);
  settings.setFigureFiles(suffix(how.format), how.with_data);
}

QString ask_where_to_export(QWidget* window, const Settings& settings, const Figure& figure, const FigureExport& how) {
  const QString path = ask_where_to_save(window, settings, ExportDialog::tr("Export figure"), figure.fileStem(),
                                         figure_filters(how.format));
  const auto format = format_of(path);
  if (!how.with_data || !format || format == FigureFormat::kCsv || !QFileInfo::exists(data_path(path))) return path;
  QMessageBox box(QMessageBox::Warning, ExportDialog::tr("Export figure"),
                  ExportDialog::tr("%1 exists already. Replace it with the data of the figure?")
                      .arg(shown_name(QFileInfo(data_path(path)).fileName().toStdString())),
                  QMessageBox::Yes | QMessageBox::No, window);
  box.setTextFormat(Qt::PlainText);
  box.setDefaultButton(QMessageBox::No);
  return box.exec() == QMessageBox::Yes ? path : QString();
}

Result<QStringList> write_figure_export(const Figure& figure, const QString& path, const FigureExport& how) {
  IOS_TRY(const FigureFormat format, format_of(path));
  IOS_TRY(write_figure(figure, path, format, how.paper));
  QStringList paths{path};
  if (how.with_data && format != FigureFormat::kCsv) {
    paths << data_path(path);
    IOS_TRY(write_figure(figure, paths.back(), FigureFormat::kCsv));
  }
  return paths;
}

ExportDialog::ExportDialog(std::vector<Choice> choices, std::size_t first, const FigureExport& how, QWidget* parent)
    : QDialog(parent),
      choices_(std::move(choices)),
      chosen_(first),
      what_(named("export-what", new QTreeWidget, tr("What to export"))),
      pages_(new QStackedWidget),
      format_(named("figure-format", new QComboBox)),
      size_(named("figure-size", new QComboBox)),
      width_(number(kPaperWidthMm, "figure-width")),
      unit_(named("figure-unit", new QComboBox, tr("Unit of the width"))),
      font_(number(kPaperFontPoints, "figure-font")),
      dpi_(named("figure-dpi", new QSpinBox)),
      data_(named("figure-data", new QCheckBox(tr("Write its &data beside it, as CSV")))),
      preview_(named("figure-preview", new QLabel)),
      note_(named("figure-note", wrapping({}, Qt::PlainText))),
      title_(new QLabel),
      summary_(named("export-summary", wrapping({}, Qt::PlainText))),
      reason_(named("export-reason", wrapping({}, Qt::PlainText))) {
  setWindowTitle(choices_.size() > 1 ? tr("Export") : tr("Export figure"));
  fillList();
  pages_->addWidget(makeFigurePage());
  pages_->addWidget(makeTextPage());
  auto* buttons = answers(this, QDialogButtonBox::Save | QDialogButtonBox::Cancel);
  save_ = buttons->button(QDialogButtonBox::Save);
  save_->setText(tr("&Export…"));
  put_into(new QVBoxLayout(this), {{put_into(new QHBoxLayout, {what_, {pages_, 1}}), 1}, buttons});

  const PaperFormat shown = how.paper.value_or(PaperFormat{});
  format_->setCurrentIndex(static_cast<int>(std::ranges::find(kFigureFormats, how.format) - kFigureFormats.begin()));
  width_->setValue(shown.width_mm);
  font_->setValue(shown.font_points);
  dpi_->setValue(shown.png_dpi);
  data_->setChecked(how.with_data);
  const Size size = !how.paper                              ? Size::kScreen
                    : near(shown.width_mm, kSingleColumnMm) ? Size::kSingle
                    : near(shown.width_mm, kDoubleColumnMm) ? Size::kDouble
                                                            : Size::kOther;
  size_->setCurrentIndex(static_cast<int>(size));
  typing_.setSingleShot(true);
  typing_.setInterval(kTypingMs);
  connect(&typing_, &QTimer::timeout, this, &ExportDialog::showPreview);
  connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::takeSize);
  connect(size_, &QComboBox::currentIndexChanged, this, &ExportDialog::takeSize);
  connect(unit_, &QComboBox::currentIndexChanged, this, &ExportDialog::takeUnit);
  for (QDoubleSpinBox* box : {width_, font_}) {
    connect(box, &QDoubleSpinBox::valueChanged, &typing_, qOverload<>(&QTimer::start));
  }
  connect(what_, &QTreeWidget::currentItemChanged, this, &ExportDialog::choose);
  takeSize();
  showChoice();
}

void ExportDialog::fillList() {
  what_->setVisible(choices_.size() > 1);
  what_->setHeaderHidden(true);
  what_->setRootIsDecorated(false);
  what_->setIndentation(12);
  what_->setFixedWidth(kWhatWidth);
  QTreeWidgetItem* group = nullptr;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const Choice& choice = choices_[i];
    if (group == nullptr || group->text(0) != choice.group) {
      group = new QTreeWidgetItem(what_, {choice.group});
      group->setFlags(Qt::ItemIsEnabled);
      QFont bold = font();
      bold.setBold(true);
      group->setFont(0, bold);
    }
    auto* item = new QTreeWidgetItem(group, {choice.title});
    item->setData(0, Qt::UserRole, static_cast<uint>(i));
    item->setToolTip(0, choice.reason);
    if (!choice.reason.isEmpty()) item->setForeground(0, palette().color(QPalette::PlaceholderText));
    if (i == chosen_) what_->setCurrentItem(item);
  }
  what_->expandAll();
  what_->setItemsExpandable(false);
}

QWidget* ExportDialog::makeFigurePage() {
  for (const FigureFormat format : kFigureFormats) format_->addItem(format_name(format));
  size_->addItems({tr("As on the screen"), tr("Paper, one column (%1 mm)").arg(kSingleColumnMm),
                   tr("Paper, two columns (%1 mm)").arg(kDoubleColumnMm), tr("Paper, another width")});
  unit_->addItems({tr("mm"), tr("inches")});
  font_->setSuffix(QChar(0x00A0) + tr("pt"));
  font_->setSingleStep(0.5);
  font_->setToolTip(tr("Size of ordinary text. All text grows if some would be under %1 pt").arg(kLeastTextPoints));
  dpi_->setRange(static_cast<int>(kPaperDpi.least), static_cast<int>(kPaperDpi.most));
  dpi_->setSuffix(QChar(0x00A0) + tr("dpi"));
  preview_->setAlignment(Qt::AlignCenter);
  preview_->setMinimumSize(kPreviewSize);

  auto* page = new QWidget;
  auto* form = new QFormLayout;
  form->addRow(tr("&Format"), format_);
  form->addRow(tr("&Size"), size_);
  auto* width_label = new QLabel(tr("&Width"));
  width_label->setBuddy(width_);  // of a row of several the form finds none, and shows the mark
  form->addRow(width_label, put_into(new QHBoxLayout, {{width_, 1}, unit_}));
  form->addRow(tr("&Text"), font_);
  form->addRow(tr("&PNG"), dpi_);
  form->addRow(QString(), data_);
  flush(put_into(new QVBoxLayout(page), {form, {preview_, 1}, note_}));
  return page;
}

QWidget* ExportDialog::makeTextPage() {
  auto* page = new QWidget;
  QFont large = font();
  large.setPointSize(kTitlePointsOfText);
  large.setBold(true);
  title_->setFont(large);
  reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);  // a command to install a program is copied
  put_into(inset(new QVBoxLayout(page), {kMarginOfPages, 0, 0, 0}, kMarginOfPages),
           {title_, summary_, reason_, FreeRoom{1}});
  return page;
}

FigureFormat ExportDialog::format() const { return kFigureFormats[static_cast<std::size_t>(format_->currentIndex())]; }

FigureExport ExportDialog::how() const { return {format(), paper(), data_->isChecked()}; }

std::optional<PaperFormat> ExportDialog::paper() const {
  switch (static_cast<Size>(size_->currentIndex())) {
    case Size::kScreen: return std::nullopt;
    case Size::kSingle: return PaperFormat{kSingleColumnMm, font_->value(), dpi_->value()};
    case Size::kDouble: return PaperFormat{kDoubleColumnMm, font_->value(), dpi_->value()};
    case Size::kOther: break;
  }
  const double mm = unit_->currentIndex() == kInches ? width_->value() * kMmPerInch : width_->value();
  return PaperFormat{mm, font_->value(), dpi_->value()};
}

void ExportDialog::takeSize() {
  const auto size = static_cast<Size>(size_->currentIndex());
  if (size == Size::kSingle || size == Size::kDouble) {
    unit_->setCurrentIndex(0);
    width_->setValue(size == Size::kSingle ? kSingleColumnMm : kDoubleColumnMm);
  }
  const bool drawn = format() != FigureFormat::kCsv;
  size_->setEnabled(drawn);
  width_->setEnabled(drawn && size == Size::kOther);
  unit_->setEnabled(drawn && size == Size::kOther);
  font_->setEnabled(drawn && size != Size::kScreen);
  dpi_->setEnabled(format() == FigureFormat::kPng && size != Size::kScreen);
  data_->setEnabled(drawn);
  showPreview();
}

void ExportDialog::takeUnit() {
  const bool inches = unit_->currentIndex() == kInches;
  const double value = inches ? width_->value() / kMmPerInch : width_->value() * kMmPerInch;
  const double scale = inches ? 1 / kMmPerInch : 1;
  width_->setDecimals(inches ? 2 : 1);
  width_->setSingleStep(inches ? 0.1 : 1);
  width_->setRange(kPaperWidthMm.least * scale, kPaperWidthMm.most * scale);
  width_->setValue(value);
}

void ExportDialog::choose(QTreeWidgetItem* item, QTreeWidgetItem* before) {
  if (item == nullptr) return;
  if (item->parent() == nullptr) {  // a heading: the keys go past it
    const bool down = before != nullptr && before->parent() != item;
    QTreeWidgetItem* const next = down ? item->child(0) : what_->itemAbove(item);
    return what_->setCurrentItem(next != nullptr ? next : before);
  }
  chosen_ = item->data(0, Qt::UserRole).toUInt();
  showChoice();
}

void ExportDialog::showChoice() {
  const Choice& choice = choices_[chosen_];
  pages_->setCurrentIndex(choice.figure != nullptr ? 0 : 1);
  if (choice.figure != nullptr) return showPreview();
  title_->setText(choice.title);
  summary_->setText(choice.summary);
  reason_->setText(choice.reason.isEmpty() ? QString() : tr("Not possible now: %1").arg(choice.reason));
  save_->setEnabled(choice.reason.isEmpty());
}

void ExportDialog::showPreview() {
  typing_.stop();
  const Figure* const figure = choices_[chosen_].figure;
  if (figure == nullptr) return;
  const std::optional<PaperFormat> wanted = format() == FigureFormat::kCsv ? std::nullopt : paper();
  const auto size = wanted ? size_on_paper(*figure, *wanted) : Result<QSizeF>();
  const double ratio = devicePixelRatioF();
  const auto picture = figure_preview(*figure, wanted, (QSizeF(kPreviewSize) * ratio).toSize());
  save_->setEnabled(picture.has_value());
  if (!picture) {
    preview_->clear();
    note_->setText(error_text(picture.error()));
    return;
  }
  QPixmap fitted = QPixmap::fromImage(*picture);
  fitted.setDevicePixelRatio(ratio);
  preview_->setPixmap(fitted);
  note_->setText(format() == FigureFormat::kCsv ? tr("The numbers of the figure as a table.")
                 : wanted ? tr("%1 mm wide, %2 mm high, no text under %3 pt. The colours also differ in grey.")
                                .arg(size->width(), 0, 'f', 0)
                                .arg(size->height(), 0, 'f', 0)
                                .arg(kLeastTextPoints)
                          : tr("At its size in the window, in the light colours."));
}

}  // namespace iosx

#include "moc_export_dialog.cpp"
