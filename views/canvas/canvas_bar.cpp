#include "views/canvas/canvas_bar.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx::canvas {
namespace {

constexpr int kNarrow = 620;  // pixels, under which buttons say less

QString legend_tip() { return CanvasBar::tr("Show or hide the meaning of colours and signs (L)"); }
QString gains_tip() {
  return CanvasBar::tr("Colour the name of every part by what it saves against the baseline, and show the number");
}

QString elided(const QString& title) {
  constexpr qsizetype kMost = 28;  // characters
  return title.size() <= kMost ? title : title.left(kMost - 1) + QChar(0x2026);
}

}  // namespace

SignRow::SignRow(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("canvas-signs"));
  setAccessibleName(tr("Signs of the graph"));
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  follow_theme(this, theme_, [this] { update(); });
}

void SignRow::setLegend(GraphLegend legend) {
  legend_ = std::move(legend);
  setAccessibleDescription(legend_.texts().join(QStringLiteral("; ")));
  update();
}

void SignRow::setNeeded(bool needed) {
  if (needed == needed_) return;
  needed_ = needed;
  update();
}

void SignRow::paintEvent(QPaintEvent* /*event*/) {
  constexpr double kMargin = 12;
  if (!needed_) return;
  QPainter painter(this);
  legend_.paintSigns(painter, QRectF(rect()).adjusted(kMargin, 0, -kMargin, 0), theme_);
}

