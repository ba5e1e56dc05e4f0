#pragma once

#include <QFont>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

#include <QStaticText>

class QPainter;

namespace iosx::canvas {

// Keeps shaped texts of one font that a canvas draws repeatedly while zooming: per thing (node, stage) its possible
// texts, the longest first.
class ShapedWords {
 public:
  void clear() { things_.clear(); }
  // Draws the first one that fits into the room, at the left and baseline that `place` returns for its width;
  // returns false where none fits. `words` is called once per thing.
  bool draw(QPainter& painter, std::size_t thing, const std::function<QStringList()>& words, const QFont& font,
            double room, const std::function<QPointF(double width)>& place);

 private:
  struct Word {
    QString words;
    double width = 0;
    std::optional<QStaticText> shaped;  // after its first drawing
  };
  std::vector<std::optional<std::vector<Word>>> things_;
};

// The texts of one scene; dropped when these or their language change.
struct SceneTexts {
  ShapedWords nodes;
  ShapedWords bands;
  std::vector<std::vector<QString>> headers;  // names of parts, from header_names() at header_zoom
  double header_zoom = 0;
};

}  // namespace iosx::canvas
