#!/usr/bin/env bash
# The app on a machine with a device: its handlers in Node, then the editor itself under a screen, over the real addon.
#   test/gpu/app.sh pack ARCHIVE [ADDON]  in a checkout that is set up: bundles the tests and packs all that `run` needs and
#                                         the repository does not hold; ADDON in place of the one that set-up built
#   test/gpu/app.sh run RESULTS           in a checkout where that archive was unpacked, or that is set up and has the
#                                         bundles: runs them; writes app.json, app.png, app-fallback.png and app.log there
# `pack` wants an addon with code for the device itself, because a device takes minutes to make its own of all kernels:
#   npx cmake-js compile --out build/gpu --target convolve_addon --CDCONVOLVE_CUDA_ARCHITECTURES=90-real
# `run` needs Node, an Electron (ELECTRON_OVERRIDE_DIST_PATH, or the one that set-up found) and a display. Nothing else may
# use the device.
set -euo pipefail
cd "$(dirname "$0")/../.."
case ${1:-} in
  pack)
    archive=$(realpath -m "${2:?usage: test/gpu/app.sh pack ARCHIVE [ADDON]}")
    addon=$(realpath "${3:-build/addon/Release/convolve.node}")
    for name in handlers editor; do
      # One folder below the root, from where scripts/paths.ts finds it.
      npx esbuild "test/gpu/app/$name.test.ts" --outfile="dist/gpu-$name.mjs" --bundle --platform=node --format=esm \
        --target=node20.18 --external:sharp --external:playwright --external:electron --log-level=warning \
        --banner:js="import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);"
    done
    # Packages with all that they depend on, as far as it is here: inside Electron pictures are read by the build of sharp for
    # WebAssembly, and Playwright finds Electron through its package.
    packages=$(node -e '
      const { existsSync, readFileSync } = require("node:fs");
      const found = new Set();
      const add = (name) => {
        const folder = `node_modules/${name}`;
        if (found.has(folder) || !existsSync(folder)) return;
        found.add(folder);
        if (name === "electron") return;
        const { dependencies, optionalDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
        for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) add(one);
      };
      for (const name of ["sharp", "@img/sharp-wasm32", "playwright", "electron"]) add(name);
      console.log([...found].join("\n"));')
    mkdir -p "$(dirname "$archive")"
    # shellcheck disable=SC2086
    tar -cJf "$archive" --exclude='*.map' --exclude=node_modules/electron/dist --exclude=node_modules/electron/node_modules --transform "s,^${addon#/}\$,build/addon/Release/convolve.node," \
      --absolute-names dist $packages -C / "${addon#/}"
    ls -l "$archive"
    ;;
  run)
    results=${2:?usage: test/gpu/app.sh run RESULTS}
    mkdir -p "$results" && results=$(cd "$results" && pwd)
    CONVOLVE_RESULTS=$results CONVOLVE_COSTS=shipped node --test --test-concurrency=1 --test-reporter=spec \
      dist/gpu-handlers.mjs dist/gpu-editor.mjs 2>&1 | tee "$results/app.log"
    ;;
  *)
    echo "usage: test/gpu/app.sh pack ARCHIVE [ADDON] | run RESULTS" >&2
    exit 2
    ;;
esac
