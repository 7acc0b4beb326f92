# For set-up scripts to source, which say what to do without a package by `give_up REASON`.

# debian_packages WHO PACKAGE...: installs them, as root alone.
debian_packages() {
    local who=$1
    shift
    [ $# -gt 0 ] || return 0
    command -v apt-get >/dev/null || give_up "missing $*: install them with your package manager"
    [ "$(id -u)" = 0 ] || give_up "missing Debian packages $*: run 'apt-get install --no-install-recommends $*' as root"
    echo "$who: installing Debian packages $*"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || give_up "apt-get update failed: is there a network?"
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null || give_up "apt-get install $* failed"
}
