"""CPU seconds that Qwen-Agent's SimpleDocParser takes for the files of a folder, its start and caches apart.
usage: python qwen-agent-parse.py FOLDER
"""
import contextlib
import os
import sys
import tempfile
import time

folder = os.path.abspath(sys.argv[1])
files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
with tempfile.TemporaryDirectory() as workspace, contextlib.redirect_stdout(sys.stderr):
    os.chdir(workspace)
    from qwen_agent.tools.simple_doc_parser import SimpleDocParser

    warm = os.path.join(workspace, 'warm.txt')
    with open(warm, 'w') as file:
        file.write('the tokenizer is loaded')
    parser = SimpleDocParser()
    parser.call({'url': warm})
    started = time.process_time()
    for file in files:
        parser.call({'url': file})
    seconds = time.process_time() - started
    os.chdir('/')
print(seconds)
