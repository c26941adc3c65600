#!/usr/bin/env bash
# Make the certificates of an encrypted Dask cluster.
#
#   make_certificates.sh FOLDER NAME...
#
# FOLDER gets the certificate of an authority (ca.pem), made once and kept, and for each NAME a certificate and its
# key (NAME.pem, NAME-key.pem). The authority's key is kept apart, in FOLDER/authority: no part of a cluster needs it.
# The holder of a key in FOLDER can use the cluster, and run code on it; the holder of the authority's key can make more.
set -euo pipefail
umask 077 # keys are for their owner; certificates are public, and opened below

DAYS_AUTHORITY=3650
DAYS=825

fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Show openssl's output only when it fails.
quietly() {
    local said
    said=$("$@" 2>&1) || fail "$1 $2 failed: $said"
}

[ $# -ge 2 ] || fail "usage: make_certificates.sh FOLDER NAME..."
command -v openssl >/dev/null || fail "openssl is required"
folder=$1
shift
for name in "$@"; do
    case $name in
        "" | ca | *-key | *[!A-Za-z0-9._-]*)
            fail "$name: a name consists of letters, digits, dots, underscores and dashes, is not ca and does not end in -key" ;;
    esac
done
mkdir -p "$folder"
cd "$folder"

if [ ! -e ca.pem ] && [ ! -e authority/ca-key.pem ]; then
    mkdir -p authority
    quietly openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days "$DAYS_AUTHORITY" -sha256 \
        -subj "/CN=skysieve cluster" -keyout authority/ca-key.pem -out ca.pem
    chmod a+r ca.pem
elif [ ! -e ca.pem ] || [ ! -e authority/ca-key.pem ]; then
    fail "an authority needs ca.pem and authority/ca-key.pem, but $PWD has only one of them:" \
        "restore the other one, or make a new authority in an empty folder"
fi

for name in "$@"; do
    # Renamed when complete, so that a running part's open files do not change, whoever owns them.
    quietly openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -sha256 -subj "/CN=$name" \
        -keyout authority/new-key.pem -out authority/new.csr
    quietly openssl x509 -req -in authority/new.csr -CA ca.pem -CAkey authority/ca-key.pem \
        -CAserial authority/ca.srl -CAcreateserial -days "$DAYS" -sha256 -out authority/new.pem \
        -extfile <(printf 'subjectAltName=DNS:%s,DNS:localhost,IP:127.0.0.1\n' "$name")
    chmod a+r authority/new.pem
    rm authority/new.csr
    mv -f authority/new-key.pem "$name-key.pem"
    mv -f authority/new.pem "$name.pem"
done
echo "certificates for $* in $PWD; keep $PWD/authority where nobody else reads it"
