"""Points of the fans that hold: the three kinds of arithmetic, for many readings at once."""
