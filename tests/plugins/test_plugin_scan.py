import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(code):
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT / "plugins")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


def test_plugin_and_notifier_import_no_heavy_library():
    code = (
        "import sys, tailgate_plugin, tailgate_console.notifier;"
        "heavy = {'lancedb', 'torch', 'great_expectations', 'sentence_transformers', 'unstructured', 'pandas'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert run(code) == "[]"


def test_airflow_finds_one_plugin_and_leaves_the_package_alone():
    code = (
        "import sys; from airflow import plugins_manager;"
        "plugins, problems = plugins_manager._get_plugins();"
        "ours = [p.name for p in plugins if p.name == 'tailgate'];"
        "scanned = {'notifier', 'failure', 'connections', 'run_record', '__init__'} & set(sys.modules);"
        "print(ours, problems, scanned)"
    )
    assert run(code) == "['tailgate'] {} set()"
