#include "tests/views/app_model/session_fixture.h"

#include "core/model/schedule/baselines.h"

namespace iosx::test {

Result<Document> open_test_graph(const std::string& source, const InputSizes&) {
  const auto document = [](Graph graph) { return Document{std::make_shared<const Graph>(std::move(graph)), {}}; };
  if (source == "sample") return document(sample());
  if (source == "diamond") return document(diamond());
  if (source == "large") return document(random_dag(7, 40));
  if (source == "fixed") {
    Document opened = document(diamond());
    opened.batched = false;
    return opened;
  }
  if (source == "with-schedule") {
    Document opened = document(diamond());
    opened.schedule = ScheduleFile{.schedule = one_by_one_schedule(*opened.graph)};
    opened.schedule->schedule.name = "from-file";
    return opened;
  }
  return fail(message("not a network"), source, message("choose another"));
}

}  // namespace iosx::test
