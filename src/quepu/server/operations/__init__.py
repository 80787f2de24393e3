"""Operations: metrics, health, logs and configuration, for operators.

metrics         counters, histograms and gauges
health          liveness and readiness
requests        a number for every request, its log line, and the pages for operators
log_output      the log as text or as JSON
configuration   settings from flags, environment and file
start_check     a check of everything before a server starts
"""
