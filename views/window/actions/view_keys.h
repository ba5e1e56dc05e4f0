#pragma once

#include <QKeySequence>
#include <QString>
#include <vector>

namespace iosx {

// Says which keys and gestures a view handles by itself, while it has the focus. They are the same in every program of
// this kind and cannot be changed; tests hold them against what the views do.
struct ViewKey {
  std::vector<QKeySequence> keys;  // each does it; none of a gesture with the pointer
  QString gesture;                 // "Shift + drag"; empty of keys
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
