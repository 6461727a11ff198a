"""
Trains the cross-encoder that answers are judged by, and writes it beside the embedding model, whose layers it starts from:
first on public questions, then on those that were written for it with a part of the public ones, then on those whose statements are in
the other language with a part of the others, after which the weights are the mean of those before and after (Wortsman et al. 2022, "Robust
fine-tuning of zero-shot models"), last on everyday questions (SQuADShifts) with a part of all others. In the end the log-odds are those of the
pairs that were written for it. Tells for questions that were kept out how often a statement that answers has the higher score than one that
does not, and than one that only seems to.
usage: python -m venv V; V/bin/pip install torch numpy onnx tokenizers
  V/bin/python bench/answer-model/train.py PUBLIC TARGET.onnx [BEFORE.onnx STEPS]     (two hours of two cores with bfloat16)
PUBLIC is a folder with the files that pairs.py names; BEFORE.onnx is what so many of the four steps gave.
"""
import random
import re
import sys
from pathlib import Path

import numpy as np
import torch
from model import CrossEncoder, write
from pairs import Pair, pairs_of
from tokenizers import Tokenizer
from torch.nn.functional import binary_cross_entropy_with_logits

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "data/models/multilingual-e5-small-enzh"
SOURCE = str(FOLDER / "onnx/model_quantized.onnx")
# As src/ingest/embed/local-process.ts reads a pair.
MAX_QUESTION, MAX_PAIR = 48, 160
BATCH = 32
FROZEN_LAYERS = 5
FIRST = {"rate": 1e-4, "epochs": 1.0}
SECOND = {"rate": 4e-5, "epochs": 1.2}
THIRD = {"rate": 4e-5, "epochs": 1.0}
FOURTH = {"rate": 5e-5, "epochs": 1.0}
# Of pairs of earlier steps in a later one those that answer or only seem to.
TELLING = 0.7
# Pairs that the log-odds are set by.
CALIBRATED = 4_000
# Pairs of one source that are told of.
REPORTED = 500
# English has fewer public questions.
ENGLISH, ANSWERS = 1.6, 1.6


def main() -> None:
    public, target, before, done = [*sys.argv[1:], None, 0][:4]
    rng = random.Random(5)
    torch.manual_seed(5)
    tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    pairs = pairs_of(ROOT / "bench/data/answer-model", Path(public), rng)
    model = CrossEncoder(SOURCE, FROZEN_LAYERS)
    if before:
        model.load(before)
    for step in (first, second, third, fourth)[int(done) :]:
        step(model, pairs, tokenizer, rng)
        report(model, pairs, tokenizer)
    learned = [pair for pair in of(pairs, "written") if not pair.is_held_out]
    calibrate(model, rng.sample(learned, CALIBRATED), tokenizer)
    write(model, SOURCE, target)


def first(model: CrossEncoder, pairs: list[Pair], tokenizer: Tokenizer, rng: random.Random) -> None:
    train(model, others_of(pairs), tokenizer, rng, **FIRST)


def second(model: CrossEncoder, pairs: list[Pair], tokenizer: Tokenizer, rng: random.Random) -> None:
    others = others_of(pairs)
    train(model, of(pairs, "written") + part_of(others, 14_000, rng), tokenizer, rng, **SECOND)


def third(model: CrossEncoder, pairs: list[Pair], tokenizer: Tokenizer, rng: random.Random) -> None:
    own = part_of(of(pairs, "written$"), 7_000, rng)
    others = part_of(others_of(pairs), 5_000, rng)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    train(model, of(pairs, "across") + own + others, tokenizer, rng, **THIRD)
    model.load_state_dict({name: (before[name] + value) / 2 for name, value in model.state_dict().items()})


def fourth(model: CrossEncoder, pairs: list[Pair], tokenizer: Tokenizer, rng: random.Random) -> None:
    everyday = rng.sample(of(pairs, "shifts|more"), 34_000)
    across = part_of(of(pairs, "squad-across"), 6_000, rng)
    others = part_of(others_of(pairs), 14_000, rng)
    train(model, of(pairs, "written") + everyday + across + others, tokenizer, rng, **FOURTH)


def others_of(pairs: list[Pair]) -> list[Pair]:
    """Those of the first step."""
    return of(pairs, "^(?!.*(written|across|more|shifts))")


def of(pairs: list[Pair], sources: str) -> list[Pair]:
    return [pair for pair in pairs if re.search(sources, pair.source)]


def part_of(pairs: list[Pair], most: int, rng: random.Random) -> list[Pair]:
    telling = [pair for pair in pairs if pair.answers or pair.is_near_miss]
    rest = [pair for pair in pairs if not (pair.answers or pair.is_near_miss)]
    count = int(most * TELLING)
    return rng.sample(telling, min(count, len(telling))) + rng.sample(rest, min(most - count, len(rest)))


