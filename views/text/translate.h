#pragma once

#include <QCoreApplication>

namespace iosx {

// By which free functions translate what they say: Text::tr("…").
struct Text {
  Q_DECLARE_TR_FUNCTIONS(iosx)
};

// The same for what the inspector says.
struct Inspector {
  Q_DECLARE_TR_FUNCTIONS(iosx::Inspector)
};

}  // namespace iosx
