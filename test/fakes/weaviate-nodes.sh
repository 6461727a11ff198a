#!/usr/bin/env bash
# usage: unshare -n bash weaviate-nodes.sh PROGRAM FOLDER
# Three nodes of one Weaviate in a network of their own, for their ports for gRPC and other nodes listen on all interfaces. Sockets FOLDER/0,
# 1 and 2 lead to them; FOLDER/0.pid and so on tell the processes.
set -eu
program=$1 folder=$2
trap 'kill -9 $(jobs -p) 2>/dev/null' EXIT
ip link set lo up
export CLUSTER_IN_LOCALHOST=true CLUSTER_BIND_ADDR=127.0.0.1 CLUSTER_ADVERTISE_ADDR=127.0.0.1
export RAFT_JOIN=n0:28502,n1:28522,n2:28542 RAFT_BOOTSTRAP_EXPECT=3 RAFT_BOOTSTRAP_TIMEOUT=120
export AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true DEFAULT_VECTORIZER_MODULE=none ENABLE_MODULES= ENABLE_API_BASED_MODULES=false
export DISABLE_TELEMETRY=true GO_PROFILING_DISABLE=true GOMEMLIMIT=700MiB GOMAXPROCS=2 LOG_LEVEL=warning
for node in 0 1 2; do
  port() { echo $((28500 + node * 20 + $1)); }
  export PERSISTENCE_DATA_PATH=$folder/data$node CLUSTER_HOSTNAME=n$node
  export CLUSTER_GOSSIP_BIND_PORT=$(port 0) CLUSTER_DATA_BIND_PORT=$(port 1) RAFT_PORT=$(port 2) RAFT_INTERNAL_RPC_PORT=$(port 3) GRPC_PORT=$(port 4)
  if ((node > 0)); then
    export CLUSTER_JOIN=127.0.0.1:28500
    until (exec 3<>/dev/tcp/127.0.0.1/28500) 2>/dev/null; do sleep 0.2; done # they give up where the first is not there
  fi
  "$program" --host 127.0.0.1 --port "$(port 5)" --scheme http >"$folder/log$node" 2>&1 &
  echo $! >"$folder/$node.pid"
  node .ci/forward.mjs "$folder/$node" "$(port 5)" &
done
wait
