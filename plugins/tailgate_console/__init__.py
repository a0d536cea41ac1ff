"""Tailgate's side of Airflow; `.airflowignore` keeps it from the plugin scan, and plugins/ is on the path anyway."""
