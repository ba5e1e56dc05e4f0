#include "views/window/panels/run_bar.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QScreen>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>

#include "models/networks/zoo.h"
#include "views/style/style.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/actions/actions.h"
#include "views/window/base/choice_box.h"
#include "views/window/devices/device_box.h"
#include "views/window/panels/search_limits.h"

namespace iosx {
namespace {

// The readable number of letters of a name.
struct Letters {
  int network;
  int device;
};
constexpr Letters kManyLetters{18, 26};
constexpr Letters kUsualLetters{12, 18};
constexpr Letters kFewLetters{6, 8};

}  // namespace

RunBar::RunBar(Session& session, Jobs& jobs, const Actions& actions, QWidget* parent)
    : QToolBar(tr("Run"), parent),
      session_(session),
      jobs_(jobs),
      network_(new ChoiceBox),
      device_(new DeviceBox(session)),
      batch_(new QSpinBox),
      limits_(new SearchLimits(*actions.timing)),
      go_(new QToolButton),
      modes_(actions.mode) {
  setObjectName(QStringLiteral("run-bar"));
  setMovable(false);
  setIconSize(QSize(18, 18));
  addButton(actions.start_page);
  for (QAction* mode : actions.mode->actions()) {
    addAction(mode);
    widgetForAction(mode)->setProperty("mode", true);
  }
  addSeparator();
  addNetworks();
  addDevices(*actions.devices);
  addBatch();
  addWidget(limits_);
  connect(limits_, &SearchLimits::changed, this, &RunBar::apply);
  addGo(actions);
  addButton(actions.palette);

  connect(&session_, &Session::settingsChanged, this, &RunBar::showSettings);
  connect(&session_, &Session::documentChanged, this, &RunBar::showDocument);
  connect(&jobs_, &Jobs::started, this, &RunBar::showJob);
  connect(&jobs_, &Jobs::finished, this, &RunBar::showJob);
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
  network_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  network_->view()->setMinimumWidth(network_->view()->sizeHintForColumn(0) + 24);
  network_->setMaxVisibleItems(40);
  network_->setToolTip(tr("Network: the built-in ones; File ▸ Open takes your own"));
  addWidget(network_);
  connect(network_, &QComboBox::activated, this, [this](int index) {
    const QString source = network_->itemData(index).toString();
    if (!source.isEmpty() && (source != session_.source() || drawn())) jobs_.open(source);
    showDocument();  // until the job has opened it, the box shows what is open
  });
}

void RunBar::addDevices(QAction& others) {
  device_->setAccessibleName(tr("Device"));
  device_->setObjectName(QStringLiteral("device"));
  device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  addWidget(device_);
  connect(device_, &DeviceBox::deviceChosen, this, &RunBar::apply);
  connect(device_, &DeviceBox::othersAsked, &others, &QAction::trigger);
  connect(device_, &DeviceBox::runChosen, &session_, &Session::showRun);
}

void RunBar::addBatch() {
  batch_->setRange(1, static_cast<int>(kMaxBatch));
  batch_->setAccessibleName(tr("Batch size"));
  batch_->setObjectName(QStringLiteral("batch"));
  auto* caption = new QLabel(tr("Batch"));
  caption->setBuddy(batch_);
  batch_->setToolTip(tr("Images computed at once"));
  batch_caption_ = addWidget(caption);
  addWidget(batch_);
  connect(batch_, &QSpinBox::valueChanged, this, &RunBar::apply);
}

void RunBar::addGo(const Actions& actions) {
  go_->setObjectName(QStringLiteral("go"));
  go_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  go_->setFocusPolicy(Qt::StrongFocus);
  addWidget(go_);
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

void RunBar::say(Words words) {
  const Letters letters = words == Words::kMany ? kManyLetters : words == Words::kUsual ? kUsualLetters : kFewLetters;
  network_->setMinimumContentsLength(letters.network);
  device_->setMinimumContentsLength(letters.device);
  batch_caption_->setVisible(words == Words::kMany);
  for (QAction* mode : modes_->actions()) {
    const auto which = static_cast<Mode>(mode->data().toInt());
    mode->setIconText(words == Words::kMany ? mode_title(which).remove(QLatin1Char('&')) : mode_word(which));
  }
}

void RunBar::fitWords() {
  for (const Words words : {Words::kMany, Words::kUsual, Words::kFew}) {
    say(words);
    if (sizeHint().width() <= width()) return;
  }
}

void RunBar::keepAllSeen() {
  say(Words::kFew);
  setMinimumWidth(std::min(sizeHint().width(), screen()->availableSize().width()));
  fitWords();
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
  RunSettings settings = session_.settings();
  settings.device = device_->device();
  settings.batch = batch_->value();
  limits_->putInto(settings);
  session_.setSettings(std::move(settings));
}

void RunBar::showSettings() {
  const RunSettings& settings = session_.settings();
  showing_ = true;
  device_->showDevice(settings.device);
  const DeviceInfo* chosen = session_.device();
  device_->setToolTip(chosen == nullptr ? tr("What runs the schedules") : device_summary(*chosen));
  batch_->setValue(static_cast<int>(settings.batch));
  limits_->show(settings);
  limits_->setMeasuring(chosen != nullptr && chosen->origin == Origin::kMeasured);
  showing_ = false;
  fitWords();
}

bool RunBar::drawn() const {
  const WorkspaceNetwork* shown = session_.shownNetwork();
  return shown != nullptr && shown->drawn;
}

void RunBar::showDocument() {
  // The entry of a network that is not built in goes first: it moves the others.
  if (network_->itemData(0).toString().isEmpty()) network_->removeItem(0);
  // An edited network is no longer the built-in one, which can be opened in addition.
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

}  // namespace iosx

#include "moc_run_bar.cpp"
