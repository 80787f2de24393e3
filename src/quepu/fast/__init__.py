"""Answers for many hands and tables at once.

Each module names its plain twin: the code in plain Python that gives the same answers, with which tests compare it.

    plan                                what a book needs; which backend scores its hands; compilation
    score_many scores engine            score many hands: `quepu.score_many`
    arrays/                             hands, readings and conditions on numpy arrays
    compiled/                           the same as loops that numba compiles (the extra `fast`)
    weighing/                           points of what holds: sums, products, residues
    universe/                           every possible winning hand, scored by a book
    nearest/                            the nearest hand that may win, and its pay
    tables/                             many tables at once, with bots
    result_cache processes              files of long computations; work on all cores or a cluster

Importing this package needs only Python: `nearest` has a part that runs without numpy.
"""
