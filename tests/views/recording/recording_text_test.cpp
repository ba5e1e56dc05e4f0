#include "views/recording/recording_text.h"

#include <set>

#include "tests/analysis/recording/made_recordings.h"
#include "tests/support/prelude.h"
#include "views/recording/fold_canvas.h"
#include "views/recording/recording_header.h"
#include "views/recording/recording_paint.h"
#include "views/style/theme.h"

namespace iosx {
namespace {

QString fact(const std::vector<std::pair<QString, QString>>& facts, const char* title) {
  const auto found = std::ranges::find(facts, QString::fromLatin1(title), &std::pair<QString, QString>::first);
  return found == facts.end() ? QString() : found->second;
}

QString all_of_them(const std::vector<std::pair<QString, QString>>& facts) {
  QStringList lines;
  for (const auto& [title, text] : facts) lines << title + QStringLiteral(": ") + text;
  return lines.join(QLatin1Char('\n'));
}

// A range of each name around the launches of the kernels, the outermost first.
void give_ranges(Recording& recording, std::initializer_list<std::vector<const char*>> paths) {
  std::size_t kernel = 0;
  for (const auto& path : paths) {
    const HostLaunch& launch = recording.launches[kernel];
    std::uint32_t outer = kNoIndex;
    for (const char* name : path) {
      const auto known = std::ranges::find(recording.names, name);
      const auto id = static_cast<NameId>(known - recording.names.begin());
      if (known == recording.names.end()) recording.names.emplace_back(name);
      recording.ranges.push_back({.begin = launch.begin - 1,
                                  .end = launch.end + 1,
                                  .name = id,
                                  .outer = outer,
                                  .kind = RangeKind::kAnnotation});
      outer = static_cast<std::uint32_t>(recording.ranges.size() - 1);
    }
    recording.kernels[kernel++].range = outer;
  }
}

TEST(RecordingText, SaysThatTheShareOfAKernelIsNotKnown) {
  Recording recording = of_lanes("aa");
  recording.kernels[1].grid = {};
  const auto opened = look_into(recording, std::nullopt);
  EXPECT_EQ(fact(kernel_facts(*opened, 0), "Share of the device"), QStringLiteral("50 %"));
  EXPECT_EQ(fact(kernel_facts(*opened, 1), "Share of the device"), QStringLiteral("not known"));
  EXPECT_EQ(fact(kernel_facts(*look_into(recording, 0.25), 1), "Share of the device"),
            QStringLiteral("not known, 25 % given"));
}

TEST(RecordingText, ABoxHasTheFactsOfAllItsKernels) {
  Recording recording = of_lanes("aab");
  recording.kernels[2].begin = recording.kernels[1].begin + 5;  // they run at once for 5 µs
  recording.kernels[2].end = recording.kernels[2].begin + 10;
  recording.names = {"", "step", "linear", "relu"};
  recording.kernels[0].name = 2;
  recording.kernels[1].name = 3;
  give_ranges(recording, {{"step", "linear"}, {"step", "relu"}, {"step", "relu"}});
  const auto opened = look_into(recording, std::nullopt);
  const auto facts = box_facts(*opened, 0);
  EXPECT_EQ(fact(facts, "Kernels"), QStringLiteral("3"));
  EXPECT_EQ(fact(facts, "Together"), QStringLiteral("30.0 µs"));
  EXPECT_EQ(fact(facts, "Busy"), QStringLiteral("25.0 µs"));
  EXPECT_EQ(fact(facts, "Streams"), QStringLiteral("Stream 0\nStream 1"));
  EXPECT_EQ(fact(facts, "Path"), QStringLiteral("step")) << "not that of its first kernel";
}

TEST(RecordingText, WithoutTimesNothingHasADuration) {
  Recording recording = of_lanes("aab");
  give_operators(recording, {">x", "x>y", "x>z"});
  recording.timed = false;
  recording.of_processor = true;
  settle(recording);
  const auto opened = look_into(recording, std::nullopt);
  const QRegularExpression duration(QStringLiteral("\\d (ns|µs|ms|s)\\b"));
  for (const QString& text : {all_of_them(kernel_facts(*opened, 1)), all_of_them(box_facts(*opened, 0)),
                              kernels_text(opened->recording, 3)}) {
    EXPECT_FALSE(text.contains(duration)) << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral("Share"))) << text.toStdString();
  }
  EXPECT_EQ(kernels_text(opened->recording, 3), QStringLiteral("3 operators"));
  RecordingHeader header;
  header.setRecording(*opened, QStringLiteral("run.et.json"));
  EXPECT_TRUE(header.text().startsWith(QStringLiteral("run.et.json: 3 operators without times\n")))
      << header.text().toStdString();
  EXPECT_TRUE(header.text().contains(QStringLiteral("open the trace of the same run")));
  EXPECT_FALSE(header.text().contains(duration)) << header.text().toStdString();
  EXPECT_FALSE(header.text().contains(QStringLiteral("critical path")));
  FoldCanvas canvas;
  canvas.setRecording(opened);
  ASSERT_FALSE(canvas.layout().boxes.empty());
  for (std::size_t box = 0; box < canvas.layout().boxes.size(); ++box)
    EXPECT_FALSE(canvas.nameOf(box).contains(duration)) << canvas.nameOf(box).toStdString();
}

TEST(RecordingText, EachKindOfKernelHasItsColour) {
  for (const Theme& theme : {Theme::light(), Theme::darkTheme(), Theme::paperTheme()}) {
    std::set<QRgb> colours;
    for (std::size_t kind = 0; kind < kKernelKinds; ++kind)
      colours.insert(kernel_fill(theme, static_cast<KernelKind>(kind)).rgb());
    EXPECT_EQ(colours.size(), kKernelKinds);
    const double apart =
        Theme::contrast(kernel_fill(theme, KernelKind::kCopy), kernel_fill(theme, KernelKind::kHostCopy));
    EXPECT_GT(apart, 1.5) << "they differ in lightness too";
  }
}

}  // namespace
}  // namespace iosx
