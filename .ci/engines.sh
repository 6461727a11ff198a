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
  port=$(free_port)
  mkdir -p "$engine_data/s3"
  env HOME="$engine_data" MINIO_ROOT_USER=passimtest MINIO_ROOT_PASSWORD=passimtest1 MINIO_BROWSER=off MINIO_UPDATE=off \
    MINIO_CALLHOME_ENABLE=off "$minio" server --quiet --address 127.0.0.1:$port "$engine_data/s3" >"$engine_data/s3.log" 2>&1 &
  engine_pids+=($!)
  answers $port && export PASSIM_TEST_S3_FOLDER=$engine_data/s3 PASSIM_TEST_S3=http://passimtest:passimtest1@127.0.0.1:$port/passim-test
  return 0
}

# A PostgreSQL of Debian's package, with a database for tests. It does not run as root.
start_postgres() {
  [[ -z ${PASSIM_TEST_POSTGRES:-} ]] || return 0
  local programs as=() port
  programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
  if [[ ! -x $programs/initdb ]]; then
    echo "There is no PostgreSQL: tests that need it are skipped." >&2
    return 0
  fi
  mkdir -p "$engine_data/postgres"
  if ((EUID == 0)); then
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
    chmod 711 "$engine_data"
    chown postgres "$engine_data/postgres"
  fi
  "${as[@]}" "$programs/initdb" -D "$engine_data/postgres/data" -A trust -U passim -E UTF8 --locale=C.UTF-8 >/dev/null || return 0
  port=$(free_port)
  "${as[@]}" "$programs/postgres" -D "$engine_data/postgres/data" -p "$port" -c listen_addresses=127.0.0.1 -c max_connections=500 \
    -c unix_socket_directories="$engine_data/postgres" >"$engine_data/postgres/log" 2>&1 &
  engine_pids+=($!)
  answers "$port" && export PASSIM_TEST_POSTGRES=postgres://passim@127.0.0.1:$port/postgres
  return 0
}

# A port that nobody listens on.
free_port() {
  node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })"
}

# One Weaviate node, for tests only. Its ports for gRPC and other nodes listen on all interfaces, so it has a network of its own,
# which takes root; a socket in the file system leads there.
start_weaviate() {
  [[ -z ${PASSIM_TEST_WEAVIATE:-} ]] || return 0
  if ! unshare -n true 2>/dev/null; then
    echo "Cannot give Weaviate a network of its own: tests that need it are skipped." >&2
    return 0
  fi
  local weaviate port socket=$engine_data/weaviate.sock
  weaviate=$(built weaviate-server github.com/weaviate/weaviate/cmd/weaviate-server@v1.35.2)
  [[ -n $weaviate ]] || return 0
  env PERSISTENCE_DATA_PATH="$engine_data/weaviate" CLUSTER_HOSTNAME=n0 CLUSTER_IN_LOCALHOST=true CLUSTER_ADVERTISE_ADDR=127.0.0.1 \
    RAFT_BOOTSTRAP_EXPECT=1 RAFT_JOIN=n0:8300 AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true DEFAULT_VECTORIZER_MODULE=none \
    ENABLE_API_BASED_MODULES=false DISABLE_TELEMETRY=true GO_PROFILING_DISABLE=true GOMEMLIMIT=900MiB LOG_LEVEL=warning \
    unshare -n bash -c 'trap "kill \$(jobs -p)" EXIT
      ip link set lo up; node .ci/forward.mjs "$1" 8080 & "$2" --host 127.0.0.1 --port 8080 --scheme http & wait' \
    weaviate "$socket" "$weaviate" >"$engine_data/weaviate.log" 2>&1 &
  engine_pids+=($!)
  port=$(free_port)
  node .ci/forward.mjs "$port" "$socket" &
  engine_pids+=($!)
  for _ in $(seq 1 100); do
    if curl -sf -m 2 -o /dev/null "http://127.0.0.1:$port/v1/.well-known/ready"; then
      export PASSIM_TEST_WEAVIATE=http://127.0.0.1:$port
      return 0
    fi
    sleep 0.2
  done
  return 0
}

start_engines() {
  engine_data=$(mktemp -d)
  start_s3
  start_postgres
  start_weaviate
}

stop_engines() {
  ((${#engine_pids[@]})) && kill "${engine_pids[@]}" 2>/dev/null
  rm -rf "${engine_data:-}"
}
