#include "views/window/base/settings.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <algorithm>
#include <cmath>

#include "core/analysis/compare/comparison.h"
#include "core/model/graph/partition.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

const auto kRecent = QStringLiteral("recent-files");
const auto kTheme = QStringLiteral("theme");
const QStringList kThemeIds{"system", "light", "dark"};  // by ThemeMode
const auto kLanguage = QStringLiteral("language");
const auto kGeometry = QStringLiteral("window/geometry");
// The number grows when docks are renamed, so that an old layout is not applied to new docks.
const auto kLayout = QStringLiteral("window/layout-2/");
const auto kFolder = QStringLiteral("folder");
const auto kMeasuring = QStringLiteral("measuring/");
const auto kKept = QStringLiteral("measurements/kept");
const auto kFigureWidth = QStringLiteral("figure/width-mm");
const auto kFigureFont = QStringLiteral("figure/font-points");
const auto kFigureDpi = QStringLiteral("figure/dpi");
const auto kFigureSuffix = QStringLiteral("figure/suffix");
const auto kFigureData = QStringLiteral("figure/data");
const auto kStoreFile = QStringLiteral("measurements/file");
const auto kPython = QStringLiteral("engines/python");

const auto kKeys = QStringLiteral("keys/");
const auto kCommands = QStringLiteral("recent-commands");
const auto kLastSource = QStringLiteral("last/network");
const auto kLastDevice = QStringLiteral("last/device");
const auto kLastBatch = QStringLiteral("last/batch");
const auto kLastStrategy = QStringLiteral("last/strategy");
const auto kLastR = QStringLiteral("last/r");
const auto kLastS = QStringLiteral("last/s");
const auto kFirstMinute = QStringLiteral("first-minute-done");
const auto kSavingFolded = QStringLiteral("saving-folded");

constexpr qsizetype kMostCommands = 12;

const auto kSizes = QStringLiteral("input-sizes/");

// Returns the id that an export had in earlier versions, by which the user's keys may still be kept; mostly empty.
QString former_id(const QString& action) {
  static const QHash<QString, QString> former{
      {QStringLiteral("export-iosx"), QStringLiteral("export-schedule")},
      {QStringLiteral("export-ios"), QStringLiteral("export-schedule-original")},
      {QStringLiteral("export-csv"), QStringLiteral("export-schedule-csv")},
      {QStringLiteral("export-onnx"), QStringLiteral("export-network")},
      {QStringLiteral("export-scheduled-onnx"), QStringLiteral("export-scheduled")}};
  return former.value(action);
}

// The same file has the same place and length.
QString sizes_key(const QString& path) {
  const QFileInfo file(path);
  const QByteArray what = file.absoluteFilePath().toUtf8() + '\n' + QByteArray::number(file.size());
  return kSizes + QString::fromLatin1(QCryptographicHash::hash(what, QCryptographicHash::Sha1).toHex());
}

}  // namespace

Settings::Settings()
    : store_(std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("ios-explorer"),
                                         QStringLiteral("ios-explorer"))) {}

Settings::Settings(const QString& path) : store_(std::make_unique<QSettings>(path, QSettings::IniFormat)) {}

QStringList Settings::recentFiles() const { return store_->value(kRecent).toStringList(); }

void Settings::addRecentFile(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  QStringList files = recentFiles();
  files.removeAll(absolute);
  files.prepend(absolute);
  while (files.size() > kMaxRecent) files.removeLast();
  store_->setValue(kRecent, files);
}

void Settings::clearRecentFiles() { store_->remove(kRecent); }

ThemeMode Settings::themeMode() const {
  const qsizetype kept = kThemeIds.indexOf(store_->value(kTheme).toString());
  return kept < 0 ? ThemeMode::kSystem : static_cast<ThemeMode>(kept);
}

void Settings::setThemeMode(ThemeMode mode) { store_->setValue(kTheme, kThemeIds[static_cast<int>(mode)]); }

LanguageMode Settings::language() const {
  return language_of(store_->value(kLanguage).toString()).value_or(LanguageMode::kSystem);
}

void Settings::setLanguage(LanguageMode mode) { store_->setValue(kLanguage, language_id(mode)); }

TimingOptions Settings::timing() const {
  TimingOptions timing;
  const std::vector<BoundOption> options = bind_options(timing, use::kAll);
  for (const BoundOption& option : options) {
    bool is_number = false;
    const double kept = store_->value(kMeasuring + qstring(option.info->field())).toDouble(&is_number);
    if (is_number && std::isfinite(kept)) option.set(kept);
  }
  limit_to_bounds(options);  // the file may have been edited
  timing.max_repeats = std::max(timing.max_repeats, timing.repeats);
  return timing;
}

void Settings::setTiming(const TimingOptions& timing) {
  TimingOptions kept = timing;
  for (const BoundOption& option : bind_options(kept, use::kAll)) {
    store_->setValue(kMeasuring + qstring(option.info->field()), QString::fromStdString(typed_text(option.get())));
  }
}

QString Settings::python() const { return store_->value(kPython, QStringLiteral("python3")).toString(); }

void Settings::setPython(const QString& interpreter) { store_->setValue(kPython, interpreter); }

StorePlace Settings::store() const {
  return {.kept = store_->value(kKept, true).toBool(), .file = store_->value(kStoreFile).toString().toStdString()};
}

void Settings::setStore(const StorePlace& place) {
  store_->setValue(kKept, place.kept);
  store_->setValue(kStoreFile, QString::fromStdString(place.file.string()));
}

