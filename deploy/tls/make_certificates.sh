#!/usr/bin/env bash
# Make the certificates of an encrypted Dask cluster.
#
#   make_certificates.sh FOLDER NAME...
#
# FOLDER gets an authority (ca.pem, ca-key.pem), made once and kept, and for each NAME a certificate and its key
# (NAME.pem, NAME-key.pem). Whoever holds a certificate of the authority may use the cluster, and run code on it.
set -euo pipefail
umask 077

DAYS_AUTHORITY=3650
DAYS=825

fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

[ $# -ge 2 ] || fail "usage: make_certificates.sh FOLDER NAME..."
command -v openssl >/dev/null || fail "openssl is needed"
folder=$1
shift
mkdir -p "$folder"
cd "$folder"

if [ ! -e ca-key.pem ]; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days "$DAYS_AUTHORITY" -sha256 \
        -subj "/CN=skysieve cluster" -keyout ca-key.pem -out ca.pem 2>/dev/null
fi

for name in "$@"; do
    case $name in
        "" | ca | *[!A-Za-z0-9._-]*) fail "$name: a name has letters, digits, dots and dashes, and is not ca" ;;
    esac
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -sha256 -subj "/CN=$name" \
        -keyout "$name-key.pem" -out "$name.csr" 2>/dev/null
    openssl x509 -req -in "$name.csr" -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days "$DAYS" -sha256 \
        -extfile <(printf 'subjectAltName=DNS:%s,DNS:localhost,IP:127.0.0.1\n' "$name") \
        -out "$name.pem" 2>/dev/null
    rm "$name.csr"
done
echo "certificates for $* in $PWD; keep ca-key.pem where nobody else reads it"
