"""Explore stored discards: the visible tiles, the discard, and the outcome.

rows      a row for each discard of logs, written as Parquet
filters   the filter language: typed terms such as shown>=2 turn>=10 early=4m
store     questions to a folder of Parquet files, answered by DuckDB with counts, intervals and examples
"""
