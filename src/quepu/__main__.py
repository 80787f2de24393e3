"""`python -m quepu` is `quepu`."""

from quepu.cli import main

main()
