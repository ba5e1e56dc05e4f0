#include "views/widgets/still_picture.h"

#include <QPainter>
#include <cmath>

namespace iosx {

const QPixmap& StillPicture::picture(QSize size, double pixel_ratio, const std::function<void(QPainter&)>& draw) {
  if (valid_ && size_ == size && pixmap_.devicePixelRatio() == pixel_ratio) return pixmap_;
  const auto pixels = [&](int length) { return static_cast<int>(std::ceil(length * pixel_ratio)); };
  const QSize needed(pixels(size.width()), pixels(size.height()));
  if (pixmap_.size() != needed) pixmap_ = QPixmap(needed);
  pixmap_.setDevicePixelRatio(pixel_ratio);
  size_ = size;
  valid_ = true;
  if (needed.isEmpty()) return pixmap_;
  pixmap_.fill(Qt::transparent);  // a last column or row may be drawn in part
  QPainter painter(&pixmap_);
  draw(painter);
  return pixmap_;
}

}  // namespace iosx
