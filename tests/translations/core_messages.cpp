#include "tests/translations/core_messages.h"

#include <QRegularExpression>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace iosx::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolders[] = {"core", "gpu", "models", "views", "app/gui", "app/devices"};

// What passes over comments, texts and characters, and finds what makes a message with what it is made of. require() is
// that of core/devices/checks.cpp, which makes a message only where what it asks for does not hold.
const QRegularExpression& said_pattern() {
  static const QRegularExpression pattern(
      QStringLiteral(R"re(//[^\n]*)re"
                     R"re(|(?<![\w.>])(?<maker>message\(|said\(|Sentence(?: \w+)?\{|verbatim\(|require\([^;"]*,))re"
                     R"re(\s*(?:(?<texts>(?:"(?:[^"\\\n]|\\.)*"\s*)+)|(?<other>[\w:]+)))re"
                     R"re(|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)')re"));
  return pattern;
}

// "\"one \" \"two\"" as written in a source: what it says.
QString unquoted(QString texts) {
  static const QRegularExpression between(QStringLiteral(R"("\s*")"));
  static const QRegularExpression escaped(QStringLiteral(R"(\\(.))"));
  texts = texts.trimmed();
  return texts.mid(1, texts.size() - 2).remove(between).replace(escaped, QStringLiteral("\\1"));
}

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> sources(const fs::path& root) {
  std::vector<fs::path> files;
  for (const char* folder : kFolders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".cpp" || extension == ".h") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

SaidMessages messages_in(std::string_view source, const std::string& file) {
  static const QRegularExpression constant(QStringLiteral("^(?:\\w+::)*k[A-Z]"));
  SaidMessages said;
  const QString text = QString::fromUtf8(source.data(), static_cast<qsizetype>(source.size()));
  for (auto each = said_pattern().globalMatch(text); each.hasNext();) {
    const QRegularExpressionMatch match = each.next();
    const QString maker = match.captured(u"maker");
    const QString texts = match.captured(u"texts");
    const QString other = match.captured(u"other");
    if (maker.isEmpty()) continue;
    const bool is_verbatim = maker.startsWith(QStringLiteral("verbatim"));
    if (!is_verbatim && !texts.isEmpty()) {
      said.messages.push_back({unquoted(texts).toStdString(), file});
    } else if (is_verbatim ? !texts.isEmpty() || other == QStringLiteral("fmt::format") : other.contains(constant)) {
      said.hidden.push_back(file + ": " + (texts.isEmpty() ? other : unquoted(texts)).toStdString());
    }
  }
  return said;
}

SaidMessages said_messages(const std::string& root) {
  SaidMessages all;
  for (const fs::path& file : sources(root)) {
    SaidMessages said = messages_in(read(file), fs::relative(file, root).string());
    std::ranges::move(said.messages, std::back_inserter(all.messages));
    std::ranges::move(said.hidden, std::back_inserter(all.hidden));
  }
  return all;
}

std::string translatable_header(const SaidMessages& said) {
  std::set<std::string> patterns;
  for (const SaidMessage& message : said.messages) patterns.insert(message.pattern);
  std::string header = "#include <QtGlobal>\nconstexpr const char* kSaid[] = {\n";
  for (const std::string& pattern : patterns) {
    std::string literal;
    for (const char c : pattern) {
      if (c == '"' || c == '\\') literal += '\\';
      literal += c;
    }
    header += "    QT_TRANSLATE_NOOP(\"iosx::Core\", \"" + literal + "\"),\n";
  }
  return header + "};\n";
}

}  // namespace iosx::test
