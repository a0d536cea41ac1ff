"""Tailgate: nightly ingestion for retrieval, gated on the tail of the prompt."""
