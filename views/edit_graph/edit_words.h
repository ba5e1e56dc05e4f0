#pragma once

#include <QString>
#include <string>

#include "core/model/edit/problem.h"
#include "core/model/edit/wording.h"

namespace iosx::editor {

// A sentence of core/model/edit in the window's language, with the names in it as they can be shown.
QString edit_words(const Wording& wording);
// Why an edit is refused, as core/model/edit says it in English. What is not known stays as it is.
QString refusal_words(const std::string& refusal);
// What kind of mistake it is, in a word or two.
QString problem_title(ProblemKind kind);

}  // namespace iosx::editor
