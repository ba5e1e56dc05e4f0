#include "views/window/panels/run_bar.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QFrame>
#include <QGridLayout>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <algorithm>
#include <utility>

#include "core/search/search.h"
#include "models/networks/zoo.h"
#include "views/figures/paint.h"
#include "views/style/theme.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/fitted_text.h"
#include "views/window/actions/actions.h"
#include "views/window/actions/keys.h"
#include "views/window/devices/device_box.h"

namespace iosx {
namespace {

constexpr int kWordsWidth = 330;

// Draws a stage with the maximum groups and units; where these do not fit, some and dots.
class StageSketch final : public QWidget {
 public:
  explicit StageSketch(const Pruning& limits) : limits_(limits) {
    setFixedHeight(static_cast<int>(2 * kAbove + kRow * kMostRows + 10));
    setAccessibleName(QCoreApplication::translate("iosx::SearchLimits", "A stage of the maximum size"));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme theme = theme_of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.stageBand(0));
    painter.drawRect(rect());
    const auto shown = [](std::size_t value, int most) {
      return value == 0 || value > static_cast<std::size_t>(most) ? most : static_cast<int>(value);
    };
    const int columns = shown(limits_.s, kMostColumns);
    const int rows = shown(limits_.r, kMostRows);
    const bool more_columns = static_cast<std::size_t>(columns) != limits_.s;
    const bool more_rows = static_cast<std::size_t>(rows) != limits_.r;
    const QColor fill = theme.operatorFill(OperatorClass::kConv3x3);
    const double step = kUnit.width() + kBetween;
    for (int c = 0; c < columns; ++c) {
      const double x = kBetween + step * c;
      for (int u = 0; u < rows; ++u) {
        const QRectF box(QPointF(x, kAbove + kRow * u), kUnit);
        painter.setPen(QPen(theme.outline, 1));
        if (u > 0) painter.drawLine(QPointF(box.center().x(), box.top() - 8), QPointF(box.center().x(), box.top()));
        paint_box(painter, Qt::NoPen, fill, box, 2);
      }
      painter.setPen(theme.text);
      if (more_rows) {
        painter.drawText(QRectF(x, kRow * rows, kUnit.width(), 14), Qt::AlignCenter, QStringLiteral("…"));
      }
    }
    if (more_columns) {
      painter.drawText(QRectF(kBetween + step * columns, kAbove, 20, kUnit.height()), Qt::AlignCenter,
                       QStringLiteral("…"));
    }
  }

 private:
  static constexpr int kMostColumns = 8;
  static constexpr int kMostRows = 3;
  static constexpr QSizeF kUnit{26, 14};
  static constexpr double kBetween = 10;
  static constexpr double kAbove = 8;
  static constexpr double kRow = 22;

  const Pruning& limits_;
};

// The readable number of letters of a name.
struct Letters {
  int network;
  int device;
};
constexpr Letters kManyLetters{18, 26};
constexpr Letters kUsualLetters{12, 18};
constexpr Letters kFewLetters{6, 8};

// Offers a list to choose from where choosing is costly: keys and wheel do not go through the entries while it is
// closed. A key opens the list, where Return or a click chooses.
class ChoiceBox final : public ElidedComboBox {
 public:
  using ElidedComboBox::ElidedComboBox;

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    switch (event->key()) {
      case Qt::Key_Tab:
      case Qt::Key_Backtab:
      case Qt::Key_Escape: return QComboBox::keyPressEvent(event);
      default: break;
    }
    const bool other = (event->modifiers() & (Qt::ControlModifier | Qt::MetaModifier)) != 0;
    if (other || (event->text().isEmpty() && !opens(event->key()))) return event->ignore();
    showPopup();
    event->accept();
  }
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }

 private:
  static bool opens(int key) {
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown ||
           key == Qt::Key_Home || key == Qt::Key_End || key == Qt::Key_F4;
  }
};

}  // namespace

SearchLimits::SearchLimits(QAction& all, QWidget* parent) : QToolButton(parent), popup_(build(all)) {
  setObjectName(QStringLiteral("search-limits"));
  setFocusPolicy(Qt::StrongFocus);
  connect(this, &QToolButton::clicked, this, &SearchLimits::open);
  describe();
}

