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

// Keeps texts of one font that a canvas draws again and again while it is zoomed, shaped once: for each of some things
// (nodes, stages) what may be said of it, longest first.
class ShapedWords {
 public:
  void clear() { things_.clear(); }
  // Draws the first one that fits into the room, at its left and its baseline as `place` finds them for its width;
  // returns false where none fits. `words` is asked once a thing.
  bool draw(QPainter& painter, std::size_t thing, const std::function<QStringList()>& words, const QFont& font,
            double room, const std::function<QPointF(double width)>& place);

 private:
  struct Word {
    QString words;
    double width = 0;
    std::optional<QStaticText> shaped;  // once it has been drawn
  };
  std::vector<std::optional<std::vector<Word>>> things_;
};

// Holds the texts of one scene; they are dropped when these or their language change.
struct SceneTexts {
  ShapedWords nodes;
  ShapedWords bands;
  std::vector<std::vector<QString>> headers;  // names of parts, as header_names() has them at header_zoom
  double header_zoom = 0;
};

}  // namespace iosx::canvas
