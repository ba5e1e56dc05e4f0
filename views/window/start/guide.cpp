#include "views/window/start/guide.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QImage>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

namespace iosx {
namespace {

constexpr QSize kSize(960, 760);
constexpr int kPictureWidth = 880;  // pixels of the screen's unit

QUrl page_url(const QString& file) { return QUrl(QStringLiteral("qrc:/help/") + file); }

const QString kTopics = QStringLiteral("README.md");  // the list of all topics

// Shows long pages at once, and pictures no wider than the page, sharp on every screen.
class Pages final : public QTextBrowser {
 public:
  using QTextBrowser::QTextBrowser;

  QVariant loadResource(int type, const QUrl& name) override {
    const QVariant loaded = QTextBrowser::loadResource(type, name);
    if (type != QTextDocument::ImageResource) return loaded;
    QImage picture = loaded.value<QImage>();
    if (picture.isNull()) picture.loadFromData(loaded.toByteArray());
    if (picture.isNull()) return loaded;
    const double scale = devicePixelRatioF();
    const int width = std::min(picture.width(), static_cast<int>(kPictureWidth * scale));
    picture = picture.scaledToWidth(width, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(scale);
    return picture;
  }

 protected:
  // Reads a page before it is laid out: else Qt lays a table out anew for every cell that it reads, which takes some
  // seconds for the longer ones.
  void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override {
    document()->setLayoutEnabled(false);
    QTextBrowser::doSetSource(name, type);
    document()->setLayoutEnabled(true);
  }
};

}  // namespace

Guide::Guide(QWidget* window) : QDialog(window), page_(new Pages) {
  setObjectName(QStringLiteral("guide"));
  setWindowTitle(tr("Guide"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(kSize);
  page_->setObjectName(QStringLiteral("guide-page"));
  page_->setAccessibleName(tr("Guide"));
  page_->setOpenExternalLinks(true);  // in the browser
  page_->document()->setDocumentMargin(20);
  auto* row = new QHBoxLayout;
  const auto add = [&](const char* name, const QString& text, const QString& file) {
    auto* button = new QPushButton(text);
    button->setObjectName(QString::fromLatin1(name));
    button->setCheckable(true);
    button->setAutoDefault(false);
    button->setAutoExclusive(true);
    connect(button, &QPushButton::clicked, page_, [this, file] { page_->setSource(page_url(file)); });
    // A page of a topic belongs to the list of topics.
    const bool topics = file == kTopics;
    connect(page_, &QTextBrowser::sourceChanged, button, [button, file, topics](const QUrl& url) {
      const bool guide = url.path().startsWith(QStringLiteral("/help/guide/"));
      if (url == page_url(file) || (topics && !guide)) button->setChecked(true);
    });
    connect(button, &QPushButton::toggled, button, [button](bool on) {  // in every style
      QFont font = button->font();
      font.setBold(on);
      button->setFont(font);
    });
    row->addWidget(button);
  };
  //: The file of this page of the guide in this language.
  const QString draw = QStringLiteral("guide/") + tr("draw.md");
  //: The file of this page of the guide in this language.
  const QString change = QStringLiteral("guide/") + tr("change.md");
  //: The file of this page of the guide in this language.
  const QString stages = QStringLiteral("guide/") + tr("stages.md");
  add("guide-draw", tr("&1. Draw a network"), draw);
  add("guide-schedule", tr("&2. Change a schedule"), change);
  add("guide-stages", tr("&3. Why stages cost"), stages);
  add("guide-topics", tr("&All topics"), kTopics);
  row->addStretch();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addLayout(row);
  column->addWidget(page_, 1);
  column->addWidget(buttons);
  page_->setSource(page_url(draw));
  page_->setFocus();
}

void Guide::showTopics() { page_->setSource(page_url(kTopics)); }

}  // namespace iosx

#include "moc_guide.cpp"
