"""Tailgate and Airflow on one machine without Docker: `python -m tailgate_local run|bad-night|up|down|status`."""