QFrame* SearchLimits::build(QAction& all) {
  auto* popup = named("search-limits-popup", new QFrame(this, Qt::Popup));
  popup->setFrameShape(QFrame::StyledPanel);
  auto* grid = new QGridLayout(popup);
  grid->setContentsMargins(16, 14, 16, 14);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(10);
  int row = 0;
  for (const OptionInfo* info : {&info_of(&SearchOptions::strategies), &info_of(&Pruning::r), &info_of(&Pruning::s)}) {
    const OptionControl& control = controls_.emplace_back(make_option_control(bind_option(options_, *info), [this] {
      describe();
      emit changed();
    }));
    auto* caption = new QLabel(message_text(info->title));
    caption->setBuddy(control.widget);
    grid->addWidget(caption, row, 0, Qt::AlignLeft | Qt::AlignTop);
    grid->addWidget(control.widget, row, 1, Qt::AlignTop);
    QLabel* help = wrapping(message_text(info->help));
    help->setFixedWidth(kWordsWidth);
    grid->addWidget(help, row++, 2);
  }
  sketch_ = new StageSketch(options_.pruning);
  grid->addWidget(sketch_, 3, 0, 1, 3);
  grid->addWidget(new QLabel(tr("Larger limits can find a faster schedule and make the search longer.")), 4, 0, 1, 3);
  auto* usual = named("search-limits-usual", new QPushButton(tr("Usual values")));
  connect(usual, &QPushButton::clicked, this, [this] {
    RunSettings settings;
    settings.options.schedule_kinds = schedule_kinds_within(StrategySet::kBoth);
    show(settings);
    emit changed();
  });
  auto* others = named("all-settings", new QPushButton(tr("All settings…")));
  others->setToolTip(all.statusTip());
  connect(others, &QPushButton::clicked, this, [popup, &all] {
    popup->hide();
    all.trigger();
  });
  grid->addLayout(put_into(new QHBoxLayout, {usual, FreeRoom{}, others}), 5, 0, 1, 3);
  return popup;
}

void SearchLimits::open() {
  popup_->adjustSize();
  QPoint at = mapToGlobal(QPoint(0, height() + 2));
  const QRect room = screen()->availableGeometry();
  at.setX(std::max(room.left(), std::min(at.x(), room.right() - popup_->width())));
  at.setY(std::max(room.top(), std::min(at.y(), room.bottom() - popup_->height())));
  popup_->move(at);
  popup_->show();
  controls_[1].widget->setFocus(Qt::PopupFocusReason);
}

void SearchLimits::show(const RunSettings& settings) {
  options_.strategies = strategies_of(settings.options.schedule_kinds).value_or(options_.strategies);
  options_.pruning = settings.options.search.pruning;
  for (const OptionControl& control : controls_) control.show();
  describe();
}

void SearchLimits::putInto(RunSettings& settings) const {
  settings.options.schedule_kinds = schedule_kinds_within(options_.strategies);
  settings.options.search.pruning = options_.pruning;
}

void SearchLimits::describe() {
  const auto limit = [](std::size_t number) { return number == 0 ? QStringLiteral("∞") : QString::number(number); };
  const QString word = core_words(row_of(options_.strategies).strategy_word);
  const QString strategy = word.left(1).toUpper() + word.mid(1);
  const QString r = limit(options_.pruning.r);
  const QString s = limit(options_.pruning.s);
  setText(QStringLiteral("%1 · r %2 · s %3 ▾").arg(strategy, r, s));
  setAccessibleName(tr("Settings of the search: %1, r %2, s %3").arg(strategy, r, s));
  setToolTip(tr("Settings of the search: strategy, units per group (r), groups per stage (s)"));
  sketch_->update();
}

