#include "views/text/format.h"

#include <QStringList>
#include <array>
#include <cmath>

#include "views/text/translate.h"

namespace iosx::format {
namespace {

QString with_prefix(double value, const QString& unit) {
  static constexpr std::array<const char*, 6> kPrefixes{"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (std::abs(value) >= 1000 && prefix + 1 < kPrefixes.size()) {
    value /= 1000;
    ++prefix;
  }
  const int decimals = prefix == 0 ? 0 : value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return QString::number(value, 'f', decimals) + QChar(0x00A0) + QString::fromLatin1(kPrefixes[prefix]) + unit;
}

}  // namespace

QString millis(Millis value) {
  const double ms = value.count();
  return QString::number(ms, 'f', ms >= 1000 ? 1 : ms >= 100 ? 2 : 3);
}

QString percent(double share) { return QString::number(100 * share, 'f', 1); }

QString factor(double value) { return QString::number(value, 'f', 2); }

QString count(std::int64_t value) {
  QString digits = QString::number(value);
  const qsizetype first = value < 0 ? 1 : 0;
  for (qsizetype at = digits.size() - 3; at > first; at -= 3) digits.insert(at, QChar(0x2009));
  return digits;
}

QString number(double value) {
  constexpr double kMostPlain = 1e7;
  const double size = std::abs(value);
  const QString text = size >= 1000 && size < kMostPlain ? count(std::llround(value)) : QString::number(value, 'g', 4);
  return text.startsWith(QLatin1Char('-')) ? QChar(0x2212) + text.mid(1) : text;
}

QString flops(double value) { return with_prefix(value, QStringLiteral("FLOP")); }

QString bytes(std::int64_t value) { return with_prefix(static_cast<double>(value), QStringLiteral("B")); }

QString shape(const Shape& value) { return QString::fromStdString(shape_text(value, " × ")); }

QString shapes(const Graph& graph, UnitId unit) {
  QStringList texts;
  for (const OperatorId id : graph.outputs(unit)) {
    const Operator& op = graph.op(id);
    texts.append(op.sized ? shape(op.output) : Text::tr("unknown"));
  }
  return texts.join(QStringLiteral(", "));
}

QString extent(const Extent& value) { return QStringLiteral("%1 × %2").arg(value.height).arg(value.width); }

QString elapsed(Seconds value) {
  const double seconds = value.count();
  if (seconds < 60) return QString::number(seconds, 'f', 1) + QStringLiteral(" s");
  const auto whole = static_cast<int>(seconds);
  return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace iosx::format
