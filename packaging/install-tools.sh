#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# install-tools.sh DESTDIR: the user scripts as a package carries them.
set -eu

exec make -s -C "$(dirname "$0")/../scripts" install DESTDIR="$(realpath -m "${1:?usage: install-tools.sh DESTDIR}")" PREFIX=/usr
