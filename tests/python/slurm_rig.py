"""A Slurm of one node, with its own folder, key and ports; for root, without systemd."""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

CONF = """ClusterName=vigpu
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket
CredType=cred/munge
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdTimeout=10
KillWait=2
OverTimeLimit=0
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 RealMemory=1000
PartitionName=all Nodes=node Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    """Ports that nobody has now."""
    with contextlib.ExitStack() as stack:
        made = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in made:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in made]


class Slurm:
    """The daemons of one node, ours alone."""

    def __init__(self, place):
        self.place = pathlib.Path(place)
        self.daemons = {}
        for name in ("state", "spool"):
            (self.place / name).mkdir(mode=0o755)
        key = self.place / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.conf = self.place / "slurm.conf"
        self.conf.write_text(CONF.format(host=socket.gethostname(), place=self.place,
                                         ports=free_ports(2)))
        self.env = dict(os.environ, SLURM_CONF=str(self.conf))

    def start(self):
        """All daemons, and wait until the node takes jobs."""
        self.daemon("munged", "--foreground", "--force", f"--socket={self.place}/munge.socket",
                    f"--key-file={self.place}/munge.key", f"--pid-file={self.place}/munge.pid",
                    f"--seed-file={self.place}/munge.seed",
                    f"--log-file={self.place}/munge.log")
        self.wait(lambda: (self.place / "munge.socket").exists(), "munged")
        self.daemon("slurmctld", "-D")
        self.start_node()
        self.wait(lambda: self.state() == "idle", "the node")

    def start_node(self):
        """slurmd alone."""
        self.daemon("slurmd", "-D", "-N", "node")

    def daemon(self, name, *words):
        log = open(self.place / f"{name}.out", "ab")
        path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")
        self.daemons[name] = subprocess.Popen([path, *words], stdout=log, stderr=log,
                                              stdin=subprocess.DEVNULL, env=self.env)
        log.close()

    def kill(self, name):
        """As by kill -9."""
        self.daemons[name].kill()
        self.daemons.pop(name).wait()

    def state(self):
        done = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=self.env, text=True,
                              capture_output=True, check=False)
        return done.stdout.strip()

    def wait(self, ready, what):
        for _ in range(600):
            if ready():
                return
            time.sleep(0.1)
        logs = "".join(path.read_text(errors="replace")[-2000:]
                       for path in self.place.glob("*.log"))
        raise AssertionError(f"{what} did not come: {logs}")

    def stop(self):
        """Jobs and daemons, the node's last steps too."""
        subprocess.run(["scancel", "--user=root"], env=self.env, check=False,
                       capture_output=True)
        for name in ("slurmd", "slurmctld", "munged"):
            if name in self.daemons:
                self.daemons[name].send_signal(signal.SIGTERM)
                try:
                    self.daemons[name].wait(20)
                except subprocess.TimeoutExpired:
                    self.kill(name)
