"""Find and rate close approaches: pure computation, arrays in, arrays out.

Nothing here reads a clock, the network, the environment or a file other than package data.

    orbits/   element sets, time grid, propagation, knots of the interpolated curve
    search/   which pairs come close, when, and how near
    risk/     how dangerous an encounter is
"""
