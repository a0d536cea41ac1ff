"""What Tailgate adds to Airflow. Every component loads this file at its start: imports stay light."""

from airflow.plugins_manager import AirflowPlugin


class TailgatePlugin(AirflowPlugin):
    """Shows in `airflow plugins`; the notifier is imported by Dag files from `tailgate_console`, which lies beside."""

    name = "tailgate"
