#include "views/text/class_text.h"

#include <array>

#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {

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
