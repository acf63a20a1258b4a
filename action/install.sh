#!/bin/sh
# Installs fairtrial (FAIRTRIAL_FROM: `action`, a requirement, or nothing), then what the agent needs
# (FAIRTRIAL_INSTALL, a command of whoever wrote the workflow).
set -eu
case ${FAIRTRIAL_FROM:-} in
'') ;;
action) python -m pip install --quiet --disable-pip-version-check "$(dirname "$0")/.." ;;
*) python -m pip install --quiet --disable-pip-version-check "$FAIRTRIAL_FROM" ;;
esac
if [ -n "${FAIRTRIAL_INSTALL:-}" ]; then
    sh -euc "$FAIRTRIAL_INSTALL"
fi
