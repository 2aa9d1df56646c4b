#!/usr/bin/env bash
# Builds the Kubernetes that the tests start (API server, controller manager, scheduler, etcd, KWOK), from Go modules pinned beside this
# script, and prints the folder of the binaries. About ten minutes the first time on two cores, at once from then on. The tests call it
# themselves; running it before them only moves the wait.
#
# The folder is named after what it was built from, so that a new version never meets an old binary:
#   ${MUSTER_KUBE_HOME:-~/.cache/muster-kube}/<hash of the pinned files>/
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${MUSTER_KUBE_HOME:-$HOME/.cache/muster-kube}
command -v go > /dev/null || { echo "needs Go 1.25 or newer (https://go.dev/dl)" >&2; exit 69; }

digest() { if command -v sha256sum > /dev/null; then sha256sum; else shasum -a 256; fi | cut -c1-12; }
bin=$home/$(cd "$here" && cat build.sh */go.mod */go.sum | digest)
mkdir -p "$bin"
touch "$bin"
find "$home" -mindepth 1 -maxdepth 1 -type d -name '????????????' -mtime +30 -exec rm -rf {} + # versions that nobody has used lately
if command -v flock > /dev/null; then exec 9> "$home/.lock"; flock 9; fi

binary() { # folder of the module, package, name of the binary, linker flags
  [ -x "$bin/$3" ] && return
  [ -n "${told:-}" ] || echo "Building a Kubernetes for the tests: some ten minutes the first time, then never again." >&2
  told=yes
  echo "  $3" >&2
  (cd "$here/$1" && CGO_ENABLED=0 nice go build -mod=readonly -trimpath -ldflags "-s -w ${4:-}" -o "$bin/.$3" "$2")
  mv "$bin/.$3" "$bin/$3" # whole or not at all: an interrupted build leaves no half binary behind
}

release=$(cd "$here/control-plane" && go list -m -f '{{.Version}}' k8s.io/kubernetes)
IFS=. read -r major minor _ <<< "${release#v}"
version="-X k8s.io/component-base/version.gitVersion=$release"
version+=" -X k8s.io/component-base/version.gitMajor=$major -X k8s.io/component-base/version.gitMinor=$minor"

binary etcd          go.etcd.io/etcd/server/v3                      etcd
binary kwok          sigs.k8s.io/kwok/cmd/kwok                      kwok
binary control-plane k8s.io/kubernetes/cmd/kube-apiserver           kube-apiserver          "$version"
binary control-plane k8s.io/kubernetes/cmd/kube-controller-manager  kube-controller-manager "$version"
binary control-plane k8s.io/kubernetes/cmd/kube-scheduler           kube-scheduler          "$version"
echo "$bin"