RunBar::RunBar(const WindowContext& context)
    : QToolBar(tr("Run")),
      context_(context),
      network_(new ChoiceBox),
      device_(new DeviceBox(context.session)),
      batch_(new QSpinBox),
      limits_(new SearchLimits(*context.actions["run-settings"])),
      go_(named("go", new QToolButton)),
      modes_(context.actions.of("modes")) {
  setObjectName(QStringLiteral("run-bar"));
  setMovable(false);
  setIconSize(QSize(18, 18));
  addButton(context.actions["start-page"]);
  for (QAction* mode : modes_) {
    addAction(mode);
    widgetForAction(mode)->setProperty("mode", true);
  }
  addSeparator();
  addNetworks();
  addDevices(*context.actions["devices"]);
  addBatch();
  ofNetwork(addWidget(limits_));
  connect(limits_, &SearchLimits::changed, this, &RunBar::apply);
  addGo();
  addButton(context.actions["palette"]);

  connect(&context_.session, &Session::settingsChanged, this, &RunBar::showSettings);
  connect(&context_.session, &Session::documentChanged, this, &RunBar::showMode);
  connect(&context_.session, &Session::recordingChanged, this, &RunBar::showMode);
  connect(&context_.jobs, &Jobs::started, this, &RunBar::showJob);
  connect(&context_.jobs, &Jobs::finished, this, &RunBar::showJob);
  showSettings();
  showDocument();
  showJob();
}

void RunBar::focusNetwork() { network_->setFocus(Qt::ShortcutFocusReason); }

void RunBar::addButton(QAction* action) {
  addAction(action);
  widgetForAction(action)->setFocusPolicy(Qt::TabFocus);
}

void RunBar::addNetworks() {
  named("network", network_, tr("Network"));
  const ZooNetwork* before = nullptr;
  for (const ZooNetwork& network : zoo()) {
    if (before != nullptr && before->group != network.group) network_->insertSeparator(network_->count());
    before = &network;
    network_->addItem(core_words(network.title), qstring(network.name));
    network_->setItemData(network_->count() - 1, core_words(network.summary), Qt::ToolTipRole);
  }
  network_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  network_->view()->setMinimumWidth(network_->view()->sizeHintForColumn(0) + 24);
  network_->setMaxVisibleItems(40);
  network_->setToolTip(tr("Built-in networks; File ▸ Open opens your own"));
  ofNetwork(addWidget(network_));
  connect(network_, &QComboBox::activated, this, [this](int index) {
    const QString source = network_->itemData(index).toString();
    if (!source.isEmpty() && (source != context_.session.source() || drawn())) context_.jobs.open(source);
    showDocument();  // until the job has opened it, the box shows what is open
  });
}

void RunBar::addDevices(QAction& others) {
  named("device", device_, tr("Device"));
  device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  ofNetwork(addWidget(device_));
  connect(device_, &DeviceBox::deviceChosen, this, &RunBar::apply);
  connect(device_, &DeviceBox::othersAsked, &others, &QAction::trigger);
  connect(device_, &DeviceBox::runChosen, &context_.session, &Session::showRun);
}

void RunBar::addBatch() {
  batch_->setRange(1, static_cast<int>(kMaxBatch));
  named("batch", batch_, tr("Batch size"));
  auto* caption = new QLabel(tr("Batch"));
  caption->setBuddy(batch_);
  batch_->setToolTip(tr("Images computed at once"));
  batch_caption_ = ofNetwork(addWidget(caption));
  ofNetwork(addWidget(batch_));
  connect(batch_, &QSpinBox::valueChanged, this, &RunBar::apply);
}

void RunBar::addGo() {
  go_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  go_->setFocusPolicy(Qt::StrongFocus);
  ofNetwork(addWidget(go_));
  optimize_ = context_.actions["optimize"];
  go_->setText(tr("Optimize"));
  go_->setAccessibleName(go_->text());
  go_->setIcon(optimize_->icon());
  go_->setProperty(kAccent, "go");
  connect(optimize_, &QAction::changed, this, &RunBar::showJob);
  connect(go_, &QToolButton::clicked, optimize_, &QAction::trigger);
}

// Its word is read in full, whatever the theme makes of its font.
void RunBar::fitGo() {
  go_->ensurePolished();
  go_->setMinimumWidth(go_->sizeHint().width());
}

void RunBar::say(Words words) {
  const Letters letters = words == Words::kMany ? kManyLetters : words == Words::kUsual ? kUsualLetters : kFewLetters;
  network_->setMinimumContentsLength(letters.network);
  device_->setMinimumContentsLength(letters.device);
  batch_caption_->setVisible(words == Words::kMany && !alone_);
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const ModeRow row = row_of(kModes[i]);
    modes_[i]->setIconText(words == Words::kMany ? plain_text(row.title) : row.word);
  }
}

