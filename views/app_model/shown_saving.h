#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/difference/subject.h"

namespace iosx {

class Session;

// The shown schedule's saving against the baseline, and its places.
struct SavingFacts {
  enum class Kind {
    kNothing,     // no schedule is shown
    kNoBaseline,  // no chosen baseline, and no sequential schedule
    kBaseline,    // the baseline itself is shown
    kUnknown,     // one of the two has unknown stage times
    kSteps,
  };
  Kind kind = Kind::kNothing;
  Subject baseline = {};  // with a label, like the next; both except for kNothing, kNoBaseline
  Subject schedule = {};
  SavingSteps steps = {};  // only for kSteps

  bool known() const { return kind == Kind::kSteps; }
};

// The labels are the names of the two in the window's language.
SavingFacts saving_of(const std::optional<Subject>& baseline, const Subject& schedule);

// Follows the session: the baseline is the user's choice, or else the shown run's sequential schedule. GUI thread
// only.
class ShownSaving final : public QObject {
  Q_OBJECT

 public:
  explicit ShownSaving(const Session& session, QObject* parent = nullptr);  // must outlive it

  const SavingFacts& current() const { return current_; }

 signals:
  void changed();

 private:
  void refresh();

  const Session& session_;
  SavingFacts current_;
};

}  // namespace iosx
