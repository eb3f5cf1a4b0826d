#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Command line of the lab; `lab.py --help` lists the commands."""
import sys
from txlab import cli
sys.exit(cli.main())
