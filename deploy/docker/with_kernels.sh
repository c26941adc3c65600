#!/bin/sh
# Put the compiled kernels where they may be written to (the root file system is read-only), then go on as told.
set -eu
if [ ! -e "$SKYSIEVE_KERNEL_CACHE" ]; then
    cp -Rp "${BUILT_KERNELS:-/opt/kernels}" "$SKYSIEVE_KERNEL_CACHE"
fi
exec "$@"
