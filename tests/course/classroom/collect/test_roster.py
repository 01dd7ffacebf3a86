"""The class's list: read as the platforms write it, and each hand-in given to whom it belongs."""

from datetime import datetime

import pytest

from grader.classroom.collect import times
from grader.classroom.collect.roster import Roster
from grader.classroom.collect.submissions import find
from grader.course.usage import UsageError

EXPORTS = {
    "by hand": "id,name\nal815,Ada Lovelace\n",
    "ids only": "id\nal815\n",
    "with semicolons": "ID;Name;E-Mail\nal815;Ada Lovelace;ada@example.org\n",
    "with a mark of Excel's": "\ufeffid,name\r\nal815,Ada Lovelace\r\n",
    "tabs": "Student ID\tFirst name\tLast name\nal815\tAda\tLovelace\n",
    "Moodle, participants": "First name,Surname,ID number,Email address\nAda,Lovelace,al815,ada@example.org\n",
    "Canvas, grades": "Student,ID,SIS User ID,SIS Login ID,Section,Work (12)\n"
    ",,,,,Manual Posting\n"
    "    Points Possible,,,,,10\n"
    '"Lovelace, Ada",12345,al815,ada@example.org,1,\n"Student, Test",99,,,1,\n',
    "Gradescope": "First Name,Last Name,SID,Email\nAda,Lovelace,al815,ada@example.org\n",
    "GitHub Classroom": '"identifier","github_username","github_id","name"\n"al815","ada-l","4711","Ada Lovelace"\n',
    "empty lines": "id,name\n\n,\nal815,Ada Lovelace\n,\n",
}


@pytest.fixture
def roster(tmp_path):
    """Writes a list; returns the Roster."""

    def write(text, encoding="utf-8"):
        path = tmp_path / "roster.csv"
        path.write_bytes(text.encode(encoding))
        return Roster.read(path)

    return write


@pytest.fixture
def hand_ins(tmp_path):
    """Makes empty folders of these names (or files, if the name ends so); returns their Sources."""

    def make(*names):
        for name in names:
            path = tmp_path / "class" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch() if name.endswith((".zip", ".py")) else path.mkdir()
        return find(tmp_path / "class")

    return make


def matched(roster, sources):
    """[(student, file)], missing, unknown."""
    result = roster.match(sources)
    return [(source.student, source.name) for source in result.sources], result.missing, result.unknown


# --- reading -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("export", EXPORTS)
def test_the_lists_of_the_platforms_are_read(roster, export):
    [student] = roster(EXPORTS[export]).students
    assert student.id == "al815"
    assert student.name in ("Ada Lovelace", "Lovelace, Ada", "al815")


def test_moodles_grading_worksheet_has_no_id_but_an_email(roster, hand_ins):
    found = roster("Identifier,Full name,Email address,Status\nParticipant 77,Ada Lovelace,ada@example.org,\n")
    assert found.students[0].id == "ada@example.org"
    for name in ("Ada Lovelace_77_assignsubmission_file", "Participant_77_assignsubmission_file_w.zip"):
        assert {source.student for source in found.match(hand_ins(name)).sources} == {"ada@example.org"}


MOODLE = {  # the heading of a grading worksheet, and what Moodle calls somebody and a time, in each language
    "en": (
        'Identifier,"Full name","ID number","Email address",Status,Grade,"Last modified (submission)"',
        "Participant 77",
        "Sunday, 22 November 2026, 10:05 PM",
    ),
    "de": (
        'ID,"Vollständiger Name",ID-Nummer,E-Mail-Adresse,Status,Bewertung,"Zuletzt geändert (Abgabe)"',
        "Teilnehmer/in77",
        "Sonntag, 22. November 2026, 22:05",
    ),
    "fr": (
        'Identifiant,"Nom complet","Numéro d’identification","Adresse de courriel",Statut,Note,'
        '"Dernière modification (travail remis)"',
        "Participant 77",
        "dimanche 22 novembre 2026, 22:05",
    ),
    "es": (
        'Identificador,"Nombre completo","Número de ID","Dirección de correo",Estado,Calificación,'
        '"Última modificación (entrega)"',
        "Participante 77",
        "domingo, 22 de noviembre de 2026, 22:05",
    ),
    "it": (
        'Identificativo,"Nome completo","Codice identificativo","Indirizzo email",Stato,Valutazione,'
        '"Ultima modifica (consegna)"',
        "Partecipante 77",
        "domenica, 22 novembre 2026, 22:05",
    ),
}


