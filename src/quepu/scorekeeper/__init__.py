"""Keep score at a physical table, in the terminal or on a page; independent of the web server.

records     the records, checked on entry, and the file of a table
ledger      the folded records: seats, payments, totals, announcements
supply      how many tiles each player supplied to the winner
club        club nights: seating of a round, standings over several tables
"""
