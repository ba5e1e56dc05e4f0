#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTranslator>
#include <array>
#include <optional>

namespace iosx {

// The window's language: the desktop's, or one of the available ones.
enum class LanguageMode { kSystem, kEnglish, kChinese };
inline constexpr std::array kLanguageModes{LanguageMode::kSystem, LanguageMode::kEnglish, LanguageMode::kChinese};

QString language_id(LanguageMode mode);                      // for settings and the command line: "zh_CN"
std::optional<LanguageMode> language_of(const QString& id);  // none: unknown
// Returns the language for a desktop's list, the preferred first ("zh-Hans-CN"): Simplified Chinese or English.
LanguageMode language_for(const QStringList& wanted);

// The translators of the application, ours and the one of Qt's own dialogs, and fonts with the letters. Existing texts
// stay: recreate widgets after a change.
class Languages final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(Languages)

 public:
  explicit Languages(QObject* parent = nullptr);
  ~Languages() override;

  void use(LanguageMode mode);
  LanguageMode spoken() const { return spoken_; }  // never kSystem

 private:
  void silence();

  LanguageMode spoken_ = LanguageMode::kEnglish;
  QStringList families_;  // of the application's font in English
  QTranslator ours_;
  QTranslator qt_;
};

}  // namespace iosx
