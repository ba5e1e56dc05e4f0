#pragma once

#include <QKeySequence>
#include <QString>
#include <vector>

namespace iosx {

// Keys and gestures that a view handles itself while it has the focus. They are common in programs of this kind and
// cannot be changed; tests compare them with the views.
struct ViewKey {
  std::vector<QKeySequence> keys;  // alternatives; empty for a gesture with the pointer
  QString gesture;                 // "Shift + drag"; empty for keys
  QString what;
  std::vector<QKeySequence> anywhere = {};  // of the keys, those that work wherever the focus is: see KeysAnywhere
};

struct ViewKeys {
  QString view;  // "Timeline and utilization"
  std::vector<ViewKey> keys;
};

std::vector<ViewKeys> view_keys();

// Returns the keys of all views that work wherever the focus is.
const std::vector<QKeySequence>& keys_anywhere();

// Returns "W, +", or the gesture.
QString keys_text(const ViewKey& key);

}  // namespace iosx
