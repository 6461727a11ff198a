"""Qwen-Agent's SimpleDocParser: what it reads of each file, a line of JSON each.
Needs: pip install 'qwen-agent[rag]' soundfile tqdm openpyxl
usage: python qwen-agent-documents.py FILE...
"""
import contextlib
import json
import os
import sys
import tempfile

files = [os.path.abspath(name) for name in sys.argv[1:]]
out = sys.stdout
with tempfile.TemporaryDirectory() as workspace, contextlib.redirect_stdout(sys.stderr):
    os.chdir(workspace)
    from qwen_agent.tools.simple_doc_parser import SimpleDocParser

    parser = SimpleDocParser({'structured_doc': True})
    for file in files:
        try:
            pages = []
            for page in parser.call({'url': file}):
                content = page['content']
                pages.append({
                    'page': page['page_num'],
                    'texts': [part['text'] for part in content if 'text' in part],
                    'tables': [part['table'] for part in content if 'table' in part],
                })
            print(json.dumps({'pages': pages}), file=out, flush=True)
        except Exception as error:  # a file that it does not read is a fact to be counted
            print(json.dumps({'error': str(error)[:200]}), file=out, flush=True)
    os.chdir('/')
