// How long a gesture takes where graphs are drawn, from the hand to the picture, offscreen: the edit, its check, the
// scene, the attributes and problems beside it, and a frame. Median and 99th percentile of the thread's processor time
// over 200 gestures of each kind; the aim is 16 ms at 200 operators and 50 ms at 5,000.
// Then what the schedules take is found again after an edit, baselines and IOS, in real time.
// "paste" as an argument: only what comes from the clipboard, thousands of operators at once.
//   QT_QPA_PLATFORM=offscreen bin/edit_bench
#include <fmt/format.h>

#include <QApplication>
#include <QImage>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <tuple>

#include "core/model/graph/builder.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "views/app_model/jobs.h"
#include "views/edit_graph/attribute_form.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/problem_list.h"

namespace {

using namespace iosx;

constexpr int kTimes = 200;

double milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

Document document_of(GraphBuilder builder) {
  return Document{.graph = std::make_shared<const Graph>(*std::move(builder).build())};
}

// Branches of four convolutions joined by a concatenation, in parts of 50 units.
Document branches(std::size_t units) {
  GraphBuilder builder("branches");
  Value last = builder.input("in", {16, 32, 32});
  std::vector<Value> open;
  for (std::size_t u = 0; u < units; ++u) {
    if (u % 50 == 0) {
      builder.begin_part(fmt::format("part {}", u / 50));
      if (!open.empty()) last = open.back();
      open.clear();
    }
    if (open.size() == 4) {
      last = builder.add(fmt::format("cat{}", u), Concat{}, std::exchange(open, {}));
      continue;
    }
    Conv conv{.out_channels = 4, .kernel = {3, 3}, .padding = {1, 1}};
    open.push_back(builder.add(fmt::format("conv{}", u), conv, {last}));
  }
  return document_of(std::move(builder));
}

// Each reads the one before it.
Document chain(std::size_t units) {
  GraphBuilder builder("chain");
  Value last = builder.input("in", {16, 32, 32});
  for (std::size_t u = 1; u < units; ++u) last = builder.add(fmt::format("relu{}", u), Activate{}, {last});
  return document_of(std::move(builder));
}

// The same, with a constant for every second one, as in models from ONNX.
Document constants(std::size_t operators) {
  GraphBuilder builder("constants");
  Value last = builder.input("in", {16, 32, 32});
  for (std::size_t u = 1; u + 1 < operators; u += 2) {
    const Value other = builder.constant(fmt::format("constant{}", u), Shape{16, 1, 1});
    last = builder.add(fmt::format("add{}", u), Add{}, {last, other});
  }
  return document_of(std::move(builder));
}

void measure(std::size_t operators) {
  DeviceRegistry devices;
  Session session(devices);
  Jobs jobs(session, [](const std::string&, const InputSizes&) -> Result<Document> { return fail(message("none")); });
  SelectionModel selection;
  session.editor().addDocument(branches(operators), QStringLiteral("branches"), {});
  GraphController controller(session, jobs);
  controller.attach(selection);
  EditCanvas canvas(controller);
  AttributeForm attributes(controller);
  ProblemList problems(controller);
  canvas.resize(1030, 600);
  const double opened = milliseconds();
  controller.setActive(true);
  fmt::print("{} operators: opened in {:.1f} ms\n", operators, milliseconds() - opened);
  QImage image(canvas.size(), QImage::Format_ARGB32_Premultiplied);
  const auto gestures = [&](const char* name, const std::function<void(OperatorKey, int)>& gesture) {
    std::vector<double> times;
    const std::size_t size = controller.graph().operators().size();
    for (int i = 0; i < kTimes; ++i) {
      const auto& all = controller.graph().operators();
      const OperatorKey key = all[(static_cast<std::size_t>(i) * 7919 + 1) % all.size()].first;
      const double before = milliseconds();
      gesture(key, i);
      canvas.render(&image);
      times.push_back(milliseconds() - before);
      if (controller.graph().operators().size() != size) controller.undo();  // so that it stays as large
    }
    std::ranges::sort(times);
    fmt::print("  {:12} median {:6.1f} ms, 99th percentile {:6.1f} ms\n", name, times[times.size() / 2],
               times[times.size() * 99 / 100]);
  };
  gestures("select", [&](OperatorKey key, int) { controller.select({key}); });
  gestures("move", [&](OperatorKey key, int) { controller.move(std::vector{key}, 5, 5); });
  gestures("change", [&](OperatorKey key, int i) {
    Attributes changed = controller.graph().op(key).attributes;
    if (auto* conv = std::get_if<Conv>(&changed))
      conv->stride = {1, 1}, conv->groups = 1, conv->out_channels = 4 + i % 7;
    controller.push(set_attributes(controller.graph(), key, std::move(changed)));
  });
  gestures("add", [&](OperatorKey key, int) {
    controller.select({key});
    controller.add(Attributes(Activate{}).index());
  });
  gestures("duplicate", [&](OperatorKey key, int) {
    controller.select({key});
    controller.duplicateSelected();
  });
  gestures("delete", [&](OperatorKey key, int) {
    controller.select({key});
    controller.remove(Healing::kHeal);
  });
  gestures("hand in", [&](OperatorKey key, int i) {  // to the session, a moment after the last edit
    controller.push(set_biased(controller.graph(), key, i % 2 == 0));
    controller.built();
  });
  gestures("undo", [&](OperatorKey, int) { controller.undo(); });
  gestures("redo", [&](OperatorKey, int) { controller.redo(); });
}

// From the clipboard into a new drawing, into one that has as many already, then undone, done again and taken in.
void paste(const char* name, const Document& document) {
  DeviceRegistry devices;
  Session session(devices);
  Jobs jobs(session, [](const std::string&, const InputSizes&) -> Result<Document> { return fail(message("none")); });
  SelectionModel selection;
  session.editor().addDocument(document, QString::fromLatin1(name), {});
  GraphController controller(session, jobs);
  controller.attach(selection);
  EditCanvas canvas(controller);
  AttributeForm attributes(controller);
  ProblemList problems(controller);
  canvas.resize(1030, 600);
  controller.setActive(true);
  QImage image(canvas.size(), QImage::Format_ARGB32_Premultiplied);
  fmt::print("paste {} operators, {}:", controller.graph().operators().size(), name);
  const auto step = [&](const char* what, const auto& does) {
    const double before = milliseconds();
    does();
    canvas.render(&image);
    fmt::print(" {} {:.0f} ms,", what, milliseconds() - before);
    std::fflush(stdout);
  };
  controller.selectAll();
  step("copy", [&] { controller.copy(); });
  controller.newGraph();
  step("paste", [&] { controller.paste(); });
  step("paste beside", [&] { controller.paste(); });
  step("undo", [&] { controller.undo(); });
  step("redo", [&] { controller.redo(); });
  step("delete", [&] { controller.remove(Healing::kHeal); });
  step("hand in", [&] { controller.built(); });
  fmt::print("\n");
}

double wall() {
  return 1e-6 * static_cast<double>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

// From an edit to what the schedules take (the aim: 100 ms for a part of 30 units), and what the search behind takes.
void figures(const char* name, const Graph& graph) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  LiveLatencies live(*devices.open("tesla-v100"), 1);
  EditableGraph drawn = editable(graph);
  const auto step = [&] {
    const double begin = wall();
    const bool shown = live.show(drawn, check(drawn), {}, {}).has_value();
    const double baselines = wall();
    const auto found = live.search({}, {});
    return std::tuple(baselines - begin, wall() - baselines, shown && found.has_value());
  };
  const auto [first, first_search, good] = step();
  std::vector<double> times;
  std::vector<double> searches;
  std::size_t edits = 0;
  for (std::size_t i = 0; i < drawn.operators().size() && edits < 20; i += 1 + drawn.operators().size() / 40) {
    const OperatorKey key = drawn.operators()[i].first;
    Conv conv;
    if (const auto* own = std::get_if<Conv>(&drawn.op(key).attributes)) conv = *own;
    if (conv.out_channels == 0) continue;
    conv.activation = conv.activation == Activation::kRelu ? Activation::kIdentity : Activation::kRelu;
    auto patch = set_attributes(drawn, key, conv);
    if (!patch) continue;
    apply(drawn, *patch);
    const auto [time, search, fine] = step();
    times.push_back(time);
    searches.push_back(search);
    ++edits;
  }
  if (times.empty() || !good) return;
  std::ranges::sort(times);
  std::ranges::sort(searches);
  fmt::print(
      "{}: {} units; figures {:.1f} ms at first, {:.1f} after an edit (at most {:.1f}); IOS {:.0f} ms at first, "
      "{:.0f} after an edit (at most {:.0f})\n",
      name, graph.units().size(), first, times[times.size() / 2], times.back(), first_search,
      searches[searches.size() / 2], searches.back());
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  for (const std::size_t operators : {1'500U, 3'000U, 6'000U, 12'000U}) {
    paste("branches", branches(operators));
    paste("chain", chain(operators));
    paste("constants", constants(operators));
  }
  if (argc > 1 && std::string_view(argv[1]) == "paste") return 0;
  for (const std::size_t operators : {std::size_t{200}, std::size_t{5000}}) measure(operators);
  figures("branches", *branches(30).graph);
  for (const char* name : {"squeezenet", "inception_v3", "nasnet", "randwire"}) {
    if (const auto graph = zoo_network(name)) figures(name, *graph);
  }
}
