#pragma once

#include <QPixmap>
#include <QSize>
#include <functional>

class QPainter;

namespace iosx {

// Keeps what of a view stays as it is while the mouse moves: it is drawn once, in the pixels of the screen.
class StillPicture {
 public:
  void invalidate() { valid_ = false; }
  // The picture is drawn again where it was invalidated, or the size (in device-independent pixels) or the pixels a one
  // have changed.
  const QPixmap& picture(QSize size, double pixel_ratio, const std::function<void(QPainter&)>& draw);

 private:
  QPixmap pixmap_;
  QSize size_;
  bool valid_ = false;
};

}  // namespace iosx
