#include "views/edit_graph/latency_line.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QTextDocument>
#include <QToolButton>

#include "views/edit_graph/edit_latencies.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr int kPatience = 250;  // ms

QString unbroken_html(const QString& text) {
  return QString(text).replace(QLatin1Char(' '), QChar(0xA0)).toHtmlEscaped();
}

QString coloured(const QColor& color, const QString& text) {
  return QStringLiteral("<span style='color:%1'>%2</span>").arg(color.name(), unbroken_html(text));
}

QString where(const EditLatencies::Figures& figures) {
  return LatencyLine::tr("%1 on %2, batch %3")
      .arg(origin_text(figures.now.sequential.origin), shown_name(figures.device.name))
      .arg(figures.batch);
}

}  // namespace

LatencyLine::LatencyLine(EditLatencies& latencies, QWidget* parent)
    : QWidget(parent),
      latencies_(latencies),
      text_(named("edit-latencies", new QLabel)),
      measure_(named("edit-measure", new QToolButton)),
      always_(named("edit-always", new QCheckBox(tr("after each edit")))) {
  setObjectName(QStringLiteral("edit-foot"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  text_->setTextFormat(Qt::RichText);
  text_->setWordWrap(true);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  text_->setMinimumHeight(measure_->sizeHint().height());
  auto* row = put_into(inset(new QHBoxLayout(this), {10, 4, 6, 4}, 6), {{text_, 1}});
  measure_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  always_->setToolTip(tr("Measure automatically after every edit"));
  put_into(row, {measure_, always_});
  connect(measure_, &QToolButton::clicked, &latencies_, &EditLatencies::measure);
  connect(always_, &QCheckBox::toggled, &latencies_, &EditLatencies::setMeasuresAfterEdit);
  patience_.setSingleShot(true);
  patience_.setInterval(kPatience);
  connect(&patience_, &QTimer::timeout, this, &LatencyLine::say);
  connect(&latencies_, &EditLatencies::changed, this, &LatencyLine::refresh);
  refresh();
  follow_theme(this, theme_, [this] { refresh(); });
}

void LatencyLine::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (latencies_.figures() != nullptr) say();
}

void LatencyLine::say() {
  QTextDocument whole;
  whole.setDefaultFont(text_->font());
  whole.setDocumentMargin(0);
  whole.setHtml(words(false));
  text_->setText(words(whole.idealWidth() > text_->width()));
}

QString LatencyLine::words(bool brief) const {
  if (const QString why = latencies_.problem(); !why.isEmpty())
    return coloured(theme_.text, tr("No latency is known:")) + QLatin1Char(' ') + why.toHtmlEscaped();
  const EditLatencies::Figures* const figures = latencies_.figures();
  if (figures == nullptr) return coloured(theme_.mutedText, tr("The latency is being computed"));
  QStringList cells;
  for (const editor::LatencyRow& row : editor::latency_rows(*figures, figures->before)) {
    QString cell = unbroken_html(row.schedule) + QStringLiteral("&nbsp;");
    cell += row.now.isEmpty() ? coloured(theme_.mutedText, latencies_.searching() ? tr("searching") : tr("pending"))
                              : QStringLiteral("<b>%1</b>").arg(unbroken_html(row.now));
    if (!row.change.isEmpty())
      cell += QStringLiteral("&nbsp;") + coloured(editor::change_color(theme_, row.direction), row.change);
    cells << cell;
  }
  const QString on = brief ? origin_text(figures->now.sequential.origin) : where(*figures);
  const QString gap = QStringLiteral(" &nbsp;&nbsp; ");
  QString figures_on = cells.join(gap) + gap + coloured(theme_.mutedText, on);
  if (latencies_.leftOut() == 0) return figures_on;
  return figures_on + gap + coloured(theme_.error, tr("operators left out: %1").arg(latencies_.leftOut()));
}

void LatencyLine::refresh() {
  if (latencies_.figures() != nullptr || !latencies_.problem().isEmpty() || text_->text().isEmpty()) {
    patience_.stop();
    say();
  } else if (!patience_.isActive()) {
    patience_.start();
  }
  const auto* known = latencies_.figures();
  QStringList tip{
      known != nullptr && !is_modelled(known->device.origin)
          ? tr("Latencies of the schedules for the drawn graph: the sum of the stages, each alone, and of the "
               "gaps between them. Changes are those of the last edit.")
          : tr("Latencies of the schedules for the drawn graph. Changes are those of the last edit.")};
  if (known != nullptr) tip << where(*known);
  if (latencies_.leftOut() > 0)
    tip << tr("Operators that cannot be computed are left out: %1").arg(latencies_.reasonLeftOut());
  if (known != nullptr && known->before && known->first) {
    for (const editor::LatencyRow& row : editor::latency_rows(*known, known->first)) {
      if (!row.change.isEmpty()) tip << tr("%1 since opening: %2").arg(row.schedule, row.change);
    }
  }
  text_->setToolTip(plain_tip(tip.join(QLatin1Char('\n'))));
  const DeviceInfo* const device = latencies_.measuringDevice();
  measure_->setVisible(device != nullptr);
  always_->setVisible(device != nullptr);
  if (device == nullptr) return;
  measure_->setText(latencies_.measuring() ? tr("Measuring…") : tr("Measure"));
  measure_->setEnabled(!latencies_.measuring() && latencies_.problem().isEmpty());
  measure_->setToolTip(plain_tip(tr("Search and measure the drawn graph on %1").arg(shown_name(device->name))));
}

}  // namespace iosx

#include "moc_latency_line.cpp"
