#include "app/gui/run_bar.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QStyle>
#include <QToolButton>
#include <algorithm>

#include "app/gui/actions.h"
#include "app/gui/choice_box.h"
#include "models/networks/zoo.h"
#include "views/style/style.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kMaxPruning = 64;  // as many units as a part may have: more is unlimited

// So many letters of a network's name can be read.
constexpr int kShortName = 11;
constexpr int kLongName = 18;

// Makes the box as wide as so many letters, so that the bar fits a small screen; its list as wide as its longest entry.
void narrow(QComboBox* box, int letters) {
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(letters);
  box->view()->setMinimumWidth(box->view()->sizeHintForColumn(0) + 24);
}

QSpinBox* pruning_box(const QString& name) {
  auto* box = new QSpinBox;
  box->setRange(0, kMaxPruning);
  box->setSpecialValueText(QStringLiteral("∞"));
  box->setAccessibleName(name);
  return box;
}

}  // namespace

RunBar::RunBar(Session& session, Jobs& jobs, const Actions& actions, QWidget* parent)
    : QToolBar(tr("Run"), parent),
      session_(session),
      jobs_(jobs),
      network_(new ChoiceBox),
      device_(new QComboBox),
      batch_(new QSpinBox),
      strategy_(new QComboBox),
      r_(pruning_box(tr("Largest group, in units"))),
      s_(pruning_box(tr("Most groups in a stage"))),
      go_(new QToolButton),
      badge_(new QLabel),
      modes_(actions.mode) {
  setObjectName(QStringLiteral("run-bar"));
  setMovable(false);
  setIconSize(QSize(18, 18));
  for (QAction* mode : actions.mode->actions()) {
    addAction(mode);
    widgetForAction(mode)->setProperty("mode", true);
  }
  addSeparator();
  addNetworks();
  addDevices(actions);
  addSearch();
  addGo(actions);

  connect(&session_, &Session::settingsChanged, this, &RunBar::showSettings);
  connect(&session_, &Session::documentChanged, this, &RunBar::showDocument);
  connect(&session_, &Session::comparisonChanged, this, &RunBar::showBadge);
  connect(&jobs_, &Jobs::started, this, &RunBar::showJob);
  connect(&jobs_, &Jobs::finished, this, &RunBar::showJob);
  showSettings();
  showDocument();
  showJob();
}

void RunBar::focusNetwork() { network_->setFocus(Qt::ShortcutFocusReason); }

void RunBar::addLabelled(const QString& label, QWidget* widget, const QString& help) {
  auto* caption = new QLabel(label);
  caption->setBuddy(widget);
  widget->setToolTip(help);
  captions_.push_back(addWidget(caption));
  addWidget(widget);
}

void RunBar::addNetworks() {
  network_->setAccessibleName(tr("Network"));
  network_->setObjectName(QStringLiteral("network"));
  const ZooNetwork* before = nullptr;
  for (const ZooNetwork& network : zoo()) {
    if (before != nullptr && before->group != network.group) network_->insertSeparator(network_->count());
    before = &network;
    network_->addItem(core_words(network.title),
                      QString::fromUtf8(network.name.data(), static_cast<qsizetype>(network.name.size())));
    network_->setItemData(network_->count() - 1, core_words(network.summary), Qt::ToolTipRole);
  }
  narrow(network_, kShortName);
  network_->setMaxVisibleItems(40);
  network_->setToolTip(tr("Network: the built-in ones; File ▸ Open takes your own"));
  addWidget(network_);
  connect(network_, &QComboBox::activated, this, [this](int index) {
    const QString source = network_->itemData(index).toString();
    if (!source.isEmpty() && (source != session_.source() || drawn())) jobs_.open(source);
    showDocument();  // until the job has opened it, the box shows what is open
  });
}

