#pragma once

#include <QCoreApplication>

namespace iosx {

// Free functions translate what they say by this: Text::tr("…").
struct Text {
  Q_DECLARE_TR_FUNCTIONS(iosx)
};

// What the inspector says is translated by this.
struct Inspector {
  Q_DECLARE_TR_FUNCTIONS(iosx::Inspector)
};

}  // namespace iosx
