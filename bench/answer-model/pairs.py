"""
What the cross-encoder learns from: pairs of a question and a statement, and whether the one answers the other.
Questions that were written for it (bench/data/answer-model: half of them near misses, a fifth in the other language than their passage),
and public ones: SQuAD 2.0 and its Chinese translation, either also with the sentences of the other, SQuADShifts (Wikipedia, Reddit, reviews),
DRCD, CMRC 2018 (trial, development), and look-ups of WikiTableQuestions.
"""
import csv
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

MAX_CHARACTERS = 420
HELD_OUT = 5
NUMBER = re.compile(r"\d[\d,.]*\d|\d")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-zA-Z-]+(?: [A-Z][a-zA-Z-]+)*")
POINTS_BACK = re.compile(
    r"(?:It|He|She|They|This|These|That|Those|His|Her|Their|Its|Both|Otherwise|If so|In that case)\b|[他她它其这该此]|上述|否则|逾期"
)
ENDS = {
    "zh": re.compile(r"[。！？；;!?]+[”」\"]?|\n"),
    "en": re.compile(r"(?<=[.!?])[\"”]?\s+(?=[A-Z0-9\"“])"),
}
SHORTEST = {"zh": 12, "en": 30}
# What a row of a table says by order or by count is not seen in the row.
BY_ORDER = re.compile(
    r"\b(?:most|least|first|last|before|after|next|previous|highest|lowest|largest|longest|earliest|latest|total|how many|more|less|same"
    r"|difference|other than|besides)\b"
)


SQUAD_LIKE = {
    "squad-en.json": "en-squad",
    "squad-zh.json": "zh-squad",
    "drcd-dev.json": "zh-drcd",
    "drcd-test.json": "zh-drcd",
    "cmrc-trial.json": "zh-cmrc",
    "cmrc-dev.json": "zh-cmrc-more",
    "shifts-new_wiki.json": "en-shifts",
    "shifts-amazon_reviews.json": "en-shifts-reviews",
    "shifts-reddit.json": "en-shifts-reddit",
}
# All reviews have one title, and all comments.
UNTITLED = ("en-shifts-reviews", "en-shifts-reddit")


@dataclass(frozen=True)
class Pair:
    source: str
    is_held_out: bool
    question: str
    statement: str
    answers: bool
    # Of the statement that seems to answer a question without an answer.
    is_near_miss: bool = False


def pairs_of(written: Path, public: Path, rng: random.Random) -> list[Pair]:
    """All of them; `public` is a folder with the files of the public sets."""
    pairs = [pair for file in sorted(written.glob("*.jsonl")) for pair in written_pairs(file, rng)]
    for name, source in SQUAD_LIKE.items():
        for place, article in enumerate(articles(public / name)):
            for paragraph in article["paragraphs"]:
                read = Paragraph({} if source in UNTITLED else article, paragraph, source[:2])
                pairs += squad_pairs(read, read, source, place % HELD_OUT == 1, rng)
    pairs += translated_pairs(articles(public / "squad-en.json"), articles(public / "squad-zh.json"), rng)
    return pairs + table_pairs(public / "WikiTableQuestions", rng)


def articles(file: Path) -> list[dict]:
    return json.loads(file.read_text("utf8"))["data"]


def translated_pairs(english: list[dict], chinese: list[dict], rng: random.Random) -> list[Pair]:
    """Questions of one language with the sentences of the other: paragraphs that have as many in both are taken to have them in one order."""
    pairs: list[Pair] = []
    translations = iter(enumerate(chinese))
    for article in english:
        is_its = lambda told: len(told[1]["paragraphs"]) == len(article["paragraphs"])
        place, translation = next(told for told in translations if is_its(told))
        for own, other in zip(article["paragraphs"], translation["paragraphs"]):
            en, zh = Paragraph(article, own, "en"), Paragraph(translation, other, "zh")
            if len(en.spans) != len(zh.spans):
                continue
            is_held_out = place % HELD_OUT == 1
            pairs += squad_pairs(en, zh, "zh-squad-across", is_held_out, rng) + squad_pairs(zh, en, "en-squad-across", is_held_out, rng)
    return pairs


