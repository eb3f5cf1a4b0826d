# SPDX-License-Identifier: GPL-2.0-only
"""The harness itself: a QEMU that does not answer is told from one that has not been run, a fuzzer
that is stopped leaves none behind."""

import multiprocessing
import os
import signal
import threading
import time
import unittest

import fuzz
import regs as R
from base import Base, binary
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


class Fuzz(unittest.TestCase):

    def children(self, pid):
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [int(x) for x in f.read().split()]

    def test_stopped_worker_ends_its_qemu(self):
        out = multiprocessing.Queue()
        end = time.monotonic() + 60
        p = multiprocessing.Process(target=fuzz.worker, args=(binary(), 1, 1, end, 60, out))
        p.start()
        qemu = []
        while not qemu and time.monotonic() < end:
            time.sleep(0.05)
            qemu = self.children(p.pid)
        self.assertEqual(len(qemu), 1)
        p.terminate()
        p.join(20)
        left = os.path.exists(f"/proc/{qemu[0]}")
        if left:
            os.kill(qemu[0], signal.SIGKILL)
        self.assertFalse(left)
        self.assertEqual(p.exitcode, 1)
