#include "views/text/messages.h"

#include <QCoreApplication>
#include <array>
#include <string>

#include "views/text/qstring.h"

namespace iosx {
namespace {

struct Core {
  Q_DECLARE_TR_FUNCTIONS(iosx::Core)
};

constexpr const char* kContext = "iosx::Core";

// Words that core puts together of parts, for lupdate to find.
[[maybe_unused]] constexpr std::array kTexts{
    QT_TRANSLATE_NOOP("iosx::Core", "ppm"),
    QT_TRANSLATE_NOOP("iosx::Core", "mean of active warps"),
    QT_TRANSLATE_NOOP("iosx::Core", "mean of busy cores"),
    QT_TRANSLATE_NOOP("iosx::Core", "mean of kernels in flight"),
    QT_TRANSLATE_NOOP("iosx::Core", "share of device capacity"),
    QT_TRANSLATE_NOOP("iosx::Core", "ms/sample"),
    QT_TRANSLATE_NOOP("iosx::Core", "simulated"),
};

// Returns whether the text begins with a user's name for something.
bool begins_with_name(const Message& message) {
  if (message.is_verbatim()) return true;
  const QString pattern = QCoreApplication::translate(kContext, message.pattern().c_str());
  const std::vector<PatternPiece> pieces = pieces_of(pattern.toStdString());
  if (pieces.empty() || !pieces.front().hole) return false;
  return *pieces.front().hole < message.arguments().size() &&
         begins_with_name(message.arguments()[*pieces.front().hole]);
}

}  // namespace

QString core_words(std::string_view text) {
  const std::string key(text);
  const QString words = QCoreApplication::translate(kContext, key.c_str());
  return words == qstring(text) ? shown_name(text) : words;
}

QString message_text(const Message& message) {
  if (message.is_verbatim()) return shown_name(message.pattern());
  const QString pattern = QCoreApplication::translate(kContext, message.pattern().c_str());
  QString text;
  for (const PatternPiece& piece : pieces_of(pattern.toStdString())) {
    if (!piece.hole) {
      text += qstring(piece.text);
    } else if (*piece.hole < message.arguments().size()) {
      text += message_text(message.arguments()[*piece.hole]);
    }
  }
  return text;
}

QString message_sentence(const Message& message) {
  const QString text = message_text(message);
  return begins_with_name(message) ? text : text.left(1).toUpper() + text.mid(1);
}

QString device_summary(const DeviceInfo& device) {
  const QString summary = QString::fromStdString(device.summary);
  return device.grade.empty() ? summary : QStringLiteral("%1; %2").arg(summary, message_text(device.grade));
}

QString error_text(const Error& error) { return message_text(error.line()); }

QString rough_time_words(Seconds time) {
  const RoughTime rough = rough_time(time);
  if (rough.hours > 0 && rough.minutes > 0) return Core::tr("about %1 h %2 min").arg(rough.hours).arg(rough.minutes);
  if (rough.hours > 0) return Core::tr("about %1 h").arg(rough.hours);
  if (rough.minutes > 0) return Core::tr("about %1 min").arg(rough.minutes);
  if (rough.seconds > 0) return Core::tr("about %1 s").arg(rough.seconds);
  return Core::tr("a few seconds");
}

QString class_text(OperatorClass what) { return core_words(class_name(what)); }

const QString& class_sign(OperatorClass what) {
  static const std::array<QString, kOperatorClasses> signs = [] {
    std::array<QString, kOperatorClasses> letters;
    for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = qstring(class_letter(static_cast<OperatorClass>(i)));
    return letters;
  }();
  return signs[static_cast<std::size_t>(what)];
}

}  // namespace iosx
