"""Measuring rulebooks: tables, drawings and pages made of every winning hand there is.

docs/guide/lab.md says what is counted and how. The hands themselves, scored by a book, are in `quepu.fast.universe`.

    states                                  in which ways hands are held and won
    rarity, points, relations, calibrate,   tables out of a census: how rare, worth what, which with which, value
      played                                against rarity, and as really won
    pairing, compare, draft_effects         every hand under two books; all that a draft changes, for a page
    find_hand, nearest_hand                 a hand with these fans and without those, the one nearest to the hand held,
                                            or that there is none
    suggest                                 values that fit a wanted law, each with what it does
    sheet, captions, hand_text              shared parts of tables
    plot, canvas, drawings, maps, page,     drawn and written; all of it on one page; the figures that the package
      report, published_figures             has in its data (`quepu.rules.measured_figures` reads them)
    distance_tables                         builds the automaton of `quepu.shapes.automaton`
"""

from quepu.errors import needs

needs("numpy", extra="lab")
