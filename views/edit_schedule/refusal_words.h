#pragma once

#include <QString>
#include <QStringList>

namespace iosx::board {

// What ScheduleDraft says forbids an edit, in the window's language. A sentence that is not known stays as it is.
QString refusal_words(const QString& why);
// Of the sentences that it has words for: refusal_sentences().
QStringList refusal_patterns();

}  // namespace iosx::board
