#include "views/canvas/paint/unit_query.h"

#include <algorithm>
#include <limits>

#include "core/model/graph/work.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr const char* kMatchLimit = "(*LIMIT_MATCH=100000)";  // of PCRE: steps of one match

// Returns the words, of which quotes and expressions may hold spaces.
QStringList words_of(const QString& text) {
  QStringList words;
  QString word;
  QChar closing;  // of the quote or expression that is open
  bool open = false;
  for (qsizetype i = 0; i < text.size(); ++i) {
    const QChar c = text[i];
    const bool escaped = i > 0 && text[i - 1] == QLatin1Char('\\');
    if (!open && c.isSpace()) {
      if (!word.isEmpty()) words.append(std::exchange(word, {}));
      continue;
    }
    const bool begins = word.isEmpty() || word.endsWith(QLatin1Char(':')) || word == QStringLiteral("-");
    if (!open && begins && (c == QLatin1Char('"') || c == QLatin1Char('/'))) {
      const bool closes = text.indexOf(c, i + 1) > i;
      open = closes;
      closing = c;
    } else if (open && c == closing && !escaped) {
      // A path such as /backbone/conv goes on after its second slash.
      open = closing == QLatin1Char('/') && i + 1 < text.size() && !text[i + 1].isSpace() &&
             text.indexOf(closing, i + 1) > i;
    }
    word += c;
  }
  if (!word.isEmpty()) words.append(word);
  return words;
}

bool enclosed(const QString& word, QLatin1Char mark) {
  return word.size() >= 2 && word.startsWith(mark) && word.endsWith(mark);
}

// "3x3", "3 × 3" and "3" are one kernel.
QString plain_value(const QString& value) {
  QString plain = value.toLower();
  plain.remove(QLatin1Char(' '));
  plain.replace(QLatin1Char('x'), QChar(0xD7));
  const QStringList sides = plain.split(QChar(0xD7));
  if (sides.size() == 2 && sides[0] == sides[1]) return sides[0];
  return plain;
}

QString extent_value(const Extent& extent) { return QStringLiteral("%1×%2").arg(extent.height).arg(extent.width); }

// Returns the value of an attribute under the name that does not depend on the language.
QString attribute_value(const Attributes& attributes, const QString& name) {
  const auto window = [&](const auto& what) {
    if (name == QStringLiteral("kernel")) return extent_value(what.kernel);
    if (name == QStringLiteral("stride")) return extent_value(what.stride);
    if (name == QStringLiteral("padding")) return extent_value(what.padding);
    return QString();
  };
  if (name == QStringLiteral("activation")) return qstring(activation_name(fused_activation(attributes)));
  if (const auto* conv = std::get_if<Conv>(&attributes)) {
    return name == QStringLiteral("groups") ? QString::number(conv->groups) : window(*conv);
  }
  if (const auto* conv = std::get_if<ConvTranspose>(&attributes)) return window(*conv);
  if (const auto* pool = std::get_if<Pool>(&attributes)) return window(*pool);
  return {};
}

}  // namespace

QStringList UnitQuery::keys() {
  return {QStringLiteral("name"),       QStringLiteral("type"),    QStringLiteral("part"),
          QStringLiteral("stage"),      QStringLiteral("group"),   QStringLiteral("kernel"),
          QStringLiteral("stride"),     QStringLiteral("padding"), QStringLiteral("groups"),
          QStringLiteral("activation"), QStringLiteral("shape"),   QStringLiteral("channels"),
          QStringLiteral("flops"),      QStringLiteral("bytes"),   QStringLiteral("parameters")};
}

std::optional<UnitQuery::Key> UnitQuery::keyOf(const QString& word) {
  static const std::array<Key, 15> kinds{Key::kName,      Key::kType,      Key::kPart,      Key::kStage,
                                         Key::kGroup,     Key::kAttribute, Key::kAttribute, Key::kAttribute,
                                         Key::kAttribute, Key::kAttribute, Key::kShape,     Key::kChannels,
                                         Key::kFlops,     Key::kBytes,     Key::kParameters};
  const auto at = keys().indexOf(word);
  if (at < 0) return std::nullopt;
  return kinds[static_cast<std::size_t>(at)];
}

