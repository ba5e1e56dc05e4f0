#include "views/edit_graph/latency_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "views/text/latency_text.h"

namespace iosx::editor {
namespace {

constexpr double kRounding = 1e-6;  // of a sum, as a share

struct LatencyWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::LatencyWords)
};

LatencyRow row(const QString& schedule, const std::optional<Latency>& now, const std::optional<Latency>& before) {
  LatencyRow made{.schedule = schedule, .now = {}, .change = {}};
  if (!now) return made;
  made.now = latency_text(*now);
  if (!before) return made;
  const double change = (now->value - before->value).count();
  const double noise = std::hypot(now->spread.count(), before->spread.count());
  if (std::abs(change) <= std::max(noise, kRounding * before->value.count())) {
    made.change = LatencyWords::tr("the same");
    return made;
  }
  made.direction = change > 0 ? 1 : -1;
  made.change = (change > 0 ? QStringLiteral("▲ +") : QStringLiteral("▼ −")) + duration_text(Millis(std::abs(change)));
  return made;
}

}  // namespace

std::vector<LatencyRow> latency_rows(const EditLatencies::Figures& figures, const std::optional<LiveFigures>& before) {
  const bool compared = before && figures.now.left_out == 0;
  const auto of = [&](auto member) { return compared ? std::optional<Latency>((*before).*member) : std::nullopt; };
  return {row(LatencyWords::tr("sequential"), figures.now.sequential, of(&LiveFigures::sequential)),
          row(LatencyWords::tr("greedy"), figures.now.greedy, of(&LiveFigures::greedy)),
          row(LatencyWords::tr("IOS"), figures.now.ios, compared ? before->ios : std::nullopt)};
}

QColor change_color(const Theme& theme, int direction) {
  if (direction == 0) return theme.mutedText;
  if (theme.dark) return direction > 0 ? QColor(0xff, 0x9a, 0x5c) : QColor(0x6c, 0xb8, 0xff);
  return direction > 0 ? QColor(0xb8, 0x42, 0x00) : QColor(0x12, 0x5a, 0xa8);
}

}  // namespace iosx::editor