def train(model: CrossEncoder, pairs: list[Pair], tokenizer: Tokenizer, rng: random.Random, rate: float, epochs: float) -> None:
    """AdamW, up to the rate and down again along straight lines."""
    learned = [pair for pair in pairs if not pair.is_held_out]
    read = {id(pair): tokens(pair, tokenizer) for pair in learned}
    named = [(name, value) for name, value in model.named_parameters() if value.requires_grad]
    is_head = lambda name: name.startswith(("hidden.", "out."))
    groups = [
        {"params": [v for n, v in named if v.ndim > 1 and not is_head(n)], "weight_decay": 0.01, "base": rate},
        {"params": [v for n, v in named if v.ndim > 1 and is_head(n)], "weight_decay": 0.01, "base": 10 * rate},
        {"params": [v for n, v in named if v.ndim < 2], "weight_decay": 0.0, "base": rate},
    ]
    optimizer = torch.optim.AdamW(groups, lr=rate)
    steps = int(len(learned) / BATCH * epochs)
    model.train()
    batches: list[list[Pair]] = []
    for step in range(steps):
        batches = batches or batched(learned, read, rng)
        batch = batches.pop()
        for group in optimizer.param_groups:
            group["lr"] = group["base"] * min(1, step / (0.06 * steps)) * max(0.02, 1 - step / steps)
        with torch.autocast("cpu", torch.bfloat16):
            odds = model(*padded([read[id(pair)] for pair in batch]))
        wanted = torch.tensor([float(pair.answers) for pair in batch])
        weights = torch.tensor([weight_of(pair) for pair in batch])
        loss = (weights * binary_cross_entropy_with_logits(odds.float(), wanted, reduction="none")).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([value for _, value in named], 1.0)
        optimizer.step()
        if step % 100 == 0:
            print(f"{step} of {steps}: {loss.item():.3f}", flush=True)


def calibrate(model: CrossEncoder, pairs: list[Pair], tokenizer: Tokenizer) -> None:
    """Of the pairs as many answer as the mean of what it says: pairs that answer weigh more in training, and are more of other sources."""
    odds = torch.tensor(odds_of(model, pairs, tokenizer))
    share = sum(pair.answers for pair in pairs) / len(pairs)
    low, high = -10.0, 10.0
    for _ in range(30):
        shift = (low + high) / 2
        low, high = (shift, high) if torch.sigmoid(odds + shift).mean() < share else (low, shift)
    print(f"log-odds changed by {low:.2f}", flush=True)
    model.out.bias.data += low


def odds_of(model: CrossEncoder, pairs: list[Pair], tokenizer: Tokenizer) -> list[float]:
    odds: list[float] = []
    model.eval()
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for at in range(0, len(pairs), 64):
            odds += model(*padded([tokens(pair, tokenizer) for pair in pairs[at : at + 64]])).float().tolist()
    return odds


def weight_of(pair: Pair) -> float:
    return (ENGLISH if pair.source.startswith("en") else 1.0) * (ANSWERS if pair.answers else 1.0)


def batched(pairs: list[Pair], read: dict[int, list[int]], rng: random.Random) -> list[list[Pair]]:
    """Pairs of like length go together."""
    mixed = rng.sample(pairs, len(pairs))
    batches = []
    for start in range(0, len(mixed), 40 * BATCH):
        near = sorted(mixed[start : start + 40 * BATCH], key=lambda pair: len(read[id(pair)]))
        batches += [near[at : at + BATCH] for at in range(0, len(near), BATCH)]
    rng.shuffle(batches)
    return batches


def tokens(pair: Pair, tokenizer: Tokenizer) -> list[int]:
    question = tokenizer.encode(f"query: {pair.question}").ids[:MAX_QUESTION]
    return (question + tokenizer.encode(f"passage: {pair.statement}").ids[1:])[:MAX_PAIR]


def padded(sequences: list[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(map(len, sequences))
    ids = torch.tensor([sequence + [1] * (longest - len(sequence)) for sequence in sequences])
    return ids, torch.tensor([[1.0] * len(one) + [0.0] * (longest - len(one)) for one in sequences])


def report(model: CrossEncoder, pairs: list[Pair], tokenizer: Tokenizer) -> None:
    by_source: dict[str, list[Pair]] = {}
    for pair in random.Random(7).sample(pairs, len(pairs)):
        if pair.is_held_out:
            by_source.setdefault(pair.source, []).append(pair)
    held = sorted((pair for own in by_source.values() for pair in own[:REPORTED]), key=lambda pair: len(pair.statement))
    odds = odds_of(model, held, tokenizer)
    for source in sorted({pair.source for pair in held}):
        own = [(pair, one) for pair, one in zip(held, odds) if pair.source == source]
        right = [one for pair, one in own if pair.answers]
        other = [one for pair, one in own if not pair.answers and not pair.is_near_miss]
        near = [one for pair, one in own if pair.is_near_miss]
        print(f"{source}: of {len(right)}, AUC {area(right, other)} beside others, {area(right, near)} beside near misses", flush=True)


def area(right: list[float], wrong: list[float]) -> str:
    if not right or not wrong:
        return "-"
    ranks = np.argsort(np.argsort(right + wrong))[: len(right)] + 1
    return f"{(ranks.sum() - len(right) * (len(right) + 1) / 2) / (len(right) * len(wrong)):.3f}"


if __name__ == "__main__":
    main()
