"""The desk of a tournament or club night over HTTP (`quepu.tournament.desk`)."""
