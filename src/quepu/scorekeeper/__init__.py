"""Keep score at a physical table, in the terminal or on a page; independent of the web server.

records     what is written down, checked as it comes in, and the file of a table
ledger      the records folded: seats, payments, totals, and what has to be announced
supply      who gave the winner how many tiles
club        club nights: seating of a round, standings over several tables
"""
