"""What Airflow hands to SQLite's drivers: how many seconds to wait for a lock.

With SQLAlchemy's own five, seven runs triggered at once end scheduler, triggerer and Dag processor with
"database is locked". Airflow takes these by import path (`[database] sql_alchemy_connect_args`), not as text.
"""

SYNC = {"timeout": 60}
ASYNC = {"timeout": 60}