std::optional<PaperFormat> Settings::figurePaper() const {
  PaperFormat paper;
  paper.width_mm = store_->value(kFigureWidth, 0).toDouble();
  paper.font_points = store_->value(kFigureFont, paper.font_points).toDouble();
  paper.png_dpi = store_->value(kFigureDpi, paper.png_dpi).toInt();
  return check(paper) ? std::optional(paper) : std::nullopt;
}

void Settings::setFigurePaper(const std::optional<PaperFormat>& paper) {
  store_->setValue(kFigureWidth, paper ? paper->width_mm : 0);
  if (!paper) return;
  store_->setValue(kFigureFont, paper->font_points);
  store_->setValue(kFigureDpi, paper->png_dpi);
}

QString Settings::figureSuffix() const { return store_->value(kFigureSuffix).toString(); }

bool Settings::figureData() const { return store_->value(kFigureData, false).toBool(); }

void Settings::setFigureFiles(const QString& suffix, bool data) {
  store_->setValue(kFigureSuffix, suffix);
  store_->setValue(kFigureData, data);
}

InputSizes Settings::inputSizes(const QString& path) const {
  InputSizes sizes;
  if (!QFileInfo(path).isFile()) return sizes;
  for (const QString& size : store_->value(sizes_key(path)).toStringList()) {
    if (!add_dim(sizes, size.toStdString())) return {};  // the settings may have been edited
  }
  return sizes;
}

void Settings::setInputSizes(const QString& path, const InputSizes& sizes) {
  if (sizes.dims.empty()) return store_->remove(sizes_key(path));
  QStringList texts;
  for (const auto& [name, size] : sizes.dims) texts << QStringLiteral("%1=%2").arg(qstring(name)).arg(size);
  store_->setValue(sizes_key(path), texts);
}

QByteArray Settings::geometry() const { return store_->value(kGeometry).toByteArray(); }
QByteArray Settings::layout(const QString& mode) const { return store_->value(kLayout + mode).toByteArray(); }
void Settings::setGeometry(const QByteArray& geometry) { store_->setValue(kGeometry, geometry); }
void Settings::setLayout(const QString& mode, const QByteArray& layout) { store_->setValue(kLayout + mode, layout); }

std::optional<QKeySequence> Settings::keys(const QString& action) const {
  const QVariant kept = store_->value(kKeys + action, store_->value(kKeys + former_id(action)));
  if (!kept.isValid()) return std::nullopt;
  return QKeySequence::fromString(kept.toString(), QKeySequence::PortableText);
}

void Settings::setKeys(const QString& action, const std::optional<QKeySequence>& keys) {
  if (const QString former = former_id(action); !former.isEmpty()) store_->remove(kKeys + former);
  if (!keys) return store_->remove(kKeys + action);
  store_->setValue(kKeys + action, keys->toString(QKeySequence::PortableText));
}

QStringList Settings::recentCommands() const { return store_->value(kCommands).toStringList(); }

void Settings::addRecentCommand(const QString& id) {
  QStringList ids = recentCommands();
  ids.removeAll(id);
  ids.prepend(id);
  store_->setValue(kCommands, ids.mid(0, kMostCommands));
}

std::optional<Settings::Start> Settings::lastStart() const {
  if (!store_->contains(kLastSource)) return std::nullopt;
  Start start{.source = store_->value(kLastSource).toString(),
              .device = store_->value(kLastDevice).toString().toStdString(),
              .batch = std::clamp<std::int64_t>(store_->value(kLastBatch, 1).toLongLong(), 1, kMaxBatch)};
  const auto strategies = parse_strategies(store_->value(kLastStrategy).toString().toStdString());
  start.strategies = strategies.value_or(start.strategies);  // the file may be of an earlier version, or edited
  const auto limit = [this](const QString& key, std::size_t otherwise) {
    const qlonglong kept = store_->value(key, static_cast<qlonglong>(otherwise)).toLongLong();
    return static_cast<std::size_t>(std::clamp<qlonglong>(kept, 0, kMaxPartUnits));
  };
  start.pruning = {limit(kLastR, start.pruning.r), limit(kLastS, start.pruning.s)};
  return start;
}

void Settings::setLastStart(const Start& start) {
  store_->setValue(kLastSource, start.source);
  store_->setValue(kLastDevice, QString::fromStdString(start.device));
  store_->setValue(kLastBatch, static_cast<qlonglong>(start.batch));
  store_->setValue(kLastStrategy, qstring(row_of(start.strategies).strategy_word));
  store_->setValue(kLastR, static_cast<qlonglong>(start.pruning.r));
  store_->setValue(kLastS, static_cast<qlonglong>(start.pruning.s));
}

bool Settings::firstMinuteDone() const { return store_->value(kFirstMinute, false).toBool(); }
void Settings::setFirstMinuteDone(bool done) { store_->setValue(kFirstMinute, done); }

std::optional<bool> Settings::savingFolded() const {
  if (!store_->contains(kSavingFolded)) return std::nullopt;
  return store_->value(kSavingFolded).toBool();
}
void Settings::setSavingFolded(bool folded) { store_->setValue(kSavingFolded, folded); }

QString Settings::folder() const {
  const QString folder = store_->value(kFolder).toString();
  return QDir(folder).exists() && !folder.isEmpty() ? folder : QDir::homePath();
}

void Settings::setFolderOf(const QString& path) { store_->setValue(kFolder, QFileInfo(path).absolutePath()); }

}  // namespace iosx
