#!/bin/sh
# Copy the compiled kernels to a writable folder (the root file system is read-only), then run the command.
set -eu
if [ ! -e "$SKYSIEVE_KERNEL_CACHE" ]; then
    cp -Rp "${BUILT_KERNELS:-/opt/kernels}" "$SKYSIEVE_KERNEL_CACHE"
fi
exec "$@"
