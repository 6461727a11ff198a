"""Ranks the passages of a retrieval set by bm25s 0.3.16 as its README does (k1 1.5, b 0.75, stop words, Snowball stems); Chinese in pairs of characters.
Prints a line of JSON for each query: its id, and ids of passages, best first.
Needs: pip install bm25s snowballstemmer
usage: python rank-bm25s.py FOLDER DEPTH
"""
import functools
import json
import os
import re
import sys

import bm25s
import snowballstemmer

folder, depth = sys.argv[1], int(sys.argv[2])
stem = functools.lru_cache(None)(snowballstemmer.stemmer('english').stemWord)
STOP_WORDS = set(bm25s.stopwords.STOPWORDS_EN)


def terms(text):
    found = []
    for word in re.findall(r'[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+', text.lower()):
        if '\u3400' <= word[0] <= '\u9fff':
            found += [word] if len(word) == 1 else [word[at:at + 2] for at in range(len(word) - 1)]
        elif len(word) > 1 and word not in STOP_WORDS:
            found.append(stem(word))
    return found


def read(name):
    with open(os.path.join(folder, name), encoding='utf-8') as lines:
        return [json.loads(line) for line in lines if line.strip()]


passages = read('corpus.jsonl')
search = bm25s.BM25(k1=1.5, b=0.75)
search.index([terms(f"{passage.get('title', '')} {passage['text']}") for passage in passages], show_progress=False)
depth = min(depth, len(passages))
for query in read('queries.jsonl'):
    words = [word for word in terms(query['query']) if word in search.vocab_dict]
    found = []
    if words:
        places, scores = search.retrieve([words], k=depth, show_progress=False)
        found = [passages[place]['id'] for place, score in zip(places[0], scores[0]) if score > 0]
    print(json.dumps({'id': query['id'], 'found': found}))
