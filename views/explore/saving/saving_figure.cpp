#include <QGuiApplication>
#include <QPainter>
#include <utility>

#include "views/explore/saving/saving_view.h"
#include "views/explore/saving/saving_words.h"
#include "views/figures/csv.h"
#include "views/style/style.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kFigureWidth = 900;
constexpr double kFigureHeight = 240;
constexpr double kSentence = 24;

class SavingFigure final : public Figure {
 public:
  explicit SavingFigure(SavingFacts saving) : saving_(std::move(saving)) {}

  QString title() const override {
    return Text::tr("Savings by part: %1").arg(context_text(*saving_.schedule.comparison));
  }
  QString fileStem() const override { return QStringLiteral("saving"); }
  QSizeF size() const override { return {kFigureWidth, kFigureHeight}; }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    painter.setFont(sized(QGuiApplication::font(), 12));
    painter.setPen(theme.text);
    const QRectF line(area.left(), area.top(), area.width(), kSentence);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(saving_sentence(saving_), Qt::ElideRight, line.width()));
    SavingPlot(saving_, area.adjusted(0, kSentence, 0, 0), QGuiApplication::font()).paint(painter, theme);
  }

  QString recorded() const override { return shown_name(saving_.schedule.comparison->recorded.text()); }

  // The last record is what no part and no stage has; differences add up to that of the whole.
  QString csv() const override {
    QString text = csv_record({QStringLiteral("step"), QStringLiteral("stage"), QStringLiteral("baseline"),
                               QStringLiteral("schedule"), QStringLiteral("before_ms"), QStringLiteral("after_ms"),
                               QStringLiteral("delta_ms"), QStringLiteral("noise_ms"), QStringLiteral("per"),
                               QStringLiteral("origin_before"), QStringLiteral("origin_after")});
    for (std::size_t i = 0; i < saving_.steps.steps.size(); ++i) {
      const SavingStep& step = saving_.steps.steps[i];
      text += csv_record({step_name(saving_, i), step.stage ? QString::number(*step.stage + 1) : QString(),
                          shown_name(saving_.baseline.label), shown_name(saving_.schedule.label),
                          csv_number(step.before.count()), csv_number(step.after.count()),
                          csv_number(step.delta.value.count()),
                          step.delta.noise ? csv_number(step.delta.noise->count()) : QString(),
                          saving_.steps.per == Per::kSample ? QStringLiteral("sample") : QStringLiteral("batch"),
                          origin_id(saving_.baseline.schedule().latency.origin),
                          origin_id(saving_.schedule.schedule().latency.origin)});
    }
    return text;
  }

 private:
  SavingFacts saving_;
};

}  // namespace

std::unique_ptr<Figure> make_saving_figure(const SavingFacts& saving) {
  return saving.known() ? std::make_unique<SavingFigure>(saving) : nullptr;
}

}  // namespace iosx
