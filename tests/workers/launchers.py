"""Starts what reaches other machines, on this one alone: an sshd on loopback and a Slurm cluster of one node, each with a
configuration, keys and folders of its own. Wants Python alone, and Debian's openssh-server, openssh-client, slurmctld,
slurmd, slurm-client and munge; Missing says which of them are not there or do not start, and why.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path


class Missing(Exception):
    """Why a launcher cannot be tried here."""


def wanted(*programs):
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    found = {program: shutil.which(program, path=path) for program in programs}
    absent = [program for program, place in found.items() if place is None]
    if absent:
        raise Missing("not installed: " + ", ".join(absent))
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Services:
    """Programs that run until the end, with a folder that goes with them."""

    def __init__(self):
        # Sockets want short paths; munged wants folders that only their owner may write to.
        self.folder = Path(tempfile.mkdtemp(prefix="iosx-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.running = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.running):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, name, command, env=None):
        with open(self.folder / f"{name}.log", "wb") as log:
            self.running.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                 env={**os.environ, **(env or {})}, start_new_session=True))

    def wait_for(self, name, is_up, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if is_up():
                return
            if self.running[-1].poll() is not None:
                break
            time.sleep(0.1)
        said = (self.folder / f"{name}.log").read_text(errors="replace").strip().splitlines()
        raise Missing(f"{name} does not start: {said[-1] if said else 'it says nothing'}")


class Ssh(Services):
    """An sshd that lets in who has the key that was made for it."""

    def __init__(self, address="127.0.0.1", inside=()):
        found = wanted("sshd", "ssh", "ssh-keygen")
        super().__init__()
        self.address = address
        self.inside = list(inside)  # what starts a program where the sshd is
        self.port = free_port()
        for key in ("host", "mine", "other"):
            subprocess.run([found["ssh-keygen"], "-q", "-t", "ed25519", "-N", "", "-f", self.folder / key], check=True)
        shutil.copy(self.folder / "mine.pub", self.folder / "authorized")
        (self.folder / "sshd_config").write_text(
            f"Port {self.port}\nListenAddress {self.address}\nHostKey {self.folder}/host\nPidFile {self.folder}/pid\n"
            f"AuthorizedKeysFile {self.folder}/authorized\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
            "KbdInteractiveAuthentication no\nPrintMotd no\n")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)  # where it separates its privileges

    def __enter__(self):
        self.start("sshd", [*self.inside, wanted("sshd")["sshd"], "-D", "-e", "-f", str(self.folder / "sshd_config")])
        try:
            self.wait_for("sshd", self.answers)
        except Missing:
            self.__exit__()
            raise
        return self

    def answers(self):
        with socket.socket() as probe:
            probe.settimeout(1)
            return probe.connect_ex((self.address, self.port)) == 0

    def command(self, key="mine", host=None):
        return (f"ssh -F none -i {self.folder}/{key} -p {self.port} -o IdentitiesOnly=yes -o BatchMode=yes "
                f"-o StrictHostKeyChecking=no -o UserKnownHostsFile={self.folder}/known -o ConnectTimeout=5 "
                f"-o LogLevel=ERROR {host or self.address}")


@contextlib.contextmanager
def two_hosts():
    """Two more hosts, as network namespaces with an sshd each: the commands that reach them."""
    if os.geteuid() != 0:
        raise Missing("only root may make network namespaces")
    ip = wanted("ip")["ip"]

    def run(*words):
        said = subprocess.run([ip, *words], capture_output=True, text=True)
        if said.returncode != 0:
            raise Missing(f"ip {' '.join(words)}: {said.stderr.strip()}")

    with contextlib.ExitStack() as stack:
        commands = []
        for number in (1, 2):
            name = f"iosx-{os.getpid()}-{number}"
            run("netns", "add", name)
            stack.callback(subprocess.run, [ip, "netns", "delete", name], capture_output=True)
            run("link", "add", f"iosx{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
            run("address", "add", f"10.213.{number}.1/24", "dev", f"iosx{number}")
            run("link", "set", f"iosx{number}", "up")
            for words in (("address", "add", f"10.213.{number}.2/24", "dev", "eth0"), ("link", "set", "eth0", "up"),
                          ("link", "set", "lo", "up")):
                run("-n", name, *words)
            host = stack.enter_context(Ssh(f"10.213.{number}.2", (ip, "netns", "exec", name)))
            commands.append(host.command())
        yield commands


class Slurm(Services):
    """A cluster of this node, with so many processors."""

    def __init__(self, processors=4):
        self.found = wanted("munged", "slurmctld", "slurmd", "srun", "sinfo")
        super().__init__()
        self.env = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        host = socket.gethostname()
        (self.folder / "key").write_bytes(os.urandom(1024))
        (self.folder / "key").chmod(0o600)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        user = subprocess.run(["id", "-un"], check=True, capture_output=True, text=True).stdout.strip()
        (self.folder / "slurm.conf").write_text(f"""
ClusterName=iosx
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.socket
CredType=cred/munge
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1
InactiveLimit=0
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
""")

    def __enter__(self):
        try:
            self.start("munged", [self.found["munged"], "--foreground", "--force", f"--socket={self.folder}/munge.socket",
                                  f"--key-file={self.folder}/key", f"--pid-file={self.folder}/munge.pid",
                                  f"--seed-file={self.folder}/munge.seed", f"--log-file={self.folder}/munge.log"])
            self.wait_for("munged", (self.folder / "munge.socket").exists)
            self.start("slurmctld", [self.found["slurmctld"], "-D", "-f", self.env["SLURM_CONF"]], self.env)
            self.start("slurmd", [self.found["slurmd"], "-D", "-f", self.env["SLURM_CONF"]], self.env)
            self.wait_for("slurmd", self.is_idle, 40)
        except Missing:
            self.__exit__()
            raise
        return self

    def is_idle(self):
        said = subprocess.run([self.found["sinfo"], "-h", "-o", "%T"], capture_output=True, text=True,
                              env={**os.environ, **self.env}, timeout=30)
        return said.stdout.strip() == "idle"

    def command(self, options="-n1"):
        return f"env SLURM_CONF={self.env['SLURM_CONF']} srun {options}"
