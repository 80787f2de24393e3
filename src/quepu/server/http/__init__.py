"""Parts shared by the whole server.

`messages` (base shapes), `rendering` (values to shapes), `responses`, `guard` (limits), `pages` (the built client),
`run` (and the addresses for phones), `pace` (of what comes in), `memory` (garbage collection by the clock).
"""
