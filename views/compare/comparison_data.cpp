#include "views/compare/comparison_data.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "views/text/subject_labels.h"

namespace iosx {
namespace {

// Differences within the noise widen it too: otherwise, with few significant ones, a tiny one would have the
// strongest colour.
void widen(Millis& largest, const Delta& delta) { largest = std::max(largest, Millis(std::abs(delta.value.count()))); }

}  // namespace

Millis RunMatrix::largest() const {
  Millis largest{0};
  for (const PartRow& row : matrix.rows) {
    for (const PartCell& cell : row.cells) widen(largest, cell.delta);
  }
  return largest;
}

Millis StagePair::largest() const {
  Millis largest{0};
  for (const StageRow& row : difference.rows) widen(largest, row.delta);
  return largest;
}

std::shared_ptr<const RunMatrix> make_run_matrix(std::vector<Subject> subjects, std::size_t baseline) {
  if (baseline >= subjects.size() || !subjects[baseline].valid()) return nullptr;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < baseline; ++i) kept += subjects[i].valid() ? 1 : 0;
  std::erase_if(subjects, [](const Subject& subject) { return !subject.valid(); });
  auto data = std::make_shared<RunMatrix>();
  data->subjects = std::move(subjects);
  if (std::ranges::any_of(data->subjects, [](const Subject& subject) { return subject.label.empty(); })) {
    label_subjects(data->subjects, shown_labels());
  }
  data->matches = match_with_all(data->subjects, kept);
  data->matrix = part_matrix(data->subjects, kept, data->matches);
  data->finding = find_out(data->subjects, data->matrix);
  return data;
}

std::shared_ptr<const StagePair> make_stage_pair(const Subject& a, const Subject& b, GraphMatch match, Per per) {
  auto pair = std::make_shared<StagePair>(StagePair{a, b, std::move(match), {}});
  pair->difference = compare_stages(a, b, pair->match, per);
  return pair;
}

}  // namespace iosx
