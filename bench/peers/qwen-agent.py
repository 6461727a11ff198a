"""Qwen-Agent's keyword search over the given files: one question a line, as JSON, on standard input; for each the passage with the best
score, as one line of JSON. Its assistant fuses that search with the first pages of all files, which it puts first, and shows a model up to
20,000 tokens: without a model the first of these would be the same for every question.
Needs: pip install 'qwen-agent[rag]' soundfile tqdm openpyxl
usage: python qwen-agent.py FILE...
"""
import contextlib
import functools
import json
import os
import sys
import tempfile

files = [os.path.abspath(name) for name in sys.argv[1:]]
out = sys.stdout
with tempfile.TemporaryDirectory() as workspace, contextlib.redirect_stdout(sys.stderr):
    os.chdir(workspace)
    from qwen_agent.tools.doc_parser import Record
    from qwen_agent.tools.retrieval import Retrieval
    from qwen_agent.tools.search_tools import keyword_search

    # It takes every passage apart anew for every question: to remember the words changes no score.
    keyword_search.split_text_into_keywords = functools.lru_cache(None)(keyword_search.split_text_into_keywords)
    retrieval, search = Retrieval(), keyword_search.KeywordSearch()
    documents, refused = [], []
    for file in files:
        try:
            documents.append(Record(**retrieval.doc_parse.call({'url': file})))
        except Exception as error:  # a format that it does not read is a fact to be reported
            refused.append({'file': os.path.basename(file), 'error': str(error)[:200]})
    print(json.dumps({'read': len(documents), 'refused': refused}), file=out, flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        found = []
        for url, chunk, score in search.sort_by_scores(query=question, docs=documents)[:1]:
            page = next(document for document in documents if document.url == url).raw[chunk]
            found.append({'file': url, 'text': page.content, 'score': float(score)})
        print(json.dumps(found), file=out, flush=True)
    os.chdir('/')
