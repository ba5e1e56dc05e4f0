#include "views/window/base/language.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFont>
#include <QGuiApplication>
#include <QLibraryInfo>
#include <QLocale>

// Outside of any namespace, as the macro requires.
static void load_translations() { Q_INIT_RESOURCE(translations); }

namespace iosx {
namespace {

// Returns whether the script and region use Simplified Chinese; those of Traditional Chinese get English.
bool is_simplified_chinese(const QString& name) {
  const QLocale locale(QString(name).replace(QLatin1Char('-'), QLatin1Char('_')));
  return locale.language() == QLocale::Chinese && locale.script() == QLocale::SimplifiedHanScript;
}

// Returns those of the usual fonts that draw Chinese characters as China does, where others would draw Japan's.
QStringList chinese_families() {
  return {QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Source Han Sans SC"), QStringLiteral("WenQuanYi Zen Hei"),
          QStringLiteral("WenQuanYi Micro Hei")};
}

void set_families(const QStringList& families) {
  QFont font = QGuiApplication::font();
  if (font.families() == families) return;
  font.setFamilies(families);
  QApplication::setFont(font);  // of all kinds of widgets
}

}  // namespace

QString language_id(LanguageMode mode) {
  switch (mode) {
    case LanguageMode::kSystem: break;
    case LanguageMode::kEnglish: return QStringLiteral("en");
    case LanguageMode::kChinese: return QStringLiteral("zh_CN");
  }
  return QStringLiteral("system");
}

std::optional<LanguageMode> language_of(const QString& id) {
  for (const LanguageMode mode : kLanguageModes) {
    if (language_id(mode) == id) return mode;
  }
  return std::nullopt;
}

LanguageMode language_for(const QStringList& wanted) {
  for (const QString& name : wanted) {
    if (is_simplified_chinese(name)) return LanguageMode::kChinese;
    if (QLocale(name).language() == QLocale::English) break;
  }
  return LanguageMode::kEnglish;
}

Languages::Languages(QObject* parent) : QObject(parent), families_(QGuiApplication::font().families()) {
  load_translations();
}

Languages::~Languages() { silence(); }

void Languages::silence() {
  QCoreApplication::removeTranslator(&ours_);
  QCoreApplication::removeTranslator(&qt_);
  set_families(families_);
}

void Languages::use(LanguageMode mode) {
  silence();
  spoken_ = mode == LanguageMode::kSystem ? language_for(QLocale::system().uiLanguages()) : mode;
  if (spoken_ != LanguageMode::kChinese) {
    // Fields of numbers and dates: the desktop's own, unless English was chosen.
    return QLocale::setDefault(mode == LanguageMode::kEnglish ? QLocale(QLocale::English) : QLocale::system());
  }
  const QLocale chinese(QLocale::Chinese, QLocale::China);
  QLocale::setDefault(chinese);
  set_families(families_ + chinese_families());
  // Where Qt's translations are not installed, its own buttons stay English.
  if (qt_.load(chinese, QStringLiteral("qtbase"), QStringLiteral("_"),
               QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
    QCoreApplication::installTranslator(&qt_);
  }
  if (ours_.load(QStringLiteral(":/translations/ios-explorer_zh_CN.qm"))) QCoreApplication::installTranslator(&ours_);
}

}  // namespace iosx

#include "moc_language.cpp"
