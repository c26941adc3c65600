"""What is expected of each published message: scored, with which flags, or refused, at which line and why."""

from typing import NamedTuple

from tests.validation.messages.files_read import REFUSED_MESSAGES


class Expected(NamedTuple):
    """One file below the folder of published data."""

    file: str
    flags: str = ""  # of a message that is scored
    refused_line: int = 0  # of one that is not
    refused_why: str = ""
    radius_m: float | None = None  # given, where the message has none
    told: str = ""  # what a remark must hold


NO_TRAJECTORIES = "OBJECT1 has a correlation of 1.43561712"  # the standard's own example contradicts itself
SQUARE = "the square around it (4/pi)"
NOT_ITS_STATES = "the states are closest -153 s from the time given"

CARA = [
    Expected("cdm/000020580_conj_000002017_20230613_001923_20230608_063715.cdm", "curved"),
    Expected("cdm/000020580_conj_000022015_20210315_212955_20210313_065123.cdm", told="drag errors"),
    Expected("cdm/000025994_conj_000026132_20220224_100307_20220221_225515.cdm", told="drag errors"),
    Expected("cdm/000025994_conj_000026980_20220928_223445_20220924_220647.cdm", "curved"),
    Expected("cdm/000025994_conj_000037558_20210324_151047_20210323_154356.cdm"),
    Expected("cdm/000027424_conj_000031201_20230823_165542_20230819_215513.cdm", told="drag errors"),
    Expected("cdm/000027424_conj_000041740_20220530_042037_20220525_221911.cdm", "curved"),
    Expected("cdm/000027424_conj_000048164_20210803_232939_20210801_222613.cdm"),
    Expected("cdm/000028485_conj_000044777_20220407_231108_20220406_140506.cdm", told="drag errors"),
    Expected("cdm/000028654_conj_000041835_20220106_193032_20220105_161142.cdm"),
    Expected("cdm/000028654_conj_000042397_20230830_144301_20230828_004035.cdm"),
    Expected("cdm/000029108_conj_000034995_20220706_165058_20220705_143113.cdm"),
    Expected("cdm/000029108_conj_000040337_20230403_231644_20230328_215738.cdm", "curved"),
    Expected("cdm/000029479_conj_000042794_20220623_035251_20220619_055818.cdm", "curved"),
    Expected("cdm/000029479_conj_000054630_20230725_134006_20230718_222924.cdm", "curved"),
    Expected("cdm/000030580_conj_000019175_20230302_224136_20230224_154111.cdm", "curved"),
    Expected("cdm/000032060_conj_000035644_20220303_131758_20220227_152710.cdm", "curved"),
    Expected("cdm/000032060_conj_000044396_20221004_061656_20221003_054027.cdm", told="drag errors"),
    Expected("cdm/000032060_conj_000049574_20220227_152525_20220222_065043.cdm", "long curved"),
    Expected("cdm/000032060_conj_000050346_20220311_070404_20220305_230151.cdm", "long curved"),
    Expected("cdm/000032060_conj_000053480_20220918_094157_20220916_064125.cdm", told="drag errors"),
    Expected("cdm/000033331_conj_000049571_20221005_095022_20221002_220322.cdm", "curved"),
    Expected("cdm/000033591_conj_000042216_20211203_183431_20211202_153618.cdm"),
    Expected("cdm/000035946_conj_000030648_20221210_140311_20221206_003234.cdm", "slow long curved"),
    Expected("cdm/000037849_conj_000013512_20210612_084905_20210611_062043.cdm"),
]
TEST_CASES = [
    Expected("cdm/AlfanoTestCase01.cdm", "long"),
    Expected("cdm/AlfanoTestCase02.cdm", "long"),
    Expected("cdm/AlfanoTestCase03.cdm"),
    Expected("cdm/AlfanoTestCase04.cdm", "slow long"),
    Expected("cdm/AlfanoTestCase05.cdm"),
    Expected("cdm/AlfanoTestCase06.cdm", "long"),
    Expected("cdm/AlfanoTestCase07.cdm", "long"),
    Expected("cdm/AlfanoTestCase08.cdm", "slow long"),
    Expected("cdm/AlfanoTestCase09.cdm", "slow long"),
    Expected("cdm/AlfanoTestCase10.cdm", "slow long"),
    Expected("cdm/AlfanoTestCase11.cdm", "slow long"),
    Expected("cdm/OmitronTestCase_Test01_HighPc.cdm"),
    Expected("cdm/OmitronTestCase_Test02_MaxRadialSigma.cdm"),
    Expected("cdm/OmitronTestCase_Test03_MaxIntrackSigma.cdm", "long curved"),
    Expected("cdm/OmitronTestCase_Test04_MaxCrossTrackSigma.cdm"),
    Expected("cdm/OmitronTestCase_Test05_MinMiss.cdm"),
    Expected("cdm/OmitronTestCase_Test06_MinRelVel.cdm", "slow long"),
    Expected(
        "cdm/OmitronTestCase_Test07_NonPDCovariance.cdm",
        "long curved remediated",
        told="OBJECT2 has a correlation of 1.00000001",
    ),
    Expected("cdm/OmitronTestCase_Test08_3DNc.cdm", "slow long curved", radius_m=10.0),
]
OTHERS = [
    Expected("ndm/cara/DensityDecorrelationTestCaseCDM01.txt"),
    Expected("ndm/cara/DensityDecorrelationTestCaseCDM03.txt", told=SQUARE),
    Expected("ndm/cara/SingleCovTestCase1-1.cdm", "long curved", radius_m=20.0),
    Expected("ndm/cara/SingleCovTestCase1-5.cdm", "long", radius_m=20.0),
    Expected("ndm/cara/SingleCovTestCase1-9.cdm", radius_m=20.0),
    Expected("ndm/cdm/ION_SCV8_vs_STARLINK_1233.txt", told=SQUARE),
    Expected(
        "ndm/cdm/CDM-missing-object1-covariance-block.xml",
        "missing_covariance",
        radius_m=10.0,
        told="OBJECT1 has no covariance",
    ),
    Expected(
        "ndm/cdm/CDM-wrong-key-word.txt",
        "slow curved",
        radius_m=10.0,
        told="line 6, WRONG_KEYWORD: is not a keyword of the standard",
    ),
    Expected("ndm/cdm/CDMExample1.txt", radius_m=10.0, told=NO_TRAJECTORIES),
    Expected("ndm/cdm/CDMExample1.xml", radius_m=10.0, told=NO_TRAJECTORIES),
    Expected("ndm/cdm/CDMExample2.txt", radius_m=10.0, told=NO_TRAJECTORIES),
    Expected("ndm/cdm/CDMExample3.txt", "slow curved", radius_m=10.0, told=NOT_ITS_STATES),
    Expected("ndm/cdm/CDMExample_issue942.txt", radius_m=10.0, told=NO_TRAJECTORIES),
    Expected("ndm/cdm/CDMExample_issue942.xml", radius_m=10.0, told=NO_TRAJECTORIES),
    Expected("ndm/cdm/CDMExample_issue_940.txt", radius_m=10.0, told=NO_TRAJECTORIES),
    Expected("ndm/cdm/CDMExample_issue_940.xml", radius_m=10.0, told=NO_TRAJECTORIES),
    Expected("ndm/cdm/CDMExample_issue_944.xml", radius_m=10.0, told=NO_TRAJECTORIES),
    Expected("ndm/cdm/golden_cdm.cdm", radius_m=10.0, told=NO_TRAJECTORIES),
    Expected("ndm/cdm/golden_cdm.xml", radius_m=10.0, told=NO_TRAJECTORIES),
]
BROKEN = [
    Expected(file, refused_line=refusal.line, refused_why=refusal.reason)
    for file, refusal in REFUSED_MESSAGES.items()
]
EXPECTED = [*CARA, *TEST_CASES, *OTHERS, *BROKEN]
