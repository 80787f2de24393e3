"""Operations: metrics, health, lines of the log and configuration, for an operator to watch and set.

metrics         what is counted and timed, and what it is read from when it is asked for
health          whether the process lives, and whether it is ready
requests        a number for every request, its line in the log, and the pages for operators
log_lines       the log as text or as JSON
configuration   settings from flags, environment and file
start_check     what a server would start with, and whether it can
"""
