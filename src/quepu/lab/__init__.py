"""Measuring rulebooks: every winning hand there is, asked and counted.

docs/lab.md says what is counted and how.

    universe, special, pairs_and_fours      every hand on arrays: standard ones, shapes of few tile sets, of many
    states                                  how hands lie and how they were won
    census, store, kept                     a book asked about all of them; the answer kept on disk
    each, each_standard, each_special,      the same with every tile that may have come last
      last_tiles, other_waits
    rarity, points, relations, calibrate,   tables out of a census: how rare, worth what, which with which, in keeping
      played                                or not, and as really won
    pairing, compare                        every hand under two books
    sheet, tell, words                      what tables have in common
    plot, canvas, drawings, maps, page,     drawn and written; all of it on one page; the figures that the package
      report, tables                        carries (`quepu.figures` reads them)
    payable, gains, lanes, joining,         how far a hand is from one that may win: what the stronger bots ask
      joining_compiled, aims
    distance_tables                         builds the automaton of `quepu.distance`
"""
