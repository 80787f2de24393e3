"""Parts that the whole server shares.

`messages` (base shapes), `rendering` (values to shapes), `responses`, `guard` (limits), `pages` (the built client),
`run`, `pace` (of what comes in), `lan` (addresses for phones), `memory` (collected by the clock).
"""