std::optional<UnitQuery::Range> UnitQuery::parseRange(const QString& text) {
  const auto number = [](QString digits) -> std::optional<double> {
    double factor = 1;
    const QString units = QStringLiteral("kMG");
    if (!digits.isEmpty() && units.contains(digits.back(), Qt::CaseInsensitive)) {
      const qsizetype power = units.toLower().indexOf(digits.back().toLower()) + 1;
      factor = std::pow(1e3, static_cast<double>(power));
      digits.chop(1);
    }
    bool good = false;
    const double value = digits.toDouble(&good);
    return good ? std::optional(value * factor) : std::nullopt;
  };
  const auto bounded = [&](qsizetype skip, auto make) -> std::optional<Range> {
    const auto value = number(text.mid(skip));
    return value ? std::optional<Range>(make(*value)) : std::nullopt;
  };
  if (text.startsWith(QStringLiteral(">="))) return bounded(2, [](double v) { return Range{v, kInfinite}; });
  if (text.startsWith(QStringLiteral("<="))) return bounded(2, [](double v) { return Range{-kInfinite, v}; });
  if (text.startsWith(QLatin1Char('>')))
    return bounded(1, [](double v) { return Range{std::nextafter(v, kInfinite), kInfinite}; });
  if (text.startsWith(QLatin1Char('<')))
    return bounded(1, [](double v) { return Range{-kInfinite, std::nextafter(v, -kInfinite)}; });
  if (const qsizetype dash = text.indexOf(QLatin1Char('-')); dash > 0) {
    const auto least = number(text.left(dash));
    const auto most = number(text.mid(dash + 1));
    if (!least || !most || *least > *most) return std::nullopt;
    return Range{*least, *most};
  }
  return bounded(0, [](double v) { return Range{v, v}; });
}

tl::expected<UnitQuery::Term, QString> UnitQuery::parseTerm(const QString& word) {
  Term term;
  QString rest = word;
  if (rest.size() > 1 && rest.startsWith(QLatin1Char('-'))) {
    term.negated = true;
    rest.remove(0, 1);
  }
  const qsizetype colon = rest.indexOf(QLatin1Char(':'));
  if (colon > 0 && !rest.startsWith(QLatin1Char('"')) && !rest.startsWith(QLatin1Char('/'))) {
    const QString name = rest.left(colon).toLower();
    const auto key = keyOf(name);
    if (!key) {
      return tl::unexpected(Text::tr("“%1” is not a search key. Put text with a colon in quotes, or search by %2.")
                                .arg(name, keys().join(QStringLiteral(", "))));
    }
    term.key = *key;
    if (term.key == Key::kAttribute) term.attribute = name;
    rest.remove(0, colon + 1);
    if (rest.isEmpty()) return tl::unexpected(Text::tr("A value must follow “%1:”.").arg(name));
  }
  if (term.key >= Key::kStage) {
    const auto range = parseRange(rest);
    if (!range) {
      return tl::unexpected(Text::tr("“%1” is not a number: write 29, 20-30, >5, <=1.5M.").arg(rest));
    }
    term.what = *range;
    return term;
  }
  if (enclosed(rest, QLatin1Char('/'))) {
    const QString pattern = rest.mid(1, rest.size() - 2);
    const QRegularExpression alone(pattern, QRegularExpression::CaseInsensitiveOption);
    if (!alone.isValid()) {
      return tl::unexpected(Text::tr("“%1” is not a regular expression: %2, at character %3.")
                                .arg(pattern, alone.errorString())
                                .arg(alone.patternErrorOffset() + 1));
    }
    term.what =
        QRegularExpression(QString::fromLatin1(kMatchLimit) + pattern, QRegularExpression::CaseInsensitiveOption);
    return term;
  }
  if (enclosed(rest, QLatin1Char('"'))) rest = rest.mid(1, rest.size() - 2);
  term.what = term.key == Key::kAttribute ? plain_value(rest) : rest.toLower();
  return term;
}

tl::expected<UnitQuery, QString> UnitQuery::parse(const QString& text) {
  UnitQuery query;
  for (const QString& word : words_of(text)) {
    IOS_TRY(auto term, parseTerm(word));
    query.terms_.push_back(std::move(term));
  }
  return query;
}

