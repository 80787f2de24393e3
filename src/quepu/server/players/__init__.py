"""Players over months: the figures of everybody at the tables of somebody, and the roster that says who is who."""
