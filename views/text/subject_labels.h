#pragma once

#include "core/analysis/difference/subject.h"

namespace iosx {

LabelWords shown_labels();  // what label_subjects() calls subjects, in the window's language

}  // namespace iosx
