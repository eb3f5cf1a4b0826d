# SPDX-License-Identifier: GPL-2.0-only
"""The harness itself: a QEMU that does not answer is told from one that has not been run."""

import signal
import threading

import regs as R
from base import Base
from qtest import QemuHang


class Hang(Base):

    def test_stopped_for_good(self):
        p = self.solo()
        self.q.timeout = 0.1
        self.q.proc.send_signal(signal.SIGSTOP)
        with self.assertRaises(QemuHang):
            p.r(R.MIS_ST)
        self.q.proc.kill()

    def test_stopped_for_a_while(self):
        p = self.solo()
        self.q.timeout = 0.4
        self.q.proc.send_signal(signal.SIGSTOP)
        threading.Timer(1, self.q.proc.send_signal, [signal.SIGCONT]).start()
        self.assertTrue(p.r(R.MIS_ST) & 1)
