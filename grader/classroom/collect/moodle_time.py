"""Times as Moodle writes them in a grading worksheet: in the downloading teacher's language, without a zone.

Sunday, 22 November 2026, 10:00 PM       Sunday, November 22, 2026, 10:00 PM       Sonntag, 22. November 2026, 22:00
dimanche 22 novembre 2026, 22:00         domingo, 22 de noviembre de 2026, 22:00   domenica, 22 novembre 2026, 22:00
"""

import re
import unicodedata
from datetime import datetime

MONTHS = (
    "january february march april may june july august september october november december",
    "januar februar marz april mai juni juli august september oktober november dezember",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
)
NUMBERS = {name: number for names in MONTHS for number, name in enumerate(names.split(), 1)}
CLOCK = re.compile(r"\b(\d{1,2})[:h](\d\d)(?::\d\d)?(?:\s*([ap])\.?\s?m\b)?")
LONGEST = 100  # characters


def read(text):
    """The time in this machine's time zone; None if it is none that is known here."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text[:LONGEST]).lower() if not unicodedata.combining(c))
    clock = CLOCK.search(plain)
    date = _date(CLOCK.sub(" ", plain, count=1))
    if not clock or not date:
        return None
    hour, minute, half = int(clock[1]), int(clock[2]), clock[3]
    try:
        if half:
            hour = datetime.strptime(f"{hour} {half}m", "%I %p").hour
        return datetime(*date, hour, minute).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _date(words):
    """(year, month, day) of a date with the month's name, or None."""
    months = [NUMBERS[word] for word in re.findall(r"[a-z]+", words) if word in NUMBERS]
    years, days = re.findall(r"\b\d{4}\b", words), re.findall(r"\b\d{1,2}\b", words)
    return (int(years[0]), months[0], int(days[0])) if len(months) == len(years) == len(days) == 1 else None
