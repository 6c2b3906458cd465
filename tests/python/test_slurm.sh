#!/usr/bin/env bash
# test_slurm.sh - sweeps through a real Slurm of one node, in a folder of its own
# (slurm_rig.py). Its packages are asked for here alone.
# tests/run: timeout=900 idle slow turn=1of3
. tests/support/cli.sh
if [ "$(id -u)" != 0 ]; then
    echo "1..0 # SKIP slurmd wants to be root"
    exit 0
fi
if ! .ci/deps.sh ensure slurm; then
    echo "1..0 # SKIP Slurm cannot be installed here"
    exit 0
fi
if ! mountpoint -q /sys/fs/cgroup; then
    echo "1..0 # SKIP slurmd wants /sys/fs/cgroup, which is not mounted here"
    exit 0
fi
python=$(.ci/deps.sh python)
export PYTHONDONTWRITEBYTECODE=1
make -s BUILD="$IGPU_TMP/build" python
report $? "make python"
PYTHONPATH=$IGPU_TMP/build/python "$python" -m pytest -q --tb=short -p no:cacheprovider \
    --basetemp="$(mktemp -d)/slurm" tests/python/slurm_check.py
[ $? = 0 ] || failures=1
exit $failures