def written_pairs(file: Path, rng: random.Random) -> list[Pair]:
    """An answered question with its statement and two others; a near miss with the statement that tempts, and another."""
    pairs = []
    for at, line in enumerate(file.read_text("utf8").splitlines()):
        passage = json.loads(line)
        statements, is_held_out = passage["statements"], at % 6 == 2
        for asked in passage["questions"]:
            question, answer, tempting = asked["q"], asked["answer"], asked["tempting"]
            language = file.name[:2]
            source = f"{language}-written" + ("" if asked["lang"] == language else "-across")
            right = answer if answer is not None else tempting
            others = sorted(set(range(len(statements))) - {right}, key=lambda one: -overlap(question, statements[one]))
            pair = lambda place, **told: Pair(source, is_held_out, question, shown(passage, place, rng), **told)
            pairs.append(pair(right, answers=answer is not None, is_near_miss=answer is None))
            further = others[:1] if answer is None else others[:1] + rng.sample(others[1:], min(1, len(others) - 1))
            pairs += [pair(place, answers=False) for place in further]
            if answer is not None and not is_held_out:
                pairs += with_other_number(pairs[-1 - len(further)], statements[answer], rng)
    return pairs


def shown(passage: dict, place: int, rng: random.Random) -> str:
    """As it is read when a question is asked: mostly under title and heading, with the sentence that it points back to."""
    statements = passage["statements"]
    text = statements[place]
    if place > 0 and " | " not in text and POINTS_BACK.match(text):
        text = f"{statements[place - 1]} {text}"
    above = [line for line in (passage["title"], passage["heading"]) if line and rng.random() < 0.75]
    return "\n".join([*above, text])[:MAX_CHARACTERS]


class Paragraph:
    def __init__(self, article: dict, paragraph: dict, language: str):
        self.title = (article.get("title") or "").replace("_", " ")
        self.text, self.questions = paragraph["context"], paragraph["qas"]
        self.spans = sentences(self.text, language)
        self.names = [] if language == "zh" else NAME.findall(self.text)

    def sentence(self, at: int) -> str:
        return self.text[slice(*self.spans[at])].strip()

    def shown(self, at: int, rng: random.Random) -> str:
        sentence = self.sentence(at)
        if at > 0 and POINTS_BACK.match(sentence):
            sentence = f"{self.sentence(at - 1)} {sentence}"
        return (f"{self.title}\n{sentence}" if self.title and rng.random() < 0.6 else sentence)[:MAX_CHARACTERS]


def squad_pairs(asked_of: Paragraph, told: Paragraph, source: str, is_held_out: bool, rng: random.Random) -> list[Pair]:
    """The sentence with the answer, or with the plausible one of a question that has none, beside those likest to the question."""
    pairs: list[Pair] = []
    for asked in asked_of.questions:
        is_answered = not asked.get("is_impossible", False)
        answers = asked.get("answers" if is_answered else "plausible_answers") or []
        starts = [answer["answer_start"] for answer in answers]
        times = [sum(start <= one < end for one in starts) for start, end in asked_of.spans]
        right = sorted((at for at, count in enumerate(times) if count > 0), key=lambda at: -times[at])
        if is_answered and not right:
            continue
        question = asked["question"]
        rest = sorted(set(range(len(asked_of.spans))) - set(right), key=lambda at: -overlap(question, asked_of.sentence(at)))
        if is_answered:
            pair = Pair(source, is_held_out, question, told.shown(right[0], rng), True)
            pairs.append(pair)
            pairs += [Pair(source, is_held_out, question, told.shown(at, rng), False) for at in rest[: rng.choice([1, 2])]]
            if not is_held_out:
                sentence = told.sentence(right[0])
                pairs += with_other_number(pair, sentence, rng) + with_other_name(pair, sentence, told.names, rng)
        else:
            for at in [*right[:1], *rest][:2]:
                pairs.append(Pair(source, is_held_out, question, told.shown(at, rng), False, is_near_miss=True))
    return pairs


