"""A physical table that people keep score of, in the terminal or on the page; nothing here needs the web server.

records     what is written down, checked as it comes in, and the file of a table
ledger      the records folded: seats, payments, totals, and what has to be announced
supply      who gave the winner how many tiles
club        club nights: seating of a round, standings over several tables
"""
