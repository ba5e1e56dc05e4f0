#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QImage>
#include <QPixmap>
#include <QPushButton>
#include <QSaveFile>
#include <QSpinBox>
#include <cmath>

#include "views/figures/exporter.h"
#include "views/text/messages.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/base/settings.h"
#include "views/window/dialogs/save_dialogs.h"

namespace iosx {
namespace {

// Returns the suffix for names without one, from "(*.svg)" at the end of a file dialog's filter.
QString suffix_of_filter(const QString& filter) {
  const qsizetype star = filter.lastIndexOf(QStringLiteral("*."));
  return star < 0 ? QString() : filter.mid(star + 2, filter.size() - star - 3);
}

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

}  // namespace

Result<void> write_file(const QString& path, const QByteArray& content) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit()) {
    return fail(verbatim(file.errorString().toStdString()), path.toStdString(), message("choose a writable folder"));
  }
  return {};
}

QString ask_for_new_file(QWidget* window, const QString& title, const QString& start, const QStringList& filters,
                         Replacing replacing) {
  QFileDialog dialog(window, title, QFileInfo(start).path());
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setOption(QFileDialog::DontConfirmOverwrite, replacing == Replacing::kNotAsk);
  dialog.setNameFilters(filters);
  const auto use = [&dialog](const QString& filter) { dialog.setDefaultSuffix(suffix_of_filter(filter)); };
  QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, use);
  use(filters.front());
  dialog.selectFile(QFileInfo(start).fileName());
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

QString ask_where_to_save(QWidget* window, const Settings& settings, const QString& title, const QString& stem,
                          const QStringList& filters) {
  const QString name = stem + QLatin1Char('.') + suffix_of_filter(filters.front());
  return ask_for_new_file(window, title, QDir(settings.folder()).filePath(name), filters);
}

QStringList figure_filters() {
  QStringList filters;
  for (const FigureFormat format : kFigureFormats) filters << file_filter(format);
  return filters;
}

FigureDialog::FigureDialog(std::vector<Choice> figures, std::size_t first, const std::optional<PaperFormat>& paper,
                           QWidget* parent)
    : QDialog(parent),
      figures_(std::move(figures)),
      what_(named("figure-what", new QComboBox)),
      size_(named("figure-size", new QComboBox)),
      width_(number(kPaperWidthMm, "figure-width")),
      unit_(named("figure-unit", new QComboBox, tr("Unit of the width"))),
      font_(number(kPaperFontPoints, "figure-font")),
      dpi_(named("figure-dpi", new QSpinBox)),
      preview_(named("figure-preview", new QLabel)),
      note_(named("figure-note", wrapping({}, Qt::PlainText))) {
  setWindowTitle(tr("Export figure"));
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

  auto* row = put_into(new QHBoxLayout, {{width_, 1}, unit_});
  auto* form = new QFormLayout;
  for (const Choice& choice : figures_) what_->addItem(choice.title);
  what_->setCurrentIndex(static_cast<int>(first));
  form->addRow(tr("&Figure"), what_);
  form->setRowVisible(what_, figures_.size() > 1);
  connect(what_, &QComboBox::currentIndexChanged, this, &FigureDialog::showPreview);
  form->addRow(tr("&Size"), size_);
  auto* width_label = new QLabel(tr("&Width"));
  width_label->setBuddy(width_);  // of a row of several the form finds none, and shows the mark
  form->addRow(width_label, row);
  form->addRow(tr("&Text"), font_);
  form->addRow(tr("&PNG"), dpi_);
  auto* buttons = answers(this, QDialogButtonBox::Save | QDialogButtonBox::Cancel);
  save_ = buttons->button(QDialogButtonBox::Save);
  save_->setText(tr("&Export…"));
  put_into(new QVBoxLayout(this), {form, {preview_, 1}, note_, buttons});

  const PaperFormat shown = paper.value_or(PaperFormat{});
  width_->setValue(shown.width_mm);
  font_->setValue(shown.font_points);
  dpi_->setValue(shown.png_dpi);
  const Size size = !paper                                  ? Size::kScreen
                    : near(shown.width_mm, kSingleColumnMm) ? Size::kSingle
                    : near(shown.width_mm, kDoubleColumnMm) ? Size::kDouble
                                                            : Size::kOther;
  size_->setCurrentIndex(static_cast<int>(size));
  typing_.setSingleShot(true);
  typing_.setInterval(kTypingMs);
  connect(&typing_, &QTimer::timeout, this, &FigureDialog::showPreview);
  connect(size_, &QComboBox::currentIndexChanged, this, &FigureDialog::takeSize);
  connect(unit_, &QComboBox::currentIndexChanged, this, &FigureDialog::takeUnit);
  for (QDoubleSpinBox* box : {width_, font_}) {
    connect(box, &QDoubleSpinBox::valueChanged, &typing_, qOverload<>(&QTimer::start));
  }
  takeSize();
}

