#pragma once

#include "core/analysis/difference/subject.h"

namespace iosx {

LabelWords shown_labels();  // the words of label_subjects() in the window's language

}  // namespace iosx
