"""Parts that the whole server shares.

`messages` (base shapes), `rendering` (values to shapes), `responses`, `guard` (limits), `pages` (the built client),
`run` (and the addresses for phones), `pace` (of what comes in), `memory` (collected by the clock).
"""
