#include "views/share/animation.h"

#include <QFileInfo>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "views/figures/paint.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/time/timeline_track.h"

namespace iosx {
namespace {

constexpr double kTitle = 26;       // height of the line over a network
constexpr int kTitleText = 17;      // pixels
constexpr double kTimelines = 250;  // height of both timelines at most

constexpr int kFramesPerSecond = 20;
constexpr int kRunning = 8 * kFramesPerSecond;  // frames, of the slower one
constexpr int kAfter = 2 * kFramesPerSecond;    // frames of the end
constexpr int kPatience = 60'000;               // milliseconds for a frame, or for the end

constexpr Sentence kNoWriter{"animations are written by ffmpeg, which is not installed"};
constexpr Sentence kInstall{
    "install it (Debian and Ubuntu: sudo apt install ffmpeg; other systems: ffmpeg.org), or export the card, a picture "
    "that needs no other program"};

struct FormatRow {
  QString suffix;
  QString filter;
  QStringList encoder;  // ffmpeg's arguments
};

FormatRow row_of(AnimationFormat format) {
  switch (format) {
    case AnimationFormat::kGif:
      return {"gif",
              Text::tr("Animated GIF (*.gif)"),
              {"-vf", "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none", "-f", "gif"}};
    case AnimationFormat::kMp4:
      return {"mp4",
              Text::tr("MP4 film (*.mp4)"),
              {"-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"}};
    case AnimationFormat::kWebm:
      return {"webm",
              Text::tr("WebM film (*.webm)"),
              {"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "32", "-pix_fmt", "yuv420p", "-f", "webm"}};
  }
  return {};
}

Result<AnimationFormat> animation_format(const QString& path) {
  const QString wanted = QFileInfo(path).suffix().toLower();
  for (const AnimationFormat format : kAnimationFormats) {
    if (suffix(format) == wanted) return format;
  }
  return fail(message("animations are .gif, .mp4 or .webm"), path.toStdString());
}

Result<void> encoder_failed(const QProcess& process, QByteArray said, const QString& path) {
  said = said.trimmed();
  const QByteArray last = said.isEmpty() ? process.errorString().toUtf8() : said.mid(said.lastIndexOf('\n') + 1);
  return fail(message("ffmpeg ended with an error: {}", last.toStdString()), path.toStdString());
}

}  // namespace

Race::Race(const Rivals& rivals) : rivals_(rivals), other_(runner(rivals.against)), one_(runner(rivals.shown)) {}

Race::Runner Race::runner(std::size_t result) const {
  const double width = kFrame.width() / 2.0 - 2 * card::kMargin;
  const double height = kFrame.height() - card::kHead - kTitle - kTimelines - card::kMargin;
  return {result, card::laid_out(rivals_, result, {width, height}),
          TrackIndex(tracks_of(rivals_.comparison, {result}).front(), nullptr, {})};
}

Micros Race::end() const { return std::max(one_.index.end(), other_.index.end()); }

QImage Race::frame(Micros at) const {
  const Theme theme = Theme::light();
  QImage image(kFrame, QImage::Format_RGB32);
  image.fill(theme.canvas);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  const QRectF all{0, 0, static_cast<double>(kFrame.width()), static_cast<double>(kFrame.height())};
  const QRectF inner = all.adjusted(card::kMargin, 0, -card::kMargin, 0);
  card::paint_head(painter, QRectF(inner.topLeft(), QSizeF(inner.width(), card::kHead)), rivals_, theme);

  const auto timelines = card::timelines(rivals_, {Micros(0), end() * 1.1}, std::min(at, end()));
  const double height = std::min(timelines->sizeWithin(inner.width()).height(), kTimelines);
  const QRectF below(inner.left(), inner.bottom() - height - card::kMargin / 2, inner.width(), height);
  card::paint_within(painter, below, *timelines, theme);

  QRectF half(inner.left(), card::kHead, inner.width() / 2 - card::kMargin / 2,
              below.top() - card::kHead - card::kMargin / 2);
  paintRunner(painter, half, other_, at);
  half.moveRight(inner.right());
  paintRunner(painter, half, one_, at);
  return image;
}

void Race::paintRunner(QPainter& painter, const QRectF& area, const Runner& runner, Micros at) const {
  const Theme theme = Theme::light();
  const bool ended = at >= runner.index.end();
  const QFont font = sized(QGuiApplication::font(), kTitleText, true);
  painter.setFont(font);
  const QRectF title(area.left(), area.top(), area.width(), kTitle);
  paint_text(painter, theme.text, title, kAtLeft, schedule_title(rivals_.comparison->results[runner.result]));
  const QString time = duration_text(std::min(at, runner.index.end()));
  const QString clock = ended ? Text::tr("finished: %1").arg(time) : time;
  if (ended) {
    QRectF flag(0, 0, QFontMetricsF(font).horizontalAdvance(clock) + 16, kTitle - 2);
    flag.moveTopRight(title.topRight());
    paint_box(painter, Qt::NoPen, theme.running, flag, 4);
    paint_text(painter, Theme::readableOn(theme.running), flag, Qt::AlignCenter, clock);
  } else {
    painter.drawText(title, kAtRight, clock);
  }
  canvas::FigureExtras extras;
  extras.legend = false;
  if (!ended) {
    extras.running = runner.index.running_units(at);
    extras.ahead = runner.index.ahead(at);
  }
  const auto figure = canvas::make_figure(runner.laid.model, runner.laid.drawing, std::move(extras), {});
  card::paint_within(painter, area.adjusted(0, kTitle, 0, 0), *figure, theme);
}

QString suffix(AnimationFormat format) { return row_of(format).suffix; }

QString file_filter(AnimationFormat format) { return row_of(format).filter; }

QString film_writer() { return QStandardPaths::findExecutable(QStringLiteral("ffmpeg")); }

QString film_writer_lack() {
  return film_writer().isEmpty() ? error_text({.what = kNoWriter, .where = {}, .remedy = kInstall}) : QString();
}

Result<void> write_animation(const Rivals& rivals, const QString& path, const JobContext& job) {
  IOS_TRY(const AnimationFormat format, animation_format(path));
  const QString writer = film_writer();
  if (writer.isEmpty()) return fail(kNoWriter, path.toStdString(), kInstall);
  const QTemporaryDir folder(QFileInfo(path).absolutePath() + QStringLiteral("/.iosx-XXXXXX"));  // of the same disk
  if (!folder.isValid()) {
    return fail(message("cannot be written: {}", folder.errorString().toStdString()), path.toStdString());
  }
  const QString made = folder.filePath(QStringLiteral("film"));

  job.report(message("laying out"), 0, 0);
  const Race race(rivals);
  QProcess process;
  process.setStandardOutputFile(QProcess::nullDevice());
  process.start(writer,
                QStringList{"-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "bgr0", "-video_size",
                            QStringLiteral("%1x%2").arg(Race::kFrame.width()).arg(Race::kFrame.height()), "-framerate",
                            QString::number(kFramesPerSecond), "-i", "-"} +
                    row_of(format).encoder + QStringList{made});
  if (!process.waitForStarted()) return encoder_failed(process, {}, path);
  for (int i = 0; i < kRunning + kAfter; ++i) {
    if (job.stopped()) {
      process.kill();
      process.waitForFinished();
      return fail(message("stopped"), path.toStdString());
    }
    job.report(message("drawing"), i, kRunning + kAfter);
    const QImage frame = race.frame(race.end() * (static_cast<double>(std::min(i, kRunning)) / kRunning));
    process.write(reinterpret_cast<const char*>(frame.constBits()), frame.sizeInBytes());
    while (process.bytesToWrite() > 0) {
      if (!process.waitForBytesWritten(kPatience)) {
        process.waitForFinished(1000);
        return encoder_failed(process, process.readAllStandardError(), path);
      }
    }
  }
  process.closeWriteChannel();
  if (!process.waitForFinished(kPatience) || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
    process.kill();
    process.waitForFinished();
    return encoder_failed(process, process.readAllStandardError(), path);
  }
  std::error_code failed;
  std::filesystem::rename(made.toStdString(), path.toStdString(), failed);
  if (failed) return fail(message("cannot be written: {}", failed.message()), path.toStdString());
  return {};
}

}  // namespace iosx
