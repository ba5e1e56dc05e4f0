#pragma once

#include <QString>

#include "core/model/graph/operator_class.h"

namespace iosx {

QString class_text(OperatorClass what);  // in the reader's language
// Returns the letter for small boxes that replaces the colour.
const QString& class_sign(OperatorClass what);

}  // namespace iosx