bool UnitQuery::matchesText(const Term& term, const QStringList& texts) {
  return std::any_of(texts.begin(), texts.end(), [&](const QString& text) {
    if (const auto* expression = std::get_if<QRegularExpression>(&term.what)) return expression->match(text).hasMatch();
    QString wanted = std::get<QString>(term.what);
    if (text.contains(wanted, Qt::CaseInsensitive)) return true;
    return term.key == Key::kShape && text.contains(wanted.replace(QLatin1Char('x'), QChar(0xD7)));
  });
}

bool UnitQuery::matchesAttribute(const Term& term, const Graph& graph, const Unit& unit) {
  return std::any_of(unit.operators.begin(), unit.operators.end(), [&](OperatorId id) {
    const QString value = attribute_value(graph.op(id).attributes, term.attribute);
    if (value.isEmpty()) return false;
    if (const auto* expression = std::get_if<QRegularExpression>(&term.what))
      return expression->match(value).hasMatch();
    return plain_value(value) == std::get<QString>(term.what);
  });
}

std::optional<double> UnitQuery::number(Key key, const Model& model, UnitId unit) {
  const Graph& graph = *model.graph;
  const UnitPlace& place = model.places[unit.index()];
  switch (key) {
    case Key::kStage: return place.stage ? std::optional(static_cast<double>(*place.stage + 1)) : std::nullopt;
    case Key::kGroup: return place.stage ? std::optional(static_cast<double>(place.group + 1)) : std::nullopt;
    case Key::kChannels: return static_cast<double>(graph.op(graph.unit(unit).output()).output.channels());
    case Key::kFlops: return model.labels[unit.index()].flops;
    case Key::kBytes: return model.labels[unit.index()].bytes;
    case Key::kParameters: return static_cast<double>(work(graph, unit, 1).parameters);
    default: return std::nullopt;
  }
}

bool UnitQuery::matches(const Term& term, const Model& model, UnitId id) {
  const Graph& graph = *model.graph;
  const Unit& unit = graph.unit(id);
  if (const auto* range = std::get_if<Range>(&term.what)) {
    const auto value = number(term.key, model, id);
    return value && range->contains(*value);
  }
  QStringList texts;
  const auto add_names = [&] {
    texts.append(shown_name(unit.name));
    for (const OperatorId op : unit.operators) texts.append(shown_name(graph.op(op).name));
  };
  const auto add_types = [&] {
    if (!unit.hint.empty()) texts.append(shown_name(unit.hint));
    texts.append(class_text(model.labels[id.index()].what));
    if (model.labels[id.index()].merged) texts.append(Text::tr("merged"));
    for (const OperatorId op : unit.operators) {
      texts.append(qstring(kind_name(graph.op(op).attributes)));
      if (const auto* opaque = graph.op(op).as<Opaque>()) texts.append(shown_name(opaque->type));
    }
  };
  switch (term.key) {
    case Key::kAttribute: return matchesAttribute(term, graph, unit);
    case Key::kName: add_names(); break;
    case Key::kType: add_types(); break;
    case Key::kPart: texts.append(shown_name(graph.part(unit.part).name)); break;
    case Key::kShape:
      for (const OperatorId op : graph.outputs(id)) texts.append(qstring(shape_text(graph.op(op).output, "×")));
      break;
    default:
      add_names();
      add_types();
      texts.append(shown_name(graph.part(unit.part).name));
      for (const OperatorId op : unit.operators) texts.append(shown_name(operator_text(graph, graph.op(op))));
  }
  return matchesText(term, texts);
}

std::vector<UnitId> UnitQuery::matches(const Model& model) const {
  std::vector<UnitId> found;
  if (empty()) return found;
  for (std::size_t u = 0; u < model.labels.size(); ++u) {
    const bool all = std::all_of(terms_.begin(), terms_.end(),
                                 [&](const Term& term) { return matches(term, model, UnitId(u)) != term.negated; });
    if (all) found.emplace_back(u);
  }
  return found;
}

}  // namespace iosx::canvas
