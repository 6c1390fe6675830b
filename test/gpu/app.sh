#!/usr/bin/env bash
# The app on a machine with a device: its handlers in Node, then the editor itself under a screen, over the real addon.
#   test/gpu/app.sh bundle             in a checkout that is set up: bundles the tests into dist
#   test/gpu/app.sh run RESULTS        runs them; writes app.json and app.png there
# `run` needs what `npm run setup` makes (build/addon, dist), the bundles, node_modules with sharp and playwright, Node, an
# Electron (ELECTRON_OVERRIDE_DIST_PATH, or the one that set-up found) and a display. Nothing else may use the device.
set -euo pipefail
cd "$(dirname "$0")/../.."
case ${1:-} in
  bundle)
    for name in handlers editor; do
      # One folder below the root, from where scripts/paths.ts finds it.
      npx esbuild "test/gpu/app/$name.test.ts" --outfile="dist/gpu-$name.mjs" --bundle --platform=node --format=esm \
        --target=node20.18 --external:sharp --external:playwright --external:electron --log-level=warning \
        --banner:js="import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);"
    done
    ;;
  run)
    results=${2:?usage: test/gpu/app.sh run RESULTS}
    mkdir -p "$results" && results=$(cd "$results" && pwd)
    CONVOLVE_RESULTS=$results CONVOLVE_COSTS=shipped exec node --test --test-concurrency=1 --test-reporter=spec \
      dist/gpu-handlers.mjs dist/gpu-editor.mjs
    ;;
  *)
    echo "usage: test/gpu/app.sh bundle | run RESULTS" >&2
    exit 2
    ;;
esac
