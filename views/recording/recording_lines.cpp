#include "views/recording/recording_lines.h"

#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStyle>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/analysis/recording/opened_recording.h"
#include "views/text/messages.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/fitted_text.h"

namespace iosx {
namespace {

// Asks for as much room as its longest line needs, and scrolls in less.
class CodeView final : public QPlainTextEdit {
 public:
  explicit CodeView(const QString& code) : QPlainTextEdit(code) {
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(QFont(QStringLiteral("monospace"), 10));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  }
  QSize sizeHint() const override {
    const QFontMetricsF metrics(font());
    double widest = 0;
    for (const QString& line : toPlainText().split(QLatin1Char('\n')))
      widest = std::max(widest, metrics.horizontalAdvance(line));
    const double around = 2 * (document()->documentMargin() + frameWidth());
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);  // also room for the cursor
    const double height = (blockCount() + 1) * std::ceil(metrics.lineSpacing());
    return {static_cast<int>(std::ceil(widest + around) + bar), static_cast<int>(std::ceil(height + around))};
  }
  QSize minimumSizeHint() const override { return {240, sizeHint().height() / 3}; }
};

}  // namespace

QString recording_lines() {
  return QStringLiteral(
      "from torch.profiler import (profile, ProfilerActivity as A,\n"
      "                            ExecutionTraceObserver, _ExperimentalConfig)\n"
      "for _ in range(3): step()  # warm up: allocator, autotuning\n"
      "et = ExecutionTraceObserver().register_callback(\"run.et.json\")\n"
      "sync = _ExperimentalConfig(enable_cuda_sync_events=True)\n"
      "with profile(activities=[A.CPU, A.CUDA], record_shapes=True, with_stack=True,\n"
      "             execution_trace_observer=et, experimental_config=sync) as p:\n"
      "    step()\n"
      "    torch.cuda.synchronize()\n"
      "p.export_chrome_trace(\"run.trace.json.gz\")");
}

RecordingLines::RecordingLines(QWidget* parent)
    : QWidget(parent),
      code_(named("recording-lines", new CodeView(recording_lines()), tr("How to record"))),
      copy_(named("recording-copy-lines", bar_button(tr("Copy"), tr("Copy all lines")))) {
  auto* words = new WrappedLabel;
  words->setText(
      tr("These lines record all that this page can show. The second file says which kernels wait for which: open "
         "both, or add it here."));
  put_into(flush(new QVBoxLayout(this), 8), {words, code_, put_into(flush(new QHBoxLayout), {copy_, FreeRoom{1}})});
  connect(copy_, &QToolButton::clicked, this, [this] {
    QGuiApplication::clipboard()->setText(recording_lines() + QLatin1Char('\n'));
    copy_->setText(tr("Copied"));
  });
}

void RecordingLines::showWhole() { code_->setMinimumSize(code_->sizeHint()); }

NoPredictions::NoPredictions(QWidget* parent)
    : QWidget(parent), why_(named("recording-why-none", new WrappedLabel)), lines_(new RecordingLines) {
  put_into(inset(new QVBoxLayout(this), {20, 16, 20, 16}, 14), {why_, lines_, FreeRoom{1}});
}

void NoPredictions::setRecording(const OpenedRecording& opened) {
  const auto& why = opened.predictions.why_none;
  why_->setText(why ? tr("No lanes can be predicted: %1.").arg(message_text(*why)) : QString());
  lines_->setVisible(lacks_dependencies(opened));
}

bool lacks_dependencies(const OpenedRecording& opened) { return opened.predictions.why_none == without_dependencies(); }

}  // namespace iosx

#include "moc_recording_lines.cpp"
