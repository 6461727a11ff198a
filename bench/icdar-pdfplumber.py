"""Prints the tables of PDFs below a folder as pdfplumber reads them, a JSON line a file, for `bench/icdar.ts --tables FILE`.

usage: python3 bench/icdar-pdfplumber.py FOLDER > FILE      (pip install pdfplumber)
"""

import json
import pathlib
import sys

import pdfplumber

for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.pdf")):
    tables = []
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            for table in page.extract_tables():
                tables.append([[cell or "" for cell in row] for row in table])
    print(json.dumps({"file": str(path.relative_to(sys.argv[1])), "tables": tables}))
