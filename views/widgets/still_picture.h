#pragma once

#include <QPixmap>
#include <QSize>
#include <functional>

class QPainter;

namespace iosx {

// Keeps the part of a view that stays while the mouse moves: it is drawn once, in the pixels of the screen.
class StillPicture {
 public:
  void invalidate() { valid_ = false; }
  // Draws the picture again after an invalidation, or a change of the size (in device-independent pixels) or of the
  // pixel ratio.
  const QPixmap& picture(QSize size, double pixel_ratio, const std::function<void(QPainter&)>& draw);

 private:
  QPixmap pixmap_;
  QSize size_;
  bool valid_ = false;
};

}  // namespace iosx
