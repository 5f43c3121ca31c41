# Sourced by the other scripts, from the root of the repository: creates .venv and installs into it.

find_python() {
    for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3}; do
        # Run it, because a version manager may leave a name on the PATH that does not work.
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "Python 3.11 or newer is required. None was found as ${PYTHON:-python3.13, python3.12, python3.11 or python3}." >&2
    echo "Install one, or set PYTHON: PYTHON=/path/to/python3 $0" >&2
    return 1
}

make_venv() {
    [ -x .venv/bin/python ] && return
    python=$(find_python) || return 1
    echo "Creating .venv with $python ..." >&2
    if ! "$python" -m venv .venv; then
        rm -rf .venv
        echo "$python could not create .venv. On Debian and Ubuntu, install the package python3-venv." >&2
        return 1
    fi
}

# prepare NAME PIP-ARGUMENTS: installs them, unless nothing has changed since the last time.
prepare() {
    stamp=.venv/.installed-$1
    shift
    make_venv || return 1
    wanted=$({ pwd; echo "$*"; cat pyproject.toml; } | cksum)
    [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
    echo "Installing into .venv (only when pyproject.toml has changed) ..." >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1' || return 1
    .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@" || return 1
    echo "$wanted" >"$stamp"
}

# prepare_tests: what tests, benchmarks and the scripts of the project import.
prepare_tests() {
    prepare test -e '.[c2pa,example,import,magic,passkeys,postgres,rest,s3]' --group test
}
