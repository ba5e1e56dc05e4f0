#include "views/window/dialogs/size_dialog.h"

#include <QFileInfo>
#include <QFormLayout>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>

#include "core/formats/onnx/convert/load_onnx.h"
#include "core/formats/onnx/read/read_model.h"
#include "models/compute_graph.h"
#include "views/style/theme.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr int kLeastSizesWidth = 460;  // pixels
constexpr int kMostRowsInSight = 8;    // more scroll
constexpr int kTrialLines = 4;
constexpr int kChangePause = 250;  // ms

// Writes "x: 1 × 3 × 224 × 224" of every input or output, a line each.
QString shapes_of(const std::vector<FileTensor>& tensors) {
  constexpr std::size_t kMost = 3;
  QStringList lines;
  for (std::size_t i = 0; i < std::min(tensors.size(), kMost); ++i) {
    QStringList sizes;
    for (const std::int64_t size : tensors[i].shape()) sizes << QString::number(size);
    lines << SizeDialog::tr("%1: %2").arg(
        shown_name(tensors[i].name), sizes.isEmpty() ? SizeDialog::tr("scalar") : sizes.join(QStringLiteral(" × ")));
  }
  if (tensors.size() > kMost) lines << SizeDialog::tr("and %1 more").arg(tensors.size() - kMost);
  return lines.join(QStringLiteral(", "));
}

onnx_import::OnnxOptions options_of(const InputSizes& sizes) {
  onnx_import::OnnxOptions options;
  options.compute = compute_graph;
  options.dims = sizes.dims;
  options.shapes = sizes.shapes;
  return options;
}

}  // namespace

SizeDialog::SizeDialog(const QString& path, const FileInterface& file, QWidget* parent)
    : QDialog(parent),
      path_(path.toStdString()),
      form_(new QWidget),
      trial_(named("size-trial", selectable({}, kTrialLines), tr("Check of the network"))) {
  setWindowTitle(tr("Input sizes"));
  setMinimumWidth(kLeastSizesWidth);
  auto* note = wrapping(tr("%1 leaves the sizes of these dimensions open. All computation depends on them.")
                            .arg(QFileInfo(path).fileName()),
                        Qt::PlainText);
  auto* rows = new QFormLayout(form_);
  rows->setContentsMargins(0, 4, 0, 4);
  auto* buttons = answers(this, QDialogButtonBox::Cancel);
  open_ = add_go_button(buttons, tr("&Open"), "size-open");
  auto* choose = named("size-choose", buttons->addButton(tr("Choose &for me"), QDialogButtonBox::ResetRole));
  choose->setToolTip(tr("Open it with usual sizes, and forget the sizes given for it"));
  connect(choose, &QPushButton::clicked, this, [this] {
    choose_ = true;
    accept();
  });
  put_into(new QVBoxLayout(this), {note, form_, trial_, buttons});

  typing_.setSingleShot(true);
  typing_.setInterval(kChangePause);
  connect(&typing_, &QTimer::timeout, this, &SizeDialog::tryOut);
  connect(&reader_, &JobRunner::failed, this, [this](const Error& error) { showTrial(error_text(error), false); });
  if (!file.open.empty()) showDims(file);
  readModel();
}

void SizeDialog::showDims(const FileInterface& file) {
  auto& form = *static_cast<QFormLayout*>(form_->layout());
  for (const OpenDim* dim : file.deciding()) addDim(form, *dim);
  if (form.rowCount() <= kMostRowsInSight) return;
  auto* scrolled = new QScrollArea;
  scrolled->setFrameShape(QFrame::NoFrame);
  scrolled->setWidgetResizable(true);
  layout()->replaceWidget(form_, scrolled);
  scrolled->setWidget(form_);
}

void SizeDialog::addDim(QFormLayout& form, const OpenDim& dim) {
  const QString name = shown_name(dim.name);
  auto* box = new QSpinBox;
  box->setRange(1, static_cast<int>(kMaxExtent));
  box->setValue(static_cast<int>(dim.size));
  box->setObjectName(QStringLiteral("size-") + name);
  box->setAccessibleName(name);
  box->setAccelerated(true);
  connect(box, &QSpinBox::valueChanged, &typing_, qOverload<>(&QTimer::start));
  auto* usual = new QToolButton;
  usual->setText(tr("Usual"));
  usual->setToolTip(tr("Usual sizes"));
  usual->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(usual);
  for (const std::int64_t size : dim.suggestions) {
    connect(menu->addAction(QString::number(size)), &QAction::triggered, box,
            [box, size] { box->setValue(static_cast<int>(size)); });
  }
  usual->setMenu(menu);
  usual->setVisible(!dim.suggestions.empty());
  QStringList places;
  for (const std::string& place : dim.places) places << shown_name(place);
  auto* where = new QLabel(places.join(QStringLiteral(", ")));
  where->setTextFormat(Qt::PlainText);
  where->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  where->setToolTip(where->text());
  auto* line = put_into(new QHBoxLayout, {box, usual, {where, 1}});
  auto* label = new QLabel(name);
  label->setTextFormat(Qt::PlainText);
  label->setBuddy(box);
  form.addRow(label, line);
  rows_.push_back({dim.name, box});
}

InputSizes SizeDialog::sizes() const {
  InputSizes sizes;
  if (choose_) return sizes;
  for (const Row& row : rows_) sizes.dims.emplace(row.name, row.size->value());
  return sizes;
}

void SizeDialog::readModel() {
  trial_->setText(tr("Reading the file…"));
  reader_.start({}, [this, path = path_](const JobContext&, const std::stop_token&) -> Result<JobRunner::Delivery> {
    IOS_TRY(auto model, onnx_import::read_onnx(path));
    IOS_TRY(auto file, onnx_import::inputs_of(model));
    return JobRunner::Delivery{
        [this, file = std::move(file), shared = std::make_shared<const onnx_import::OnnxModel>(std::move(model))] {
          model_ = shared;
          if (rows_.empty()) showDims(file);
          tryOut();
        }};
  });
}

void SizeDialog::tryOut() {
  if (model_ == nullptr) return;
  if (rows_.empty()) return showTrial(tr("The file leaves no size open."), false);
  reader_.start({},
                [this, model = model_, options = options_of(sizes())](
                    const JobContext&, const std::stop_token&) -> Result<JobRunner::Delivery> {
                  auto loaded = onnx_import::to_graph(*model, options);
                  if (!loaded) {
                    // This dialog itself is the remedy.
                    return tl::unexpected(Error{loaded.error().what, loaded.error().where, {}});
                  }
                  QString text = tr("The network fits.\nIn: %1\nOut: %2")
                                     .arg(shapes_of(loaded->file.inputs), shapes_of(loaded->file.outputs));
                  return JobRunner::Delivery{[this, text = std::move(text)] { showTrial(text, true); }};
                });
}

void SizeDialog::showTrial(const QString& text, bool fits) {
  trial_->setText(fits ? text : tr("The network does not fit: %1").arg(text));
  open_->setEnabled(fits);
}

}  // namespace iosx

#include "moc_size_dialog.cpp"
