#include <QCoreApplication>
#include <algorithm>

#include "views/models/describe.h"
#include "views/models/format.h"

namespace iosx {
namespace {

constexpr std::size_t kMostOutputs = 50;

QString tr(const char* text) { return QCoreApplication::translate("iosx::Inspector", text); }
QString error_text(double value) { return QString::number(value, 'g', 3); }

QString dims_text(const std::vector<std::int64_t>& dims) {
  QStringList sizes;
  for (const std::int64_t dim : dims) sizes << QString::number(dim);
  return sizes.join(QStringLiteral(" × "));
}

}  // namespace

std::vector<Property> describe_verification(const QString& schedule, const Verification& verification) {
  std::vector<Property> lines;
  lines.push_back({tr("Outputs of %1").arg(schedule), {}, true});
  lines.push_back({tr("Compared with"), QString::fromStdString(verification.reference), false});
  lines.push_back({tr("Verdict"), verification.passed() ? tr("passed") : tr("FAILED"), false});
  lines.push_back({tr("Tolerance"), tr("%1 of the output's magnitude").arg(error_text(verification.tolerance)), false});
  const std::size_t shown = std::min(verification.outputs.size(), kMostOutputs);
  for (std::size_t i = 0; i < shown; ++i) {
    const OutputDifference& output = verification.outputs[i];
    QString text = tr("%1; largest error %2 absolute, %3 relative; magnitude %4")
                       .arg(output.passed ? tr("passed") : tr("FAILED"), error_text(output.max_abs),
                            error_text(output.max_rel), error_text(output.magnitude));
    if (!output.finite) text += tr("; has numbers that are not finite");
    if (!output.passed) {
      text += tr("; element %1 is %2 instead of %3")
                  .arg(output.worst)
                  .arg(static_cast<double>(output.value))
                  .arg(static_cast<double>(output.reference));
    }
    lines.push_back(
        {QStringLiteral("%1 (%2)").arg(QString::fromStdString(output.name), dims_text(output.dims)), text, false});
  }
  if (shown < verification.outputs.size()) {
    lines.push_back({tr("More"), tr("%1 further outputs").arg(verification.outputs.size() - shown), false});
  }
  return lines;
}

QString verification_sentence(const QString& schedule, const Verification& verification) {
  const auto failed = std::count_if(verification.outputs.begin(), verification.outputs.end(),
                                    [](const OutputDifference& output) { return !output.passed; });
  double absolute = 0;
  double relative = 0;
  for (const OutputDifference& output : verification.outputs) {
    absolute = std::max(absolute, output.max_abs);
    relative = std::max(relative, output.max_rel);
  }
  const QString errors = tr("largest error %1 absolute, %2 relative, tolerance %3 of the output's magnitude")
                             .arg(error_text(absolute), error_text(relative), error_text(verification.tolerance));
  const QString reference = QString::fromStdString(verification.reference);
  if (failed == 0) return tr("%1 computes the same as %2: %3.").arg(schedule, reference, errors);
  return tr("%1 does not compute the same as %2: %3 of %4 outputs differ; %5.")
      .arg(schedule, reference)
      .arg(failed)
      .arg(verification.outputs.size())
      .arg(errors);
}

}  // namespace iosx
