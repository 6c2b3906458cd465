#!/usr/bin/env bash
# test_python.sh - the Python package: its tests (pytest) and its types (mypy).
# What takes a second or more: in every third commit (conftest.py).
# tests/run: timeout=900 slow
. tests/support/cli.sh
python=$(.ci/deps.sh python)
export PYTHONDONTWRITEBYTECODE=1
make -s BUILD="$IGPU_TMP/build" python
report $? "make python"
PYTHONPATH=$IGPU_TMP/build/python "$python" -m pytest -q --tb=short -p no:cacheprovider \
    -W error tests/python
[ $? = 0 ] || failures=1
# Four seconds; not beside what is killed (conftest.py).
if [ -n "${IGPU_LONG-}" ] || [ "$(part_of 3)" != 0 ]; then
    (cd bridge/python && mypy --cache-dir /dev/null vigpu) >"$IGPU_TMP/types"
    report $? "types: mypy --strict"
    grep -v '^Success' "$IGPU_TMP/types"
fi
exit $failures
