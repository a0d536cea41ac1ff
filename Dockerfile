# Airflow and what Tailgate runs on. Dags, plugins and the core are mounted by docker-compose.yaml, not copied.
FROM apache/airflow:slim-3.3.2-python3.11

COPY requirements.txt /tmp/requirements.txt
# The same lock as outside of Docker.
# Give the index of PyTorch's CPU builds as PIP_EXTRA_INDEX_URL: they are a tenth of the size of the default one.
ARG PIP_EXTRA_INDEX_URL=""
RUN pip install --no-cache-dir -r /tmp/requirements.txt \
       apache-airflow-providers-fab==3.10.2 apache-airflow-providers-postgres==7.1.1 \
    && mkdir -p /opt/airflow/data

ENV PYTHONPATH=/opt/airflow/include \
    TAILGATE_ROOT=/opt/airflow \
    DO_NOT_TRACK=1 \
    GX_ANALYTICS_ENABLED=false \
    HF_HUB_OFFLINE=1 \
    SCARF_ANALYTICS=false
