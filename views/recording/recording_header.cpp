#include "views/recording/recording_header.h"

#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

#include "views/figures/paint.h"
#include "views/recording/recording_paint.h"
#include "views/recording/recording_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/fitted_text.h"

namespace iosx {
namespace {

constexpr double kBarHeight = 14;
constexpr double kLeastPart = 0.0005;  // of the span, to be in words

QString span_text(double micros) { return duration_text(Micros(micros)); }

QLabel* caption(const QString& text) {
  auto* label = new QLabel(text);
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

QFont slanted(QFont font) {
  font.setItalic(true);
  return font;
}

}  // namespace

IdleBar::IdleBar(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  follow_theme(this, theme_, [this] { update(); });
}

void IdleBar::setUsage(const DeviceUsage& usage, bool of_processor) {
  usage_ = usage;
  of_processor_ = of_processor;
  QStringList parts{tr("busy %1").arg(span_text(usage.busy))};
  for (std::size_t i = 0; i < kIdleReasons; ++i) {
    const auto reason = static_cast<IdleReason>(i);
    if (const double time = usage.idle.of(reason); time > 0)
      parts << QStringLiteral("%1 %2").arg(idle_reason_text(reason, of_processor_), span_text(time));
  }
  setAccessibleName(parts.join(QStringLiteral(", ")));
  setToolTip(plain_tip(parts.join(QLatin1Char('\n'))));
  update();
}

void IdleBar::paintEvent(QPaintEvent* /*event*/) {
  if (usage_.span <= 0) return;
  QPainter painter(this);
  const QFont font = sized(this->font(), 11);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  double x = 0;
  double words = 0;  // where the next words begin
  const auto part = [&](const QString& name, double time, const auto& fill) {
    const double width_of = time / usage_.span * width();
    fill(QRectF(x, 2, width_of, kBarHeight));
    x += width_of;
    if (time < kLeastPart * usage_.span) return;
    const QString text = QStringLiteral("%1 %2").arg(name, span_text(time));
    const double needed = metrics.horizontalAdvance(text);
    if (words + needed + 18 > width()) return;
    fill(QRectF(words, kBarHeight + 11, 12, 10));
    paint_text(painter, theme_.text, QRectF(words + 17, kBarHeight + 6, needed + 2, 20), kAtLeft, text);
    words += needed + 34;
  };
  part(tr("busy"), usage_.busy, [&](const QRectF& box) { painter.fillRect(box, theme_.text); });
  for (std::size_t i = 0; i < kIdleReasons; ++i) {
    const auto reason = static_cast<IdleReason>(i);
    const double time = usage_.idle.of(reason);
    if (time <= 0) continue;
    part(idle_reason_text(reason, of_processor_), time,
         [&](const QRectF& box) { paint_idle(painter, box, theme_, reason); });
  }
  painter.setPen(theme_.outline);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(0.5, 1.5, width() - 1.0, kBarHeight));
}

RecordingHeader::RecordingHeader(QWidget* parent)
    : QWidget(parent),
      source_(named("recording-source", new ElidedLabel)),
      judgement_(named("recording-judgement", new WrappedLabel)),
      bar_(named("recording-idle", new IdleBar)),
      figures_(named("recording-figures", new QWidget)),
      notices_(named("recording-notices", new WrappedLabel)),
      more_(named("recording-more-notices", bar_button({}, tr("Show or hide all notices")))) {
  QFont large = judgement_->font();
  large.setPointSizeF(large.pointSizeF() * 1.35);
  large.setBold(true);
  judgement_->setFont(large);
  source_->setForegroundRole(QPalette::PlaceholderText);
  auto* figures = flush(new QHBoxLayout(figures_), 22);
  figures->addWidget(caption(tr("Recorded")));
  span_ = addFigure(*figures, "recording-span", tr("span"), tr("From the first kernel's begin to the last one's end"));
  busy_ = addFigure(*figures, "recording-busy", tr("busy"), tr("While at least one kernel ran"));
  idle_ = addFigure(*figures, "recording-idle-share", tr("idle"), tr("The part of the span in which no kernel ran"));
  figures->addSpacing(14);
  auto* modelled = caption(tr("Modelled"));
  modelled->setFont(slanted(modelled->font()));
  figures->addWidget(modelled);
  gaps_ = addFigure(*figures, "recording-gaps", tr("without launch gaps"),
                    tr("The span of the same kernels on the same streams if all were launched at once, as in a CUDA "
                       "graph"));
  streams_ = addFigure(*figures, "recording-streams", tr("streams at most"),
                       tr("The most that streams can win: the part of the device that kernels leave idle while they "
                          "run. Collectives do not count"));
  path_ = addFigure(*figures, "recording-path", tr("critical path"),
                    tr("The longest chain of kernels that wait for one another"));
  model_ = addFigure(*figures, "recording-model", tr("check of the model"),
                     tr("How far the model is from the recorded span when it replays the recording as it was"));
  // What was not recorded looks different.
  for (const Figure* one : {&gaps_, &streams_, &path_, &model_}) {
    one->value->setFont(slanted(one->value->font()));
    one->title->setFont(slanted(one->title->font()));
  }
  figures->addStretch(1);
  auto* told = flush(new QHBoxLayout, 6);
  put_into(told, {{notices_, 1}, more_});
  more_->setCheckable(true);
  connect(more_, &QToolButton::toggled, this, &RecordingHeader::showNotices);
  put_into(inset(new QVBoxLayout(this), {14, 8, 14, 6}, 5), {source_, judgement_, figures_, bar_, told});
}

RecordingHeader::Figure RecordingHeader::addFigure(QHBoxLayout& row, const char* name, const QString& title,
                                                   const QString& tip) {
  auto* value = named(name, new QLabel);
  QFont bold = value->font();
  bold.setBold(true);
  bold.setPointSizeF(bold.pointSizeF() * 1.1);
  value->setFont(bold);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QLabel* words = caption(title);
  for (QLabel* label : {value, words}) label->setToolTip(tip);
  row.addLayout(put_into(flush(new QVBoxLayout, 0), {value, words}));
  return {value, words};
}

void RecordingHeader::setRecording(const OpenedRecording& opened, const QString& name) {
  const Recording& recording = opened.recording;
  const bool timed = recording.timed;
  const QString lanes = recording.lanes.size() == 1 ? tr("1 stream") : tr("%1 streams").arg(recording.lanes.size());
  const QString kernels = kernels_text(recording, recording.kernels.size());
  source_->setText(timed ? tr("%1: %2 on %3 of %4").arg(name, kernels, lanes, message_text(device_text(recording)))
                         : tr("%1: %2 without times").arg(name, kernels));
  const QString first = timed ? judgement_text(opened) : untimed_text(recording);
  judgement_->setText(first);
  judgement_->setVisible(!first.isEmpty());
  figures_->setVisible(timed);
  bar_->setVisible(timed);
  all_notices_.clear();
  if (timed) showFigures(opened);
  more_->setChecked(false);
  showNotices();
}

void RecordingHeader::showFigures(const OpenedRecording& opened) {
  const Recording& recording = opened.recording;
  const RecordingReport& report = opened.report;
  const QString none = tr("unknown");
  span_.value->setText(span_text(report.usage.span));
  busy_.value->setText(span_text(report.usage.busy));
  idle_.value->setText(percent_text(report.usage.idle_share()));
  gaps_.value->setText(report.without_launch_gaps ? span_text(*report.without_launch_gaps) : none);
  gaps_.title->setText(recording.of_processor ? tr("without gaps") : tr("without launch gaps"));
  streams_.value->setText(
      !report.streams_known()
          ? tr("unknown")
          : tr("%1 of %2").arg(percent_text(report.need.streams_at_most()), span_text(report.need.work)));
  path_.value->setText(report.critical_path ? span_text(report.critical_path->length) : none);
  model_.value->setText(model_text(report));
  bar_->setUsage(report.usage, recording.of_processor);
  for (const Message& notice : report.notices) all_notices_ << message_sentence(notice) + QLatin1Char('.');
}

void RecordingHeader::showNotices() {
  const bool all = more_->isChecked();
  more_->setText(all ? tr("Fewer notices") : tr("All %1 notices").arg(all_notices_.size()));
  more_->setVisible(all_notices_.size() > 1);
  notices_->setVisible(!all_notices_.isEmpty());
  notices_->setText(all ? all_notices_.join(QLatin1Char('\n')) : all_notices_.value(0));
}

QString RecordingHeader::text() const {
  QStringList lines{source_->text(), judgement_->text()};
  if (figures_->isHidden()) return lines.join(QLatin1Char('\n'));
  for (const Figure* one : {&span_, &busy_, &idle_, &gaps_, &streams_, &path_, &model_})
    lines << QStringLiteral("%1: %2").arg(one->title->text(), one->value->text());
  return (lines + all_notices_).join(QLatin1Char('\n'));
}

}  // namespace iosx

#include "moc_recording_header.cpp"
