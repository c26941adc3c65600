"""A real burn: the space station's reboost of 2022-02-26, 01:37, published as 0.5 m/s.

NASA's ephemeris has the path before and after it. An element set is fitted to the three days before, as one
from before the burn would be; with the burn it must follow the path after it.
"""

from tests.screening.risk.published import SharedFile
from tests.validation.orbits.reboost import FILE, FIT_KM, FORECAST_KM, read_reboost


def test_an_element_set_from_before_the_reboost_follows_the_path_after_it(shared_file: SharedFile) -> None:
    reboost = read_reboost(shared_file(FILE).parents[2])
    assert reboost.fit_km < FIT_KM
    burnt_m_s = reboost.fitting_dv_m_s()
    assert round(burnt_m_s, 1) == 0.5, "as published, to the digit given"
    for hours in (6, 12, 24, 48, 72):
        assert reboost.off(hours, 0.0).km > 5.0 * hours
        assert reboost.off(hours, burnt_m_s).km < FORECAST_KM
