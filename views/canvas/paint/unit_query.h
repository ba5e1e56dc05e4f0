#pragma once

#include <QRegularExpression>
#include <QString>
#include <optional>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "views/canvas/paint/scene.h"

namespace iosx::canvas {

// A search query for the canvas: words separated by spaces, all of which must hold.
//   conv            text, anywhere in the name, the type, the part or what the operators say of themselves
//   "mixed 5"       text with spaces, or with a colon
//   /mixed_5.*/     a regular expression
//   type:conv  name:/_1$/  part:neck  shape:64×56×56        text or an expression, in that alone
//   kernel:3x3  stride:2  padding:1x1  activation:relu      an attribute: the whole of it, or an expression
//   stage:29  stage:20-30  group:2  channels:>256  flops:>1G  bytes:<1M  parameters:>1M    numbers
//   -type:pool      what must not hold
// Upper and lower case are the same.
class UnitQuery {
 public:
  // The error says what is wrong with the text, translated.
  static tl::expected<UnitQuery, QString> parse(const QString& text);

  bool empty() const { return terms_.empty(); }
  // Returns the model's units that fit every term, by id. A regular expression that takes too long on a text does
  // not match it.
  std::vector<UnitId> matches(const Model& model) const;

  // Returns the words before a colon, in display order, without the attributes' own names.
  static QStringList keys();

 private:
  enum class Key {
    kAny,
    kName,
    kType,
    kPart,
    kShape,
    kAttribute,
    kStage,
    kGroup,
    kChannels,
    kFlops,
    kBytes,
    kParameters
  };
  struct Range {
    double least = 0;
    double most = 0;
    bool contains(double value) const { return value >= least && value <= most; }
  };
  struct Term {
    bool negated = false;
    Key key = Key::kAny;
    QString attribute;                                      // lower case; only with kAttribute
    std::variant<QString, QRegularExpression, Range> what;  // text in lower case
  };
  static std::optional<Key> keyOf(const QString& word);
  static tl::expected<Term, QString> parseTerm(const QString& word);
  static std::optional<Range> parseRange(const QString& text);
  static bool matches(const Term& term, const Model& model, UnitId unit);
  static bool matchesText(const Term& term, const QStringList& texts);
  static bool matchesAttribute(const Term& term, const Graph& graph, const Unit& unit);
  static std::optional<double> number(Key key, const Model& model, UnitId unit);

  std::vector<Term> terms_;
};

}  // namespace iosx::canvas
