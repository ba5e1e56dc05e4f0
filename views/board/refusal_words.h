#pragma once

#include <QString>

namespace iosx::board {

// What ScheduleDraft says forbids an edit, in the window's language. A sentence that is not known stays as it is.
QString refusal_words(const QString& why);

}  // namespace iosx::board
