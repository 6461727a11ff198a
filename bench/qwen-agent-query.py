"""CPU seconds of each question that Qwen-Agent's retrieval answers over the parsed files of a folder, as its agents ask it by
default: keyword and front-page search fused. Its start, its parsing and the first question apart. Prints one JSON object.
usage: python qwen-agent-query.py FOLDER QUESTIONS.json
"""
import contextlib
import json
import os
import sys
import tempfile
import time

folder = os.path.abspath(sys.argv[1])
with open(sys.argv[2]) as file:
    questions = json.load(file)
files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
with tempfile.TemporaryDirectory() as workspace, contextlib.redirect_stdout(sys.stderr):
    os.chdir(workspace)
    from qwen_agent.tools.doc_parser import Record
    from qwen_agent.tools.retrieval import Retrieval

    retrieval = Retrieval()
    started = time.process_time()
    documents = [Record(**retrieval.doc_parse.call({'url': file})) for file in files]
    parsing = time.process_time() - started
    tokens = sum(chunk.token for document in documents for chunk in document.raw)
    retrieval.search.call({'query': questions[0]}, docs=documents[:20])
    seconds = []
    for question in questions:
        started = time.process_time()
        retrieval.search.call({'query': question}, docs=documents)
        seconds.append(time.process_time() - started)
    os.chdir('/')
print(json.dumps({'parsing': parsing, 'tokens': tokens, 'seconds': seconds}))
