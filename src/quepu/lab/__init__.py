"""Measure rulebooks: tables, drawings and pages made from every possible winning hand.

docs/guide/lab.md explains how hands are counted. The hands themselves, scored by a book, are in `quepu.fast.universe`.

    states                                  the ways in which hands are held and won
    rarity, points, relations, calibrate,   tables of a census: rarity, points, relations, value against rarity,
      played                                and the same in real play
    pairing, compare, draft_effects         every hand under two books; all effects of a draft, for a page
    find_hand, nearest_hand                 a hand with some fans and without others, the one nearest to a given hand,
                                            or proof that there is none
    draft_check                             new fans against the book's sentence about implied fans
    twenty_questions                        hands that tell two readings of a sentence apart, asked one by one
    formula_hands                           hands of a formula and near misses, with how many there are
    residues, group_changes                 residues proposed for a fan; the changes of groups between two fans
    suggest                                 values that fit a wanted law, each with its effect
    sheet, captions, hand_text              shared parts of tables
    plot, canvas, drawings, maps, page,     drawing and writing; all tables on one page; the figures in the package's
      report, published_figures             data (`quepu.rules.measured_figures` reads them)
    distance_tables                         builds the automaton of `quepu.shapes.automaton`
"""

from quepu.errors import needs

needs("numpy", extra="lab")
