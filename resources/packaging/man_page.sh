#!/bin/sh
# man_page.sh PROGRAM VERSION: writes a manual page to standard output, from PROGRAM --help and that of its subcommands.
# Needs only sh and awk. The help has CLI11's form: headings end in a colon, entries are indented by two columns, and
# descriptions start in column 30.
set -eu
program=$1
version=$2
name=$(basename "$program")
export LC_ALL=C.UTF-8

# Escapes a help text for troff: a dot or a quote at the start would be a request, and a hyphen belongs to an option.
format='
function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  if (text ~ /^[.\x27]/) text = "\\&" text
  return text
}
function entry(name, text) { printf ".TP\n.B %s\n%s\n", escaped(name), escaped(text) }
'

# Reads the help of `$name $*`, which the functions below take their parts from.
read_help() { help=$("$program" "$@" --help); }

# A part of the help, in troff: its description, usage, options or exit codes.
say() {
  printf '%s\n' "$help" | awk -v part="$1" "$format"'
    function flush() {
      if (name != "" && (part == "options" && section != "Subcommands" || part == section)) entry(name, text)
      name = ""
      text = ""
    }
    /^Usage: / { if (part == "usage") print escaped(substr($0, 8)); seen = 1; next }
    /^[A-Z][A-Za-z]*:$/ { flush(); section = substr($0, 1, length($0) - 1); next }
    /^Exit code: / { flush(); if (part == "exit") print escaped(substr($0, 12)); section = ""; next }
    !seen { if (part == "about" && $0 != "") print escaped($0); next }
    /^  [^ ]/ {
      flush()
      name = length($0) > 30 && substr($0, 30, 1) == " " ? substr($0, 1, 30) : $0
      text = length($0) > length(name) ? substr($0, 31) : ""
      sub(/^ +/, "", name)
      sub(/ +$/, "", name)
      next
    }
    /^ +[^ ]/ { line = $0; sub(/^ +/, "", line); text = text == "" ? line : text " " line; next }
    END { flush() }'
}

# Names of the subcommands.
commands() {
  printf '%s\n' "$help" | awk '/^Subcommands:$/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [^ ]/ { print $1 }'
}

command_section() {
  read_help "$@"
  printf '.SS %s\n' "$*"
  say about
  printf '.PP\n.B %s\n' "$(say usage)"
  say options
  for below in $(commands); do command_section "$@" "$below"; done
}

read_help
about=$(say about | head -n 1 | sed -e 's/^[^:]*: //' -e 's/\.$//')
printf '.TH %s 1 "" "IOS Explorer %s" "User Commands"\n' "$(echo "$name" | tr '[:lower:]-' '[:upper:]_')" "$version"
printf '.SH NAME\n%s \\- %s\n' "$(echo "$name" | sed 's/-/\\-/g')" "$about"
printf '.SH SYNOPSIS\n.B %s\n' "$(say usage)"
printf '.SH OPTIONS\n'
say options
codes=$(say exit)
all=$(commands)
if [ -n "$all" ]; then
  printf '.SH COMMANDS\n'
  for command in $all; do command_section "$command"; done
fi
[ -z "$codes" ] || printf '.SH EXIT STATUS\n%s\n' "$codes"
other=$([ "$name" = iosx ] && echo ios-explorer || echo iosx)
printf '.SH SEE ALSO\n.BR %s (1)\n' "$(echo "$other" | sed 's/-/\\-/g')"
