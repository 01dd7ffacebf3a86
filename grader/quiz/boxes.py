"""When a question comes again: Leitner's boxes. A right answer moves it on to a box that is opened less often.

Why not a scheduler that is fitted to millions of cards: those begin with steps of minutes, and spread their dates by
chance. Here there are five questions a day, and a page without a package for it must ask the same ones.
"""

from dataclasses import dataclass
from random import Random

from . import bank

DAYS = (1, 3, 8, 20, 50, 120)  # of each box: until it is opened again
A_DAY = 5  # questions
NEW_A_DAY = 3  # of a notebook that is done: two places are left for those that come again
FORWARD = 2  # that come sooner, because a check named what they are about


@dataclass
class Card:
    """Where a question is.  box: in DAYS.  due: the day, counted; None if nothing has brought it yet.

    named: the day on which a check last named its misconception, if it was not answered since.
    is_new: was it never answered?
    """

    box: int = 0
    due: int | None = None
    named: int | None = None
    is_new: bool = True

    @property
    def comes(self):
        """The first day on which it may be asked: when it is due, or after a check named it. None if on none."""
        days = (self.due, None if self.named is None else self.named + 1)
        return min((day for day in days if day is not None), default=None)


class Boxes:
    """All questions, as a Log leaves them.  entries: {id: Entry}.  now: an aware datetime."""

    def __init__(self, entries, log, now):
        self.entries, self.today = entries, day_of(now)
        self.cards = {id: Card() for id in entries}
        self.answered = sum(bool(e.question) and day_of(e.at) == self.today for e in log.events)
        events = log.in_order(now)
        self._bring(events)
        for at, event in events:
            self._happened(day_of(at), event)

    def _bring(self, events):
        """The questions about what is done are due from that day on, some of them each day."""
        since = {}
        for at, event in events:
            if event.done:
                since.setdefault((event.done, event.track), day_of(at))
        found = [
            (since[entry.number, entry.mark], id)
            for id, entry in self.entries.items()
            if (entry.number, entry.mark) in since
        ]
        found.sort(key=lambda each: each[0])
        for place, (day, id) in enumerate(found):
            before = self.cards[found[place - NEW_A_DAY][1]].due if place >= NEW_A_DAY else day - 1
            self.cards[id].due = max(day, before + 1)

    def _happened(self, day, event):
        if event.question in self.cards:
            card = self.cards[event.question]
            if not event.right:
                card.box, card.due = 0, day + DAYS[0]
            elif card.is_new or day >= card.due or card.named is not None:  # else it came before its day
                card.box = min(card.box + 1, len(DAYS) - 1)
                card.due = day + DAYS[card.box]
            card.named, card.is_new = None, False
        elif event.idea:
            for entry in bank.linked(self.entries.values(), *event.idea):
                if self.cards[entry.id].due is not None or event.idea in entry.ideas:
                    self.cards[entry.id].named = day

    def due(self):
        """Ids of the questions that are due: first some that a check brought forward, then the longest due."""
        named = [id for id, card in self.cards.items() if card.named is not None and card.named < self.today]
        first = sorted(named, key=lambda id: -self.cards[id].named)[:FORWARD]
        dated = [id for id, card in self.cards.items() if card.due is not None and card.due <= self.today]
        return list(dict.fromkeys([*first, *sorted(dated, key=lambda id: self.cards[id].due)]))

    def of_today(self):
        """Those that are asked today: no more than A_DAY with those that were answered already."""
        return self.due()[: max(0, A_DAY - self.answered)]

    def next_day(self):
        """The first day after today on which one is asked; None if none will be. Those left over come tomorrow."""
        if self.due():
            return self.today + 1
        return min((card.comes for card in self.cards.values() if card.comes is not None), default=None)

    def soonest(self, count):
        """So many that are due, or next: of those that are brought already."""
        due = self.due()
        later = [id for id, card in self.cards.items() if id not in due and card.comes is not None]
        return [*due, *sorted(later, key=lambda id: self.cards[id].comes)][:count]

    def of(self, numbers, count, seed):
        """So many about these notebooks, due or not: the longest due first, and last those that nothing has brought."""
        there = [id for id in self.due() if self.entries[id].number in numbers]
        others = [id for id, entry in self.entries.items() if entry.number in numbers and id not in there]
        # by chance, and so that a question that is new leaves the others in their order
        others.sort(key=lambda id: (self.cards[id].due or float("inf"), Random(f"{seed} {id}").random()))
        return [*there, *others][:count]


def day_of(at):
    """The day of a time, here, as a number."""
    return at.astimezone().date().toordinal()
