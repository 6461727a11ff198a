# Sourced by .ci/run: starts the servers that some tests need, on loopback, and says by variables where they are. Tests of those
# that cannot be had are skipped by name. Nothing of this may fail a run: there may be no Go and no network.
engines=${XDG_CACHE_HOME:-$HOME/.cache}/passim/engines
engine_pids=()

# A program that `go install` builds, kept from run to run. It is given up after 60 s; what was built by then is used the next time.
built() {
  local name=$1 package=$2
  local program
  program=$(command -v "$name" || echo "$engines/$name")
  if [[ ! -x $program ]] && command -v go >/dev/null; then
    GOBIN=$engines GOFLAGS=-mod=mod timeout 60 nice go install "$package" >/dev/null 2>&1
  fi
  if [[ -x $program ]]; then echo "$program"; else echo "Could not build $name: tests that need it are skipped." >&2; fi
}

# Whether somebody listens there, within 20 s.
answers() {
  for _ in $(seq 1 100); do
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return 0
    sleep 0.2
  done
  return 1
}

# An S3 store for tests only; MinIO is neither shipped nor required.
start_s3() {
  [[ -z ${PASSIM_TEST_S3:-} ]] || return 0
  local minio port
  minio=$(built minio github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c)
  [[ -n $minio ]] || return 0
  port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
  mkdir -p "$engine_data/s3"
  env HOME="$engine_data" MINIO_ROOT_USER=passimtest MINIO_ROOT_PASSWORD=passimtest1 MINIO_BROWSER=off MINIO_UPDATE=off \
    MINIO_CALLHOME_ENABLE=off "$minio" server --quiet --address 127.0.0.1:$port "$engine_data/s3" >"$engine_data/s3.log" 2>&1 &
  engine_pids+=($!)
  answers $port && export PASSIM_TEST_S3=http://passimtest:passimtest1@127.0.0.1:$port/passim-test
  return 0
}

start_engines() {
  engine_data=$(mktemp -d)
  start_s3
}

stop_engines() {
  ((${#engine_pids[@]})) && kill "${engine_pids[@]}" 2>/dev/null
  rm -rf "${engine_data:-}"
}
