"""What Qwen-Agent's PDF parser takes for files, its start apart: CPU seconds and, of the whole process, peak MiB.
usage: python qwen-agent-pdf.py ROUNDS FILE...
"""
import contextlib
import json
import resource
import sys
import time

rounds, files = int(sys.argv[1]), sys.argv[2:]
with contextlib.redirect_stdout(sys.stderr):
    from qwen_agent.tools.simple_doc_parser import parse_pdf

    pages = len(parse_pdf(files[0]))
    pages = 0
    started = time.process_time()
    for _ in range(rounds):
        for file in files:
            pages += len(parse_pdf(file))
    seconds = time.process_time() - started
print(json.dumps({'pages': pages, 'seconds': seconds, 'peakMiB': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