CanvasBar::CanvasBar(QWidget* parent)
    : QWidget(parent),
      signs_(new SignRow(this)),
      overlay_(bar_button({}, tr("Meaning of the colours"), this)),
      overlays_(new QActionGroup(this)),
      find_(bar_button(tr("Find"), tr("Find units by name, type, stage or attribute (Ctrl+F)"), this)),
      legend_(bar_button(tr("Legend"), legend_tip(), this)),
      map_(bar_button(tr("Map"), tr("Show or hide the overview if only a part of the graph is in view (M)"), this)),
      gains_(bar_button(tr("Saved"), gains_tip(), this)) {
  setObjectName(QStringLiteral("canvas-bar"));
  setAccessibleName(tr("Graph bar"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(6, 2, 6, 2);
  row->setSpacing(2);
  tips_ = {tr("Show the whole network"), tr("Choose another part (G)"), tr("Show the selection")};
  for (std::size_t i = 0; i < crumbs_.size(); ++i) {
    crumbs_[i] = bar_button({}, tips_[i], this);
    row->addWidget(crumbs_[i]);
  }
  crumbs_[0]->setAccessibleName(tr("Network"));
  crumbs_[1]->setAccessibleName(tr("Part"));
  crumbs_[2]->setAccessibleName(tr("Selection"));
  row->addWidget(signs_, 1);
  auto* menu = new QMenu(overlay_);
  menu->setToolTipsVisible(true);
  for (std::size_t o = 0; o < kOverlays; ++o) {
    const auto overlay = static_cast<Overlay>(o);
    QAction* action = menu->addAction(overlay_name(overlay));
    action->setToolTip(overlay_meaning(overlay));
    action->setCheckable(true);
    action->setData(static_cast<int>(o));
    overlays_->addAction(action);
  }
  overlays_->actions()[static_cast<int>(Overlay::kColumn)]->setVisible(false);
  overlay_->setMenu(menu);
  overlay_->setPopupMode(QToolButton::InstantPopup);
  overlay_->setAccessibleName(tr("Colour the units by"));
  for (QToolButton* button : {overlay_, gains_, find_, legend_, map_}) row->addWidget(button);
  legend_->setCheckable(true);
  map_->setCheckable(true);
  gains_->setCheckable(true);
  connect(crumbs_[0], &QToolButton::clicked, this, &CanvasBar::networkClicked);
  connect(crumbs_[1], &QToolButton::clicked, this, &CanvasBar::partsClicked);
  connect(crumbs_[2], &QToolButton::clicked, this, &CanvasBar::unitClicked);
  connect(overlays_, &QActionGroup::triggered, this,
          [this](const QAction* action) { emit overlayChosen(static_cast<Overlay>(action->data().toInt())); });
  connect(find_, &QToolButton::clicked, this, &CanvasBar::findClicked);
  connect(legend_, &QToolButton::clicked, this, &CanvasBar::legendClicked);
  connect(map_, &QToolButton::toggled, this, &CanvasBar::mapToggled);
  connect(gains_, &QToolButton::toggled, this, &CanvasBar::gainsToggled);
  setOverlay(Overlay::kNone);
}

void CanvasBar::setCrumbs(const Crumb& network, const Crumb& part, const Crumb& unit) {
  if (names_ == std::array{network, part, unit}) return;
  names_ = {network, part, unit};
  fitCrumbs();
}

void CanvasBar::setOverlay(Overlay overlay) {
  shown_ = overlay;
  overlays_->actions()[static_cast<int>(overlay)]->setChecked(true);
  fitCrumbs();
}

void CanvasBar::setColumn(const QString& title) {
  column_ = title;
  QAction* action = overlays_->actions()[static_cast<int>(Overlay::kColumn)];
  action->setVisible(!title.isEmpty());
  action->setText(menu_text(elided(title)));
  fitCrumbs();
}

void CanvasBar::addOverlayAction(QAction* action) {
  overlay_->menu()->addSeparator();
  overlay_->menu()->addAction(action);
}

QString CanvasBar::overlayText() const {
  return shown_ == Overlay::kColumn && !column_.isEmpty() ? elided(column_) : overlay_name(shown_);
}

void CanvasBar::setLegend(bool fits, bool shown) {
  const QSignalBlocker no_echo(legend_);
  legend_->setCheckable(fits);
  legend_->setChecked(fits && shown);
  legend_->setToolTip(fits ? legend_tip() : tr("Show the meaning of colours and signs (L)"));
}

void CanvasBar::setMapShown(bool shown) {
  const QSignalBlocker no_echo(map_);
  map_->setChecked(shown);
}

void CanvasBar::setGainsShown(bool shown) {
  const QSignalBlocker no_echo(gains_);
  gains_->setChecked(shown);
}

void CanvasBar::setGainsKnown(bool known) {
  gains_->setEnabled(known);
  gains_->setToolTip(
      known ? gains_tip()
            : tr("The savings of stages are not known here: they need a schedule that ran and is not the baseline"));
}

void CanvasBar::resizeEvent(QResizeEvent* /*event*/) { fitCrumbs(); }

void CanvasBar::fitCrumbs() {
  const bool narrow = width() < kNarrow;
  overlay_->setText(narrow ? tr("Colour") : menu_text(tr("Colour: %1").arg(overlayText())));
  map_->setVisible(!narrow);
  const int others = overlay_->sizeHint().width() + gains_->sizeHint().width() + find_->sizeHint().width() +
                     legend_->sizeHint().width() + (narrow ? 0 : map_->sizeHint().width()) + 40;
  int room = std::max(0, width() - others);
  for (std::size_t i = 0; i < crumbs_.size(); ++i) {
    constexpr qsizetype kMost = 400;  // characters
    const bool all = i == 1 && names_[1].name.isEmpty() && !names_[0].name.isEmpty();
    QString text = all ? tr("parts") : names_[i].name.left(kMost);
    const bool shown = !text.isEmpty() && room > 60;
    crumbs_[i]->setVisible(shown);
    if (!shown) continue;
    const int share = i == 2 ? room : room * 2 / 5;
    const QString mark = i == 0 ? QString() : QString(QChar(0x25B8)) + QLatin1Char(' ');
    const QFontMetrics metrics = crumbs_[i]->fontMetrics();
    const int most = std::max(20, share - 16);
    if (metrics.horizontalAdvance(mark + text) > most && !names_[i].brief.isEmpty()) text = names_[i].brief.left(kMost);
    text = mark + metrics.elidedText(text, Qt::ElideMiddle, most - metrics.horizontalAdvance(mark));
    crumbs_[i]->setToolTip(all ? tips_[i] : plain_tip(names_[i].name.left(kMost) + QLatin1Char('\n') + tips_[i]));
    crumbs_[i]->setText(menu_text(text));
    room -= crumbs_[i]->sizeHint().width() + 2;
  }
}

}  // namespace iosx::canvas

#include "moc_canvas_bar.cpp"
