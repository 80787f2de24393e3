"""Players over many matches: everyone's figures at an owner's tables, and the roster of who is who."""
