#pragma once

#include <QCoreApplication>

namespace iosx {

// The translation context of free functions: Text::tr("…").
struct Text {
  Q_DECLARE_TR_FUNCTIONS(iosx)
};

// The translation context of the inspector.
struct Inspector {
  Q_DECLARE_TR_FUNCTIONS(iosx::Inspector)
};

}  // namespace iosx
