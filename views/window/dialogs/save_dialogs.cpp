#include "views/window/dialogs/save_dialogs.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

#include "views/text/messages.h"
#include "views/window/base/settings.h"

namespace iosx {
namespace {

// Returns the suffix for names without one, from "(*.svg)" at the end of a file dialog's filter.
QString suffix_of_filter(const QString& filter) {
  const qsizetype star = filter.lastIndexOf(QStringLiteral("*."));
  return star < 0 ? QString() : filter.mid(star + 2, filter.size() - star - 3);
}

}  // namespace

Result<void> write_file(const QString& path, const QByteArray& content) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit()) {
    return fail(verbatim(file.errorString().toStdString()), path.toStdString(), message("choose a writable folder"));
  }
  return {};
}

QString ask_for_new_file(QWidget* window, const QString& title, const QString& start, const QStringList& filters,
                         Replacing replacing) {
  QFileDialog dialog(window, title, QFileInfo(start).path());
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setOption(QFileDialog::DontConfirmOverwrite, replacing == Replacing::kNotAsk);
  dialog.setNameFilters(filters);
  const auto use = [&dialog](const QString& filter) { dialog.setDefaultSuffix(suffix_of_filter(filter)); };
  QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, use);
  use(filters.front());
  dialog.selectFile(QFileInfo(start).fileName());
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

QString ask_where_to_save(QWidget* window, const Settings& settings, const QString& title, const QString& stem,
                          const QStringList& filters) {
  const QString name = stem + QLatin1Char('.') + suffix_of_filter(filters.front());
  return ask_for_new_file(window, title, QDir(settings.folder()).filePath(name), filters);
}

QStringList figure_filters(FigureFormat first) {
  QStringList filters{file_filter(first)};
  for (const FigureFormat format : kFigureFormats) filters << file_filter(format);
  filters.removeDuplicates();
  return filters;
}

}  // namespace iosx