void RunBar::addDevices(const Actions& actions) {
  device_->setAccessibleName(tr("Device"));
  device_->setObjectName(QStringLiteral("device"));
  for (const DeviceRegistry::Entry& entry : session_.devices().entries()) {
    const bool available = entry.unavailable.empty();
    const QString name = QString::fromStdString(entry.info.name);
    device_->addItem(available ? name : tr("%1 (not available)").arg(name), QString::fromStdString(entry.info.id));
    const int row = device_->count() - 1;
    const QString help = available ? device_summary(entry.info) : message_text(entry.unavailable);
    // Why a device is not there can be long, and only rich text is broken into lines.
    device_->setItemData(row, available ? help : QStringLiteral("<p>%1</p>").arg(help.toHtmlEscaped()),
                         Qt::ToolTipRole);
    device_->setItemData(row, help, Qt::AccessibleDescriptionRole);
    if (!available) qobject_cast<QStandardItemModel*>(device_->model())->item(row)->setEnabled(false);
  }
  narrow(device_, 10);
  device_->setToolTip(tr("Device: what runs the schedules"));
  addWidget(device_);
  addWidget(badge_);
  auto* timing = new QToolButton;
  timing->setObjectName(QStringLiteral("timing"));
  timing->setText(tr("Timing…"));
  timing->setToolTip(actions.timing->toolTip());
  timing->setAccessibleName(tr("Measuring"));
  timing->setFocusPolicy(Qt::TabFocus);
  connect(timing, &QToolButton::clicked, actions.timing, &QAction::trigger);
  timing_ = addWidget(timing);
  connect(device_, &QComboBox::currentIndexChanged, this, [this] {
    const DeviceRegistry::Entry* entry = session_.devices().find(device_->currentData().toString().toStdString());
    device_->setToolTip(entry == nullptr ? tr("What runs the schedules") : device_summary(entry->info));
    apply();
  });

  batch_->setRange(1, static_cast<int>(kMaxBatch));
  batch_->setAccessibleName(tr("Batch size"));
  batch_->setObjectName(QStringLiteral("batch"));
  addLabelled(tr("Batch"), batch_, tr("Images computed at once"));
  connect(batch_, &QSpinBox::valueChanged, this, &RunBar::apply);
}

void RunBar::addSearch() {
  options_ = addSeparator();
  strategy_->setAccessibleName(tr("Strategy"));
  strategy_->setObjectName(QStringLiteral("strategy"));
  for (const StrategySet strategies : kStrategySets) {
    const QString word = qstring(row_of(strategies).strategy_word);
    const QString title = core_words(row_of(strategies).strategy_word);
    strategy_->addItem(title.left(1).toUpper() + title.mid(1), word);
  }
  addLabelled(tr("Strategy"), strategy_,
              tr("What a stage may do: run groups side by side (parallel), merge layers into one (merge), or the "
                 "better of the two for each stage (both, which searches each of the three ways)"));
  connect(strategy_, &QComboBox::currentIndexChanged, this, &RunBar::apply);
  r_->setObjectName(QStringLiteral("r"));
  s_->setObjectName(QStringLiteral("s"));
  addLabelled(tr("r"), r_, tr("At most this many units in a group; ∞ searches everything and may take long"));
  addLabelled(tr("s"), s_, tr("At most this many groups in a stage; ∞ searches everything and may take long"));
  connect(r_, &QSpinBox::valueChanged, this, &RunBar::apply);
  connect(s_, &QSpinBox::valueChanged, this, &RunBar::apply);
}

void RunBar::addGo(const Actions& actions) {
  addSeparator();
  go_->setObjectName(QStringLiteral("go"));
  go_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  go_->setFocusPolicy(Qt::StrongFocus);
  go_action_ = addWidget(go_);
  optimize_ = actions.optimize;
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

void RunBar::fitWords() {
  constexpr int kRoomForWords = 1480;  // pixels
  constexpr int kLetter = 1;           // longest caption that always stands: r, s
  const bool roomy = width() >= kRoomForWords;
  network_->setMinimumContentsLength(roomy ? kLongName : kShortName);
  for (QAction* mode : modes_->actions()) {
    const auto which = static_cast<Mode>(mode->data().toInt());
    mode->setIconText(roomy ? mode_title(which).remove(QLatin1Char('&')) : mode_word(which));
  }
  for (QAction* caption : captions_) {
    const auto* label = qobject_cast<QLabel*>(widgetForAction(caption));
    caption->setVisible(roomy || (label != nullptr && label->text().size() <= kLetter));
  }
  // What does not fit goes into the bar's menu, from the right: never the button that all is for.
  const bool tight = sizeHint().width() > width();
  if (tight == tight_) return;
  tight_ = tight;
  removeAction(go_action_);
  tight ? insertAction(options_, go_action_) : addAction(go_action_);
}

void RunBar::resizeEvent(QResizeEvent* event) {
  fitWords();
  QToolBar::resizeEvent(event);
}

void RunBar::changeEvent(QEvent* event) {
  QToolBar::changeEvent(event);
  if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) fitGo();
}