@pytest.mark.parametrize("language", MOODLE)
def test_moodles_grading_worksheet_is_read_in_its_languages(roster, hand_ins, language):
    heading, number, when = MOODLE[language]
    found = roster(f'{heading}\n{number},"Ada Lovelace",,ada@example.org,x,,"{when}"\n{number}8,Ben,b1,,x,,-\n')
    ada, ben = found.students
    assert (ada.id, ada.name, ada.numbers) == ("ada@example.org", "Ada Lovelace", {"77"})
    assert (ben.id, ben.submitted, found.notes) == ("b1", None, [])
    assert ada.submitted == datetime(2026, 11, 22, 22, 5).astimezone()
    hidden = number.replace(" ", "").replace("/", "").rstrip("7")
    for name in ("Ada Lovelace_77_assignsubmission_file", f"{hidden}_77_assignsubmission_file"):
        assert {source.student for source in found.match(hand_ins(name)).sources} == {"ada@example.org"}


LISTS = {
    "de": "Vorname,Nachname,ID-Nummer,E-Mail-Adresse,Gruppen",
    "fr": "Prénom,Nom,Numéro d'identification,Adresse de courriel,Groupes",
    "es": "Nombre,Apellido(s),Número de ID,Dirección de correo,Grupos",
    "it": "Nome,Cognome,Codice identificativo,Indirizzo email,Gruppi",
}


@pytest.mark.parametrize("language", LISTS)
def test_moodles_list_of_participants_is_read_in_its_languages(roster, language):
    [student] = roster(f"{LISTS[language]}\nAda,Lovelace,al815,ada@example.org,1\n").students
    assert (student.id, student.name) == ("al815", "Ada Lovelace")
    assert student.known_as == {"al815", "ada@example.org", "ada"}


TIMES = {
    "Sunday, 22 November 2026, 10:05 PM": (2026, 11, 22, 22, 5),
    "Sunday, November 22, 2026, 10:05\u202fPM": (2026, 11, 22, 22, 5),
    "Sunday, 1 March 2026, 12:05 AM": (2026, 3, 1, 0, 5),
    "Sunday, 1 March 2026, 12:05 PM": (2026, 3, 1, 12, 5),
    "Sonntag, 1. März 2026, 09:05": (2026, 3, 1, 9, 5),
    "dimanche 2 août 2026, 09:05": (2026, 8, 2, 9, 5),
    "domingo, 2 de agosto de 2026, 9:05 a. m.": (2026, 8, 2, 9, 5),
    "domenica, 2 agosto 2026, 09:05:59": (2026, 8, 2, 9, 5),
    "söndag, 2 augusti 2026, 09:05": None,
    "2026年11月22日 22:05": (2026, 11, 22, 22, 5),
    "2026-11-20-14-03-59": (2026, 11, 20, 14, 3, 59),
    "20261120T1403": (2026, 11, 20, 14, 3),
    "Mar 29, 2026 1205 PM": (2026, 3, 29, 12, 5),
    "29 March, 2026 203 PM": (2026, 3, 29, 14, 3),
    "2026-13-20 14:03": None,
    "Sunday, 31 February 2026, 10:00 AM": None,
    "Sunday, 22 November 2026, 13:00 PM": None,
    "Sunday, 22 November 99999, 10:00": None,
    "22 November 2026": None,
    "10:05": None,
    "": None,
    "9" * 100_000: None,
}


@pytest.mark.parametrize("text", TIMES, ids=lambda text: text[:40])
def test_the_times_of_platforms_are_read_or_they_are_none(text):
    assert times.read(text) == (TIMES[text] and datetime(*TIMES[text]).astimezone())


def test_times_that_cannot_be_read_are_said_and_no_reason_to_stop(roster):
    heading = MOODLE["en"][0]
    found = roster(f"{heading}\nParticipant 1,Ada,a,,,,söndag\nParticipant 2,Ben,b,,,,måndag\n")
    assert [student.submitted for student in found.students] == [None, None]
    [note] = found.notes
    assert "line 2 (and 1 more): no time can be read from söndag in column Last modified (submission)" in note
    assert "the time of the newest file counts" in note


def test_excels_unicode_text_is_read(roster):
    assert roster("id\tname\nal815\tÀda\n", "utf-16").students[0].name == "Àda"


