# Starts a Java program. Sourced by bin/waybill of a distribution and by ./waybill of a checkout; plain POSIX shell.

least_java=17

fail() {
  echo "waybill: $1" >&2
  exit 2
}

# Sets java, the program to run, and java_release, the file that describes its version (it may be missing).
find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "JAVA_HOME is $JAVA_HOME, which has no bin/java. Set it to a Java $least_java or newer, or unset it."
  else
    java=$(command -v java) || fail "Java not found. Install a Java runtime $least_java or newer, or set JAVA_HOME."
    java=$(readlink -f "$java" 2>/dev/null) || java=$(command -v java)
  fi
  java_release=${java%/bin/java}/release
  read_java_version
  java_major=${java_version%%[!0-9]*}
  [ "${java_major:-0}" -ge "$least_java" ] ||
    fail "$java is Java $java_version. Waybill needs Java $least_java or newer: install one, or set JAVA_HOME."
}

# Reading the file saves starting a JVM.
read_java_version() {
  java_version=
  if [ -r "$java_release" ]; then
    while IFS='=' read -r name value; do
      if [ "$name" = JAVA_VERSION ]; then
        java_version=$value
      fi
    done <"$java_release"
  fi
  if [ -z "$java_version" ]; then
    java_version=$("$java" -version 2>&1) || fail "$java does not run: $java_version"
    java_version=${java_version#*version }
  fi
  java_version=${java_version#\"}
  java_version=${java_version%%\"*}
}

# Java cannot tell which of its streams are terminals.
look_at_terminal() {
  terminal=false
  columns=0
  interactive=false
  if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then
    terminal=true
    columns=$(tput cols 2>/dev/null) || columns=0
  fi
  if [ -t 0 ]; then
    interactive=true
  fi
}

# Options for a command of the server, by its name. Short commands end before the optimising compiler or a concurrent
# collector pays off. The JVM's own warnings go to the standard error, away from what programs read.
server_options() {
  options="-Xlog:disable -Xlog:all=warning:stderr"
  case "${1:-}" in
    run | replay) ;;
    *) options="$options -XX:TieredStopAtLevel=1 -XX:+UseSerialGC" ;;
  esac
}

# launch CLASS_PATH MAIN_CLASS ARGUMENT...: replaces the shell with the JVM, so that signals reach it. Uses options and
# archive, a class data archive, when they are set.
launch() {
  class_path=$1
  main_class=$2
  shift 2
  look_at_terminal
  # shellcheck disable=SC2086 # options are words
  exec "$java" ${options:-} ${archive:+"-XX:SharedArchiveFile=$archive"} ${WAYBILL_JAVA_OPTIONS:-} \
    -Dwaybill.terminal="$terminal" -Dwaybill.columns="$columns" -Dwaybill.interactive="$interactive" \
    -cp "$class_path" "$main_class" "$@"
}