void RunBar::showEvent(QShowEvent* event) {
  fitGo();
  QToolBar::showEvent(event);
}

void RunBar::apply() {
  if (showing_) return;
  RunSettings settings = session_.settings();
  settings.device = device_->currentData().toString().toStdString();
  settings.batch = batch_->value();
  const auto strategies = parse_strategies(strategy_->currentData().toString().toStdString());
  settings.schedule_kinds = schedule_kinds_within(strategies.value_or(StrategySet::kBoth));
  settings.search.pruning = {static_cast<std::size_t>(r_->value()), static_cast<std::size_t>(s_->value())};
  session_.setSettings(std::move(settings));
}

void RunBar::showSettings() {
  const RunSettings& settings = session_.settings();
  showing_ = true;
  device_->setCurrentIndex(device_->findData(QString::fromStdString(settings.device)));
  batch_->setValue(static_cast<int>(settings.batch));
  if (const auto strategies = strategies_of(settings.schedule_kinds)) {
    strategy_->setCurrentIndex(strategy_->findData(qstring(row_of(*strategies).strategy_word)));
  }
  r_->setValue(static_cast<int>(settings.search.pruning.r));
  s_->setValue(static_cast<int>(settings.search.pruning.s));
  showing_ = false;
  showBadge();
  fitWords();
}

bool RunBar::drawn() const {
  const WorkspaceNetwork* shown = session_.shownNetwork();
  return shown != nullptr && shown->drawn;
}

void RunBar::showDocument() {
  // The entry of a network that is not built in goes first: it moves the others.
  if (network_->itemData(0).toString().isEmpty()) network_->removeItem(0);
  // What was edited is no longer what is built in: that can be opened beside it.
  int row = drawn() ? -1 : network_->findData(session_.source());
  if (!drawing_.isEmpty()) {
    network_->insertItem(0, drawing_, QString());
    row = 0;
  } else if (row < 0 && session_.hasDocument()) {
    const QString name = shown_name(session_.document().graph->name());
    network_->insertItem(0, drawn() ? tr("%1, edited").arg(name) : name, QString());
    row = 0;
  }
  network_->setCurrentIndex(row);
  const bool batched = !session_.hasDocument() || session_.document().batched;
  batch_->setEnabled(batched);
  batch_->setToolTip(batched ? tr("Images computed at once")
                             : tr("This model has its batch size in its shapes, so that it runs as it is only"));
}

void RunBar::setDrawing(const QString& name) {
  if (name == drawing_) return;
  drawing_ = name;
  showDocument();
}

void RunBar::showJob() {
  go_->setToolTip(jobs_.runner().busy() ? tr("%1, when the jobs before it have ended").arg(optimize_->toolTip())
                                        : optimize_->toolTip());
  go_->setEnabled(session_.hasDocument());
}

void RunBar::showBadge() {
  const DeviceInfo* chosen = session_.device();
  timing_->setVisible(chosen != nullptr && chosen->origin == Origin::kMeasured);
  // It speaks of the figures that are shown: until the chosen device has made some, those are another one's.
  const auto shown = session_.comparison();
  const DeviceInfo* device = shown ? &shown->device : chosen;
  badge_->setVisible(device != nullptr);
  if (device == nullptr) return;
  const bool simulated = device->origin == Origin::kSimulated;
  badge_->setText(origin_text(device->origin).toUpper());
  badge_->setProperty("badge", simulated ? "simulated" : "measured");
  badge_->setToolTip(simulated ? tr("Latencies and timelines come from a model of this GPU, not from a GPU. The README "
                                    "says how far the model is from published measurements.")
                               : tr("Latencies and timelines are measured on %1.").arg(shown_name(device->name)));
  badge_->setAccessibleName(tr("Origin of the latencies: %1").arg(origin_text(device->origin)));
  badge_->style()->unpolish(badge_);
  badge_->style()->polish(badge_);
}

}  // namespace iosx

#include "moc_run_bar.cpp"