std::size_t FigureDialog::chosen() const { return static_cast<std::size_t>(std::max(0, what_->currentIndex())); }

std::optional<PaperFormat> FigureDialog::paper() const {
  switch (static_cast<Size>(size_->currentIndex())) {
    case Size::kScreen: return std::nullopt;
    case Size::kSingle: return PaperFormat{kSingleColumnMm, font_->value(), dpi_->value()};
    case Size::kDouble: return PaperFormat{kDoubleColumnMm, font_->value(), dpi_->value()};
    case Size::kOther: break;
  }
  const double mm = unit_->currentIndex() == kInches ? width_->value() * kMmPerInch : width_->value();
  return PaperFormat{mm, font_->value(), dpi_->value()};
}

void FigureDialog::takeSize() {
  const auto size = static_cast<Size>(size_->currentIndex());
  if (size == Size::kSingle || size == Size::kDouble) {
    unit_->setCurrentIndex(0);
    width_->setValue(size == Size::kSingle ? kSingleColumnMm : kDoubleColumnMm);
  }
  width_->setEnabled(size == Size::kOther);
  unit_->setEnabled(size == Size::kOther);
  font_->setEnabled(size != Size::kScreen);
  dpi_->setEnabled(size != Size::kScreen);
  showPreview();
}

void FigureDialog::takeUnit() {
  const bool inches = unit_->currentIndex() == kInches;
  const double value = inches ? width_->value() / kMmPerInch : width_->value() * kMmPerInch;
  const double scale = inches ? 1 / kMmPerInch : 1;
  width_->setDecimals(inches ? 2 : 1);
  width_->setSingleStep(inches ? 0.1 : 1);
  width_->setRange(kPaperWidthMm.least * scale, kPaperWidthMm.most * scale);
  width_->setValue(value);
}

void FigureDialog::showPreview() {
  typing_.stop();
  const std::optional<PaperFormat> wanted = paper();
  const auto size = wanted ? size_on_paper(figure(), *wanted) : Result<QSizeF>();
  const double ratio = devicePixelRatioF();
  const auto picture = figure_preview(figure(), wanted, (QSizeF(kPreviewSize) * ratio).toSize());
  save_->setEnabled(picture.has_value());
  if (!picture) {
    preview_->clear();
    note_->setText(error_text(picture.error()));
    return;
  }
  QPixmap fitted = QPixmap::fromImage(*picture);
  fitted.setDevicePixelRatio(ratio);
  preview_->setPixmap(fitted);
  note_->setText(wanted ? tr("%1 mm wide, %2 mm high, no text under %3 pt. The colours also differ in grey.")
                              .arg(size->width(), 0, 'f', 0)
                              .arg(size->height(), 0, 'f', 0)
                              .arg(kLeastTextPoints)
                        : tr("At its size in the window, in the light colours."));
}

}  // namespace iosx

#include "moc_save_dialogs.cpp"
