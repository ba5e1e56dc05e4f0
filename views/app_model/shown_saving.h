#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "core/analysis/difference/saving.h"
#include "core/analysis/difference/subject.h"

namespace iosx {

class Session;

// Says what the shown schedule saves against the baseline, and where.
struct SavingFacts {
  enum class Kind {
    kNothing,     // no schedule is shown
    kNoBaseline,  // nothing is chosen to compare with, and there is no sequential schedule
    kBaseline,    // the baseline itself is shown
    kUnknown,     // of one of the two nobody knows what its stages take
    kSteps,
  };
  Kind kind = Kind::kNothing;
  Subject baseline = {};  // with a label, as the next; both but of kNothing, kNoBaseline
  Subject schedule = {};
  SavingSteps steps = {};  // of kSteps alone

  bool known() const { return kind == Kind::kSteps; }
};

// The labels are what the two are called in the window's language.
SavingFacts saving_of(const std::optional<Subject>& baseline, const Subject& schedule);

// Follows the session: the baseline is what the user chose, or else the shown run's sequential schedule. GUI thread
// only.
class ShownSaving final : public QObject {
  Q_OBJECT

 public:
  explicit ShownSaving(const Session& session, QObject* parent = nullptr);  // the session must outlive it

  const SavingFacts& current() const { return current_; }

 signals:
  void changed();

 private:
  void refresh();

  const Session& session_;
  SavingFacts current_;
};

}  // namespace iosx