BAD = {
    "no column says who": (
        "points,section\n3,1\n",
        "line 1: no column says who the students are. The columns are points",
    ),
    "empty": ("", "line 1: no column says who the students are. The columns are none"),
    "twice": ("id,name\nada,A\nben,B\nada,C\n", "line 4: column id: ada stands on line 2 already"),
    "two of one name and no ids": ("name\nAda\nAda\n", "line 3: column name: Ada stands on line 2 already"),
    "nobody": ("id,name,points\nada,A,1\n,,3\n", "line 3: nothing says who this is: column id and column name"),
    "too few columns": ("id,first name,last name\nada,A,B\nben\n", "line 3: there are 1 columns, but the header has 3"),
    "an open quote": ('id,name\nada,"A\n', "line 2: this is not CSV"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_mistake_in_the_list_is_named_with_its_line_and_column(roster, case):
    text, words = BAD[case]
    with pytest.raises(UsageError) as error:
        roster(text)
    assert words in str(error.value)
    assert "roster.csv" in str(error.value)


def test_a_list_in_another_encoding_is_named_with_its_line(roster):
    with pytest.raises(UsageError, match="line 3: this is not UTF-8"):
        roster("id,name\nada,Ada\njose,José\n", "latin-1")


def test_a_list_that_is_not_there_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        Roster.read(tmp_path / "nothing.csv")


# --- matching ------------------------------------------------------------------------------------------------

CLASS = (
    "id,username,email,first name,last name,canvas id\n"
    "1001,al815,ada@example.org,Ada King,Lovelace,12345\n"
    "1002,gb15,boole@example.org,George,Boole,23456\n"
    "1003,jm,jose@example.org,José,Martí,34567\n"
)
FILES = {
    "1001.zip": "1001",
    "al815.zip": "1001",
    "AL815": "1001",
    "ada@example.org.zip": "1001",
    "ada.zip": "1001",
    "Ada King Lovelace.zip": "1001",
    "Lovelace, Ada King": "1001",
    "homework-2-al815": "1001",
    "Ada King Lovelace_99_assignsubmission_file": "1001",
    "Lovelace Ada King_99_assignsubmission_file_w.zip": "1001",
    "lovelaceadaking_55555_6_w.zip": "1001",
    "lovelaceadaking_12345_6_w.zip": "1001",
    "anon_12345_6_w.zip": "1001",
    "martíjosé_LATE_7_8_w.zip": "1003",
    "Hw 1_gb15_attempt_2026-11-20-14-03-59_w.zip": "1002",
    "1-2 - George Boole - Nov 20, 2026 203 PM - w.zip": "1002",
}


@pytest.mark.parametrize("file", FILES)
def test_a_hand_in_goes_to_its_student_by_id_user_name_email_number_or_name(roster, hand_ins, file):
    found, missing, unknown = matched(roster(CLASS), hand_ins(file))
    assert found == [(FILES[file], file)]
    assert missing == [id for id in ("1001", "1002", "1003") if id != FILES[file]]
    assert unknown == []


def test_who_is_not_on_the_list_is_unknown_and_kept(roster, hand_ins):
    result = roster(CLASS).match(hand_ins("1001", "stranger"))
    assert [source.student for source in result.sources] == ["1001", "stranger"]
    assert (result.missing, result.unknown) == (["1002", "1003"], ["stranger"])
    assert result.names["1001"] == "Ada King Lovelace"
    assert result.names["stranger"] == "stranger"


def test_a_platforms_name_is_no_id(roster, hand_ins):
    """People choose their own names on a platform: who is called 1001 there is not student 1001."""
    found, missing, unknown = matched(roster(CLASS), hand_ins("1001_66_assignsubmission_file", "1002"))
    assert dict(found)["1002"] == "1002"
    assert unknown == ["1001 (not on the roster)"]
    assert "1001" in missing


def test_a_number_that_is_another_students_elsewhere_does_not_count(roster, hand_ins):
    found, _, _ = matched(roster(CLASS), hand_ins("George Boole_12345_assignsubmission_file"))
    assert found[0][0] == "1002"


def test_of_two_people_of_one_name_neither_is_taken_for_the_student(roster, hand_ins):
    names = ["George Boole_6_assignsubmission_file", "George Boole_7_assignsubmission_file"]
    result = roster(CLASS).match(hand_ins(*names))
    assert result.unknown == ["George Boole (6)", "George Boole (7)"]
    assert "Several people hand in as George Boole." in result.notes[0]


def test_who_takes_anothers_name_does_not_replace_the_one_whose_number_is_known(roster, hand_ins):
    result = roster(CLASS).match(hand_ins("boolegeorge_23456_1_w.zip", "boolegeorge_666_2_w.zip"))
    assert [source.student for source in result.sources] == ["1002", "boolegeorge (666)"]
    assert len(result.notes) == 1


def test_the_roster_decides_where_a_user_name_of_blackboard_begins(roster, hand_ins):
    ours = roster("username\nm_anna\nm_paul\npaul\n")
    heads = ("HW_1_m_anna", "HW_1_m_paul", "HW_1_m_eve")
    found = ours.match(hand_ins(*(f"{head}_attempt_2026-11-14-14-03-59_w.zip" for head in heads)))
    assert sorted(source.student for source in found.sources) == ["eve", "m_anna", "m_paul"]
    assert (found.missing, found.unknown) == (["paul"], ["eve"])


@pytest.mark.parametrize("head", ["HW_1_ada", "HW_1_ada_b"])
def test_the_roster_decides_also_for_one_hand_in_alone(roster, hand_ins, head):
    """As for an appeal."""
    found = roster("username\nada_b\nada\nb\n").match(hand_ins(f"{head}_attempt_2026-11-14-14-03-59_w.zip"))
    assert [source.student for source in found.sources] == [head.removeprefix("HW_1_")]


def test_who_has_the_end_of_anothers_user_name_is_not_taken_for_them(roster, hand_ins):
    heads = ("Hw 1_anna_schmidt", "Hw 1_paul_schmidt")
    found = roster("username\nschmidt\npaul_schmidt\n").match(
        hand_ins(*(f"{head}_attempt_2026-11-14-14-03-59_w.zip" for head in heads))
    )
    assert [source.student for source in found.sources] == ["anna_schmidt", "paul_schmidt"]
    assert found.missing == ["schmidt"]


def test_a_number_of_the_rosters_own_platform_is_enough_whatever_the_name(roster, hand_ins):
    """For one group Moodle writes the group before the name; and people are called otherwise on a roster."""
    moodle = roster("Identifier,Full name,Email address\nParticipant 77,Gina Group,g@example.org\n")
    canvas = roster('Student,ID,SIS User ID,SIS Login ID\n"Lovelace, Ada",88,A1,al815\n')
    for ours, file, student in (
        (moodle, "Team Alpha-Gina Group_77_assignsubmission_file_hw.zip", "g@example.org"),
        (moodle, "Regina Group_77_assignsubmission_file", "g@example.org"),
        (canvas, "kingada_88_9_w.zip", "A1"),
    ):
        found = ours.match([source for source in hand_ins(file) if source.name == file])
        assert [source.student for source in found.sources] == [student] and not found.unknown


def test_two_students_of_one_name_are_told_apart_by_number(roster, hand_ins):
    found = roster("id,name,canvas id\n1,Ada Byron,11\n2,Ada Byron,12\n")
    names = [source.student for source in found.match(hand_ins("byronada_11_1_w.zip", "byronada_12_2_w.zip")).sources]
    assert names == ["1", "2"]


def test_a_name_that_two_students_have_says_nothing(roster, hand_ins):
    found = roster("id,name\n1,Ada Byron\n2,Ada Byron\n")
    assert found.match(hand_ins("byronada_13_3_w.zip")).unknown == ["byronada"]


@pytest.mark.parametrize("other", ["al815 ", "AL815", "homework-al815", "ａｌ815"])
def test_who_writes_a_students_name_otherwise_does_not_replace_them(roster, hand_ins, other):
    ours = roster("id,name\nal815,Ada Lovelace\n")
    assert ours.match(hand_ins(other)).unknown == []
    matched = ours.match(hand_ins("al815"))
    assert [source.student for source in matched.sources if source.name == "al815"] == ["al815"]
    assert len(matched.unknown) == 1 and "listed as unknown" in matched.notes[0]


def test_several_hand_ins_of_a_student_stay_together(roster, hand_ins):
    found, _, _ = matched(roster(CLASS), hand_ins("1001.zip", "al815"))
    assert [student for student, _ in found] == ["1001", "1001"]