def table_pairs(folder: Path, rng: random.Random) -> list[Pair]:
    """Questions whose answer is one cell, in a row that the question's other words name; and that row without the cell."""
    pairs = []
    for line in (folder / "data/training.tsv").read_text("utf8").split("\n")[1:-1]:
        _, question, path, answer = line.split("\t")
        rows = [[re.sub(r"\s+", " ", cell.replace("\\n", " ")).strip() for cell in row] for row in table(folder / path)[:41]]
        if len(rows) < 4 or not 1 < len(rows[0]) < 10 or "|" in answer or BY_ORDER.search(question):
            continue
        names, *body = rows
        holding = [at for at, row in enumerate(body) if any(cell.lower() == answer.lower() for cell in row)]
        if len(holding) != 1 or answer.lower() in question.lower():
            continue
        row = body[holding[0]]
        place = [cell.lower() for cell in row].index(answer.lower())
        without = lambda cells: [cell for at, cell in enumerate(cells) if at != place]
        if overlap(question, " ".join(without(row))) < 1 or len(as_row(names, row)) > MAX_CHARACTERS:
            continue
        is_held_out = crc32(path.encode()) % HELD_OUT == 1
        others = sorted((other for other in body if other is not row), key=lambda one: -overlap(question, " ".join(one)))
        pairs.append(Pair("en-table", is_held_out, question, as_row(names, row), True))
        pairs += [Pair("en-table", is_held_out, question, as_row(names, other)[:MAX_CHARACTERS], False) for other in others[:2]]
        if rng.random() < 0.5 and len(names) > 2:
            cut = as_row(without(names), without(row))
            pairs.append(Pair("en-table", is_held_out, question, cut, False, is_near_miss=True))
    return pairs


def table(file: Path) -> list[list[str]]:
    with file.open(encoding="utf8", newline="") as lines:
        return list(csv.reader(lines, escapechar="\\"))


def as_row(names: list[str], cells: list[str]) -> str:
    return " ".join(names) + "\n" + " | ".join(cells)


def with_other_number(pair: Pair, sentence: str, rng: random.Random) -> list[Pair]:
    """The same question of another number than the sentence has."""
    said = [number for number in NUMBER.findall(pair.question) if number in sentence]
    if not said or rng.random() < 0.3:
        return []
    number = rng.choice(said)
    if not re.fullmatch(r"\d+(?:,\d{3})*(?:\.\d+)?", number):
        return []
    value = float(number.replace(",", ""))
    if value.is_integer() and 1000 <= value <= 2100:
        other = str(int(value) + rng.choice([-7, -3, -2, -1, 1, 2, 3, 5, 8]))
    elif value.is_integer():
        other = str(max(1, int(value) + rng.choice([-3, -2, -1, 1, 2, 3])) if value < 100 else int(value * rng.choice([0.5, 0.8, 1.2, 2])))
    else:
        other = str(round(value * rng.choice([0.5, 0.8, 1.3]), 1))
    return [] if other in sentence else [near_miss(pair, number, other)]


def with_other_name(pair: Pair, sentence: str, names: list[str], rng: random.Random) -> list[Pair]:
    said = [name for name in NAME.findall(pair.question) if name in sentence]
    others = [name for name in names if name not in sentence and name not in pair.question]
    return [near_miss(pair, rng.choice(said), rng.choice(others))] if said and others and rng.random() < 0.4 else []


def near_miss(pair: Pair, said: str, other: str) -> Pair:
    return Pair(pair.source, pair.is_held_out, pair.question.replace(said, other, 1), pair.statement, False, is_near_miss=True)


def sentences(text: str, language: str) -> list[tuple[int, int]]:
    ends = [match.end() for match in ENDS[language].finditer(text)] + [len(text)]
    spans: list[tuple[int, int]] = []
    start = 0
    for end in ends:
        if text[start:end].strip():
            if spans and spans[-1][1] - spans[-1][0] < SHORTEST[language]:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        start = end
    return spans


def overlap(question: str, statement: str) -> int:
    words = lambda text: set(re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", text.lower()))
    return len(words(question) & words(statement))
