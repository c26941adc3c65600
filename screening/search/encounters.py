from screening.encounters import *  # noqa
