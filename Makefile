# SPDX-License-Identifier: GPL-2.0-only
# What a person types. Compiling is Kbuild's business: see Kbuild.

TREE	:= $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
TREE	:= $(TREE:/=)
KVER	?= $(shell uname -r)
KDIR	?= /lib/modules/$(KVER)/build

# Object files of several kernels must not meet: each gets its own directory.
KREL	= $(or $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
		$(KDIR)/include/generated/utsrelease.h 2>/dev/null),unknown)
MO	?= $(TREE)/build/$(KREL)
OUT	= $(abspath $(MO))

# The kernel's own makefile knows a variable MO too: it must not see ours.
MAKEOVERRIDES := $(filter-out MO=% KDIR=% KVER=%,$(MAKEOVERRIDES))

.DEFAULT_GOAL := modules
.PHONY: help modules farm print-ko install uninstall sign deb rpm demo test test-all check bench bench-size lab clean distclean

help:
	@echo 'Compile'
	@echo '  make [KDIR=dir] [MO=dir]   modules for a kernel build directory (default: the'
	@echo '                             running kernel), objects in MO (default: build/<release>)'
	@echo '  make print-ko              where those modules are'
	@echo '  make install               install for that kernel, depmod, initramfs (as root)'
	@echo '  make uninstall             take it away again'
	@echo '  make sign KEY=f CERT=f     sign the installed modules for Secure Boot'
	@echo '  make deb                   Debian packages txgbe-dkms, txgbe-tools in build/deb'
	@echo '  make rpm [KEY=f CERT=f]    kmod-txgbe and txgbe-tools packages in build/rpm, signed'
	@echo '  make clean                 remove build/'
	@echo 'Try, without a card'
	@echo '  make demo                  boot a guest with two emulated ports and show traffic'
	@echo '  make lab                   prepare the emulator and all kernels of the lab'
	@echo '  make bench                 our driver and the in-tree one, by what they cost'
	@echo '  make bench-size            the same against the number of queues, descriptors, VLANs'
	@echo 'Test'
	@echo '  make test                  what CI runs; STAGE=name for a part of it'
	@echo '  make test-all              everything, in shards: make test-all SHARD=name'
	@echo '  make check                 static checks: layers, sparse, checkpatch, W=1'
	@echo 'W=1, C=1, V=1, CC= and the like are handed on to Kbuild.'

modules: farm
	$(MAKE) -C $(KDIR) M=$(OUT) modules

# Kernels before 6.13 write objects beside the sources and nowhere else. So
# the output directory gets a copy of the source tree made of symbolic links.
farm:
	@test -f $(KDIR)/Makefile || { \
		echo 'no kernel build directory at $(KDIR): install the headers of that kernel' >&2; \
		echo '(Debian: linux-headers-$(KVER)) or say where: make KDIR=...' >&2; exit 1; }
	@mkdir -p $(OUT)
	@if [ $(OUT) -ef $(TREE) ]; then echo 'MO must not be the source tree' >&2; exit 1; fi
	@find $(OUT)/src -xtype l -delete 2>/dev/null || :
	@cp -rsf $(TREE)/src $(TREE)/Kbuild $(OUT)/
	@ln -sfn $(TREE)/include $(OUT)/include

# A kernel without PTP has no use for the second.
print-ko:
	@echo $(OUT)/txgbe.ko $(wildcard $(OUT)/txgbe_ptp.ko)

# A distribution keeps the key of its kernel to itself: then there is no signing.
SIGN	= $(if $(wildcard $(KDIR)/certs/signing_key.pem),,CONFIG_MODULE_SIG_ALL=)

# The card that needs the kernel's own driver is looked for before anything changes.
# An image below INSTALL_MOD_PATH is another machine's: only files are put there.
MODCHECK = $(TREE)/packaging/txgbe-modcheck
INSTALLED = $(foreach end,.ko .ko.xz .ko.gz .ko.zst, $(addsuffix $(end), \
		$(addprefix $(INSTALL_MOD_PATH)/lib/modules/$(KREL)/updates/,txgbe txgbe_ptp)))

install: modules
	$(if $(INSTALL_MOD_PATH),,$(MODCHECK) preflight)
	$(MAKE) -C $(KDIR) M=$(OUT) INSTALL_MOD_DIR=updates $(SIGN) modules_install
	depmod $(if $(INSTALL_MOD_PATH),-b $(INSTALL_MOD_PATH)) $(KREL)
	$(if $(INSTALL_MOD_PATH),,$(MODCHECK) verify --in=updates $(KREL); s=$$?; \
		$(MODCHECK) initramfs $(KREL) && exit $$s)

uninstall:
	rm -f $(INSTALLED)
	-rmdir $(INSTALL_MOD_PATH)/lib/modules/$(KREL)/updates 2>/dev/null
	depmod $(if $(INSTALL_MOD_PATH),-b $(INSTALL_MOD_PATH)) $(KREL)
	$(if $(INSTALL_MOD_PATH),,$(MODCHECK) initramfs $(KREL))

SIGN_FILE = $(firstword $(wildcard $(KDIR)/scripts/sign-file \
		/usr/lib/linux-kbuild-*/scripts/sign-file))

sign:
	@test -n "$(KEY)" -a -n "$(CERT)" || { \
		echo 'make sign KEY=private-key CERT=certificate.der; a new pair:' >&2; \
		echo '  openssl req -new -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=txgbe/ \' >&2; \
		echo '    -keyout mok.priv -outform DER -out mok.der && mokutil --import mok.der' >&2; exit 1; }
	@test -n "$(SIGN_FILE)" || { echo 'no scripts/sign-file in $(KDIR)' >&2; exit 1; }
	@test -n "$(wildcard $(INSTALLED))" || { echo 'make install first' >&2; exit 1; }
	$(TREE)/packaging/sign-modules.sh $(SIGN_FILE) $(KEY) $(CERT) $(wildcard $(INSTALLED))
	$(if $(INSTALL_MOD_PATH),,$(MODCHECK) initramfs $(KREL))

deb:
	$(TREE)/packaging/build-deb.sh $(TREE)/build/deb

RPMS	?= $(TREE)/build/rpm

rpm:
	KEY='$(KEY)' CERT='$(CERT)' $(TREE)/packaging/build-rpm.sh $(RPMS) $(abspath $(KDIR))

clean:
	rm -rf $(TREE)/build

distclean: clean

# ---- Without a card ------------------------------------------------------
# The lab fetches and builds what it needs into a cache outside of the tree
# (TXGBE_CACHE, default ~/.cache/txgbe-lab) and finds it there the next time.

DEMO_KERNEL	?= debian-6.12

demo:
	$(TREE)/lab/lab.py prepare qemu $(DEMO_KERNEL)
	$(TREE)/lab/lab.py run --kernel $(DEMO_KERNEL) --driver ours --topo pair25 \
		--timeout 600 -- demo.sh

lab:
	$(TREE)/lab/lab.py prepare all

# Instructions and accesses on the emulated adapter: docs/bench.md.
bench:
	$(TREE)/lab/lab.py bench

bench-size:
	$(TREE)/lab/lab.py bench --size

# MINUTES=n: what has not begun by then is skipped, by name.
test:
	$(TREE)/tests/main.py $(if $(MINUTES),--minutes $(MINUTES)) $(STAGE)

test-all:
	$(TREE)/tests/main.py --all $(SHARD)

check:
	$(TREE)/tests/main.py static
