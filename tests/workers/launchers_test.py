#!/usr/bin/env python3
"""Workers behind the launchers that people have: ssh, srun and kubectl.

    launchers_test.py IOSX

Each is tried where it can be started here (launchers.py) and skipped with a reason where not. kubectl is a script that
does what `kubectl exec -i POD -- COMMAND` does without a cluster.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from launchers import Missing, Slurm, Ssh, two_hosts

IOSX = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else sys.exit(__doc__)
SCRATCH = tempfile.TemporaryDirectory(prefix="iosx-")
ENV = {**os.environ, "XDG_DATA_HOME": SCRATCH.name, "XDG_CONFIG_HOME": SCRATCH.name}


def iosx(*arguments, seconds=120):
    return subprocess.run([IOSX, *arguments], capture_output=True, text=True, env=ENV, timeout=seconds)


def compare(*workers, device="tesla-v100"):
    """What a comparison by these workers finds, without what differs from run to run."""
    options = [word for command in workers for word in ("--workers", command)]
    said = iosx("compare", "squeezenet", "--no-store", "--schedules", "greedy,ios-both", "--json", "--device", device,
                *options)
    if said.returncode != 0:
        raise AssertionError(said.stderr)
    return [(each["id"], each["latency_ms"], each["stages"]) for each in json.loads(said.stdout)["schedules"]]


def worker(device="tesla-v100"):
    return f"{IOSX} worker --device {device}"


def measured_by(comparison):
    return sum(each.get("measured", 0) for each in comparison["schedules"])


def one_line(test, said, *words):
    test.assertNotEqual(said.returncode, 0)
    test.assertEqual(len(said.stderr.strip().splitlines()), 1, said.stderr)
    for word in words:
        test.assertIn(word, said.stderr)


MEASURES = any(device["id"] == "cpu" and device["available"]
               for device in json.loads(iosx("devices", "--json").stdout)["devices"])


class ByNobody(unittest.TestCase):
    def test_a_child_answers_as_this_process_does(self):
        self.assertEqual(compare(worker()), compare())
        self.assertEqual(compare(f"3 x {worker()}"), compare())

    def test_what_is_no_worker_is_one_line(self):
        one_line(self, iosx("compare", "squeezenet", "--workers", "/no/such/program"), "not found")
        one_line(self, iosx("compare", "squeezenet", "--workers", worker("no-such-device")), "there is no device")
        one_line(self, iosx("compare", "squeezenet", "--workers", "  "), "names no command")
        one_line(self, iosx("compare", "squeezenet", "--device", "tesla-k80", "--workers", worker()), "tesla-v100")

    @unittest.skipUnless(MEASURES, "the processor is no device here")
    def test_measures_into_the_store_that_this_process_reuses(self):
        store = f"{SCRATCH.name}/store.db"
        words = ["compare", "sample", "--device", "cpu", "--schedules", "ios-both", "--store", store, "--json",
                 "--repeat", "1", "--warmup", "0", "--min-time", "0"]
        there = json.loads(iosx(*words, "--workers", worker("cpu")).stdout)
        here = json.loads(iosx(*words).stdout)
        self.assertGreater(measured_by(there), 0)
        self.assertEqual(measured_by(here), 0)
        kept = iosx("store", "list", "--store", store).stdout
        self.assertEqual(len([line for line in kept.splitlines() if line.startswith("cpu ")]), 1, kept)

    @unittest.skipUnless(MEASURES, "the processor is no device here")
    def test_computes_with_the_numbers_of_the_file(self):
        model = f"{SCRATCH.name}/model.onnx"
        self.assertEqual(iosx("convert", "squeezenet", model).returncode, 0)
        outputs = []
        for options in ([], ["--workers", worker("cpu-accurate")]):
            folder = Path(SCRATCH.name) / f"out{len(outputs)}"
            said = iosx("run", model, "--device", "cpu-accurate", "--schedule", "greedy", "--output-dir", str(folder), *options)
            self.assertEqual(said.returncode, 0, said.stderr)
            outputs.append((folder / "output_0.npy").read_bytes())
        self.assertEqual(outputs[0], outputs[1])

    def test_a_list_of_workers_is_kept(self):
        added = iosx("workers", "add", f"2 x {worker()}", "--name", "far")
        self.assertEqual(added.returncode, 0, added.stderr)
        self.assertIn("far:", added.stdout)
        devices = json.loads(iosx("devices", "--json").stdout)["devices"]
        far = next(device for device in devices if device["id"] == "far")
        self.assertEqual(far["workers"][0]["count"], 2)
        self.assertTrue(far["workers"][0]["answers"])
        self.assertEqual(compare(device="far"), compare())
        one_line(self, iosx("workers", "add", worker(), "--name", "cpu"), "device of this program")
        one_line(self, iosx("workers", "add", worker("h200"), "--name", "far"), "another device")
        self.assertEqual(iosx("workers", "remove", "far").returncode, 0)
        one_line(self, iosx("workers", "remove", "far"), "not in the list")
        one_line(self, iosx("compare", "squeezenet", "--device", "far"), "there is no device")


class BySsh(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            cls.ssh = Ssh().__enter__()
        except Missing as why:
            raise unittest.SkipTest(f"ssh: {why}")

    @classmethod
    def tearDownClass(cls):
        cls.ssh.__exit__()

    def test_answers_as_this_process_does(self):
        self.assertEqual(compare(f"{self.ssh.command()} {worker()}"), compare())

    def test_a_banner_is_nothing(self):
        self.assertEqual(compare(f"{self.ssh.command()} 'echo Welcome to this host; {worker()}'"), compare())

    def test_a_key_that_is_refused_is_one_line(self):
        one_line(self, iosx("compare", "squeezenet", "--workers", f"{self.ssh.command('other')} {worker()}"),
                 "Permission denied")

    def test_a_host_that_is_not_there_is_one_line(self):
        one_line(self, iosx("compare", "squeezenet", "--workers", f"{self.ssh.command(host='no-such-host.invalid')} x"),
                 "no-such-host.invalid")

    def test_a_program_that_is_not_there_is_one_line(self):
        one_line(self, iosx("compare", "squeezenet", "--workers", f"{self.ssh.command()} /opt/iosx worker"), "/opt/iosx")

    def test_the_worker_ends_with_who_asked(self):
        mark = f"{SCRATCH.name}/mark"
        asking = subprocess.Popen([IOSX, "compare", "randwire", "--no-store", "--workers",
                                   f"{self.ssh.command()} 'true {mark}; {worker()}'"], env=ENV,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        asking.kill()
        asking.wait()
        end = time.monotonic() + 15
        while subprocess.run(["pgrep", "-f", f"^[^ ]*sh -c true {mark}"], capture_output=True).returncode == 0:
            self.assertLess(time.monotonic(), end, "a worker outlives who asked it")
            time.sleep(0.1)


class ByTwoHosts(unittest.TestCase):
    def test_two_hosts_are_one_device(self):
        try:
            with two_hosts() as hosts:
                commands = [f"{host} {worker()}" for host in hosts]
                self.assertEqual(compare(*commands), compare())
                # One of them is switched off.
                self.assertEqual(compare(commands[0], hosts[1].replace("10.213.1.2", "10.213.1.9") + " x"), compare())
        except Missing as why:
            self.skipTest(f"hosts: {why}")


class BySlurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            cls.slurm = Slurm().__enter__()
        except Missing as why:
            raise unittest.SkipTest(f"Slurm: {why}")

    @classmethod
    def tearDownClass(cls):
        cls.slurm.__exit__()

    def jobs(self):
        said = subprocess.run(["squeue", "-h"], capture_output=True, text=True, env={**ENV, **self.slurm.env})
        return said.stdout.strip().splitlines()

    def assert_no_jobs(self):
        end = time.monotonic() + 30
        while self.jobs():
            self.assertLess(time.monotonic(), end, "jobs are left in the queue")
            time.sleep(0.2)

    def test_answers_as_this_process_does_and_leaves_no_job(self):
        self.assertEqual(compare(f"{self.slurm.command()} {worker()}"), compare())
        self.assert_no_jobs()

    def test_tasks_of_srun_are_workers(self):
        self.assertEqual(compare(f"{self.slurm.command('-n3')} {worker()}"), compare())
        self.assert_no_jobs()

    def test_a_queue_that_does_not_start_has_an_end_and_no_job_stays(self):
        full = subprocess.Popen(f"{self.slurm.command('-n1 --exclusive')} sleep 60", shell=True, env=ENV,
                                stderr=subprocess.DEVNULL)
        time.sleep(2)
        said = iosx("workers", "add", f"{self.slurm.command('-n1 --exclusive')} {worker()}", "--limit", "3")
        one_line(self, said, "has not started after 3 s", "queued and waiting")
        end = time.monotonic() + 30
        while len(self.jobs()) > 1:
            self.assertLess(time.monotonic(), end, self.jobs())
            time.sleep(0.2)
        subprocess.run(["scancel", "--user=root"], env={**ENV, **self.slurm.env})
        full.wait(30)
        self.assert_no_jobs()

    def test_what_the_cluster_does_not_have_is_one_line(self):
        said = iosx("workers", "add", f"{self.slurm.command('-n1 --gres=gpu:1')} {worker()}")
        one_line(self, said, "srun: error")


class ByKubectl(unittest.TestCase):
    def test_answers_as_this_process_does(self):
        folder = Path(SCRATCH.name) / "bin"
        folder.mkdir(exist_ok=True)
        stub = folder / "kubectl"
        stub.write_text('#!/bin/sh\n[ "$1 $2 $3 $4" = "exec -i pod --" ] || exit 64\nshift 4\nexec "$@"\n')
        stub.chmod(0o755)
        self.assertEqual(compare(f"PATH={folder}:$PATH kubectl exec -i pod -- {worker()}"), compare())


if __name__ == "__main__":
    unittest.main(verbosity=2)