void RunBar::fitWords() {
  for (const Words words : {Words::kMany, Words::kUsual, Words::kFew}) {
    say(words);
    if (sizeHint().width() <= width()) return;
  }
}

// Also while some parts are hidden, so that the window need not become wider when they come back.
void RunBar::keepAllSeen() {
  const bool alone = std::exchange(alone_, false);
  showParts();
  say(Words::kFew);
  setMinimumWidth(std::min(sizeHint().width(), screen()->availableSize().width()));
  alone_ = alone;
  showParts();
  fitWords();
}

QAction* RunBar::ofNetwork(QAction* part) {
  of_network_.push_back(part);
  return part;
}

void RunBar::showParts() {
  for (QAction* part : of_network_) part->setVisible(!alone_);
}

void RunBar::resizeEvent(QResizeEvent* event) {
  fitWords();
  QToolBar::resizeEvent(event);
}

void RunBar::changeEvent(QEvent* event) {
  QToolBar::changeEvent(event);
  if (event->type() != QEvent::StyleChange && event->type() != QEvent::FontChange) return;
  fitGo();
  if (isVisible()) keepAllSeen();
}

void RunBar::showEvent(QShowEvent* event) {
  fitGo();
  keepAllSeen();
  QToolBar::showEvent(event);
}

void RunBar::apply() {
  if (showing_) return;
  RunSettings settings = context_.session.settings();
  settings.device = device_->device();
  settings.options.batch = batch_->value();
  limits_->putInto(settings);
  context_.session.setSettings(std::move(settings));
}

void RunBar::showSettings() {
  const RunSettings& settings = context_.session.settings();
  showing_ = true;
  device_->showDevice(settings.device);
  const DeviceInfo* chosen = context_.session.device();
  device_->setToolTip(chosen == nullptr ? tr("Device for the schedules") : device_summary(*chosen));
  batch_->setValue(static_cast<int>(settings.options.batch));
  limits_->show(settings);
  showing_ = false;
  fitWords();
}

bool RunBar::drawn() const {
  const WorkspaceNetwork* shown = context_.session.shownNetwork();
  return shown != nullptr && shown->drawn;
}

void RunBar::showDocument() {
  // The entry of a network that is not built in goes first: it moves the others.
  if (network_->itemData(0).toString().isEmpty()) network_->removeItem(0);
  // An edited network is no longer the built-in one, which can be opened too.
  int row = drawn() ? -1 : network_->findData(context_.session.source());
  if (!drawing_.isEmpty()) {
    network_->insertItem(0, drawing_, QString());
    row = 0;
  } else if (row < 0 && context_.session.hasDocument()) {
    const QString name = shown_name(context_.session.document().graph->name());
    network_->insertItem(0, drawn() ? tr("%1, edited").arg(name) : name, QString());
    row = 0;
  }
  network_->setCurrentIndex(row);
  const bool batched = !context_.session.hasDocument() || context_.session.document().batched;
  batch_->setEnabled(batched && !context_.session.recordingId().valid());
  batch_->setToolTip(batched
                         ? tr("Images computed at once")
                         : tr("The batch size is fixed in the shapes of this model, so it runs only with that size"));
}

void RunBar::setDrawing(const QString& name) {
  if (name == drawing_) return;
  drawing_ = name;
  showDocument();
}

void RunBar::showJob() {
  go_->setToolTip(context_.jobs.runner().busy() ? tr("%1, after the jobs before it").arg(optimize_->toolTip())
                                                : optimize_->toolTip());
  go_->setEnabled(context_.session.hasDocument() && !context_.session.recordingId().valid());
}

void RunBar::showMode() {
  const bool network = !context_.session.recordingId().valid();
  device_->setEnabled(network);
  limits_->setEnabled(network);
  const bool alone = !network && !context_.session.hasDocument();
  if (std::exchange(alone_, alone) != alone) {
    showParts();
    fitWords();
  }
  showDocument();
  showJob();
}

}  // namespace iosx

#include "moc_run_bar.cpp"
