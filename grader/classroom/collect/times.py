"""Times as platforms write them. Where no zone is named it is this machine's.

2026-11-20-14-03-59       2026-11-20 14:03:59.123456000 Z       20261120T140359       Mar 29, 2026 1205 PM
Sunday, 22 November 2026, 10:00 PM       Sunday, November 22, 2026, 10:00 PM       Sonntag, 22. November 2026, 22:00
dimanche 22 novembre 2026, 22:00         domingo, 22 de noviembre de 2026, 22:00   domenica, 22 novembre 2026, 22:00
"""

import re
import unicodedata
from datetime import datetime

MONTHS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar marz april mai juni juli august september oktober november dezember",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
)
NUMBERS = {name: number for names in MONTHS for number, name in enumerate(names.split(), 1)}
DIGITS = re.compile(
    r"(\d{4})\D?(\d\d)\D?(\d\d)\D*(\d\d)\D?(\d\d)(?:\D?(?P<second>\d\d)(?:\.\d+)?)?\s?(?P<zone>Z|[+-]\d\d:?\d\d)?"
)
CLOCK = re.compile(r"\b(\d{1,2})(?:[:h]|(?=\d\d [ap]m))(\d\d)(?::\d\d)?(?:\s*([ap])\.?\s?m\b)?")
LONGEST = 100  # characters


def read(text):
    """The time, with its zone; None if it is none that is known here."""
    text = text[:LONGEST].strip(" '\"")
    try:
        when = _in_digits(text) or _in_words(text)
        return when if when is None or when.tzinfo else when.astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _in_digits(text):
    if found := DIGITS.fullmatch(text):
        year, month, day, hour, minute = found.groups()[:5]
        second, zone = found["second"] or "00", found["zone"] or ""
        return datetime.fromisoformat(f"{year}-{month}-{day}T{hour}:{minute}:{second}{zone}")


def _in_words(text):
    plain = "".join(c for c in unicodedata.normalize("NFKD", text).lower() if not unicodedata.combining(c))
    if (clock := CLOCK.search(plain)) and (date := _date(CLOCK.sub(" ", plain, count=1))):
        hour, minute, half = int(clock[1]), int(clock[2]), clock[3]
        if half:
            hour = datetime.strptime(f"{hour} {half}m", "%I %p").hour
        return datetime(*date, hour, minute)


def _date(words):
    """(year, month, day) of a date with the month's name, or None."""
    months = [NUMBERS[word] for word in re.findall(r"[a-z]+", words) if word in NUMBERS]
    years, days = re.findall(r"\b\d{4}\b", words), re.findall(r"\b\d{1,2}\b", words)
    return (int(years[0]), months[0], int(days[0])) if len(months) == len(years) == len(days) == 1 else None
