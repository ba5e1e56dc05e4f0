#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTranslator>
#include <array>
#include <optional>

namespace iosx {

// Says what the window speaks: as the desktop has it, or one of the languages that there are.
enum class LanguageMode { kSystem, kEnglish, kChinese };
inline constexpr std::array kLanguageModes{LanguageMode::kSystem, LanguageMode::kEnglish, LanguageMode::kChinese};

QString language_id(LanguageMode mode);                      // in settings and on the command line: "zh_CN"
std::optional<LanguageMode> language_of(const QString& id);  // none: not one of these
// Returns the language that a desktop with these, the most wanted first ("zh-Hans-CN"), gets: Simplified Chinese or
// English.
LanguageMode language_for(const QStringList& wanted);

// Holds the translators of the application, ours and the one of Qt's own dialogs, and fonts that have the letters. What
// was already said stays as it is: who changes the language makes its widgets anew.
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
