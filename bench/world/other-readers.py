"""Prints the text of a file as an independent reader gives it, as one line of JSON: {"reader": ..., "text": ...}.

usage: python3 other-readers.py FILE
Prints {} if no reader for the format is installed, and {"reader": ..., "error": ...} if the reader refuses the file.
Readers: python-docx, python-pptx, openpyxl, xlrd and the standard library's email; pdftotext, pandoc and antiword are run as programs.
"""
import email
import email.policy
import json
import shutil
import subprocess
import sys
from pathlib import Path

SECONDS = 60
PANDOC_FORMATS = {
    ".html": "html", ".htm": "html", ".xhtml": "html", ".md": "markdown", ".markdown": "markdown", ".epub": "epub",
    ".odt": "odt", ".rtf": "rtf", ".ipynb": "ipynb", ".org": "org", ".rst": "rst", ".tex": "latex",
}


def run_program(*command):
    done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode("utf-8", "replace")[:200] or f"exit {done.returncode}")
    return done.stdout.decode("utf-8", "replace")


def read_docx(path):
    import docx

    body = docx.Document(path).element.body
    texts = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    paragraphs = body.iter(f"{texts}p")
    return "\n".join("".join(node.text or "" for node in p.iter(f"{texts}t")) for p in paragraphs)


def read_pptx(path):
    import pptx

    def of_shapes(shapes):
        for shape in shapes:
            if shape.has_text_frame:
                yield shape.text_frame.text
            if getattr(shape, "has_table", False):
                for row in shape.table.rows:
                    yield " ".join(cell.text for cell in row.cells)
            if hasattr(shape, "shapes"):
                yield from of_shapes(shape.shapes)

    return "\n".join(text for slide in pptx.Presentation(path).slides for text in of_shapes(slide.shapes))


def read_xlsx(path):
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    lines = []
    for sheet in book.worksheets:
        for row in sheet.iter_rows(values_only=True):
            lines.append(" ".join(str(value) for value in row if isinstance(value, str)))
    return "\n".join(lines)


def read_xls(path):
    import xlrd

    rows = (sheet.row(at) for sheet in xlrd.open_workbook(path).sheets() for at in range(sheet.nrows))
    return "\n".join(" ".join(cell.value for cell in row if cell.ctype == xlrd.XL_CELL_TEXT) for row in rows)


def read_email(path):
    message = email.message_from_bytes(Path(path).read_bytes(), policy=email.policy.default)
    body = message.get_body(preferencelist=("plain", "html"))
    if body is None:
        return message["subject"] or ""
    text = body.get_content()
    if body.get_content_type() == "text/html" and shutil.which("pandoc"):
        done = subprocess.run(
            ["pandoc", "-f", "html", "-t", "plain"], input=text.encode(), capture_output=True, timeout=SECONDS, check=True
        )
        text = done.stdout.decode()
    return f"{message['subject'] or ''}\n{text}"


def choose_reader(path):
    suffix = Path(path).suffix.lower()
    if suffix == ".pdf" and shutil.which("pdftotext"):
        return "pdftotext", lambda: run_program("pdftotext", path, "-")
    if suffix == ".doc" and shutil.which("antiword"):
        return "antiword", lambda: run_program("antiword", "-m", "UTF-8.txt", "-w", "0", path)
    by_library = {".docx": ("docx", read_docx), ".pptx": ("pptx", read_pptx), ".xlsx": ("openpyxl", read_xlsx), ".xls": ("xlrd", read_xls)}
    if suffix in by_library:
        name, read = by_library[suffix]
        try:
            __import__(name)
        except ImportError:
            return None
        return name, lambda: read(path)
    if suffix == ".eml":
        return "email", lambda: read_email(path)
    if suffix in (".txt", ".text"):
        return "utf-8", lambda: Path(path).read_text("utf-8")
    if suffix in PANDOC_FORMATS and shutil.which("pandoc"):
        form = PANDOC_FORMATS[suffix]
        return "pandoc", lambda: run_program("pandoc", "-f", form, "-t", "plain", "--wrap=none", path)
    return None


def main():
    chosen = choose_reader(sys.argv[1])
    if chosen is None:
        print("{}")
        return
    name, read = chosen
    try:
        print(json.dumps({"reader": name, "text": read()}))
    except Exception as error:  # a reader may refuse a file in its own way: the refusal is the result
        print(json.dumps({"reader": name, "error": f"{type(error).__name__}: {error}"[:300]}))


main()
