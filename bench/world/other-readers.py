"""Prints the text of a file as an independent reader gives it, as one line of JSON: {"reader": ..., "text": ...}.

usage: python3 other-readers.py FILE
Prints {} if no reader for the format is installed, and {"reader": ..., "error": ...} if the reader refuses the file.
Readers: Python's zipfile with XML, and its email; openpyxl, xlrd; pdftotext, pandoc and antiword are run as programs.
"""
import codecs
import email
import email.policy
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree
import zipfile
from pathlib import Path

SECONDS = 60
PANDOC_FORMATS = {
    ".md": "markdown", ".markdown": "markdown", ".epub": "epub",
    ".rtf": "rtf", ".ipynb": "ipynb", ".org": "org", ".rst": "rst", ".tex": "latex",
}


# parts with text of a file, in their order
ZIP_PARTS = {
    (".docx", ".docm", ".dotx", ".dotm"): r"word/(document|footnotes|endnotes|comments|header\d*|footer\d*)\d*\.xml",
    (".pptx", ".pptm", ".potx", ".ppsx"): r"ppt/(slides|notesSlides|comments)/\w+\.xml",
    (".odt", ".ods", ".odp"): r"content\.xml",
}
LINES = {"p", "h", "tr", "br", "cr", "tab", "line-break", "s"}
# deleted, moved, computed, or repeated beside what it explains
UNREAD = {"moveFrom", "tracked-changes", "note-citation", "ruby-text", "rt", "fld"}
MAIL_FIELD = re.compile(rb"(?:from|received|return-path|delivered-to|subject|mime-version|date|to)\s*:", re.I)
DECLARED_CHARSET = re.compile(rb"<meta[^>]*charset\s*=\s*[\"']?\s*([\w:.-]+)|<\?xml[^>]*encoding=[\"']([\w.-]+)", re.I)
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"), (codecs.BOM_UTF8, "utf-8-sig"),
)


def run_program(*command, text=None):
    given = None if text is None else text.encode("utf-8", "replace")
    done = subprocess.run(command, input=given, capture_output=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode("utf-8", "replace")[:200] or f"exit {done.returncode}")
    return done.stdout.decode("utf-8", "replace")


def name_of(element):
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def list_texts(element, is_text):
    """Of two alternatives for the same thing only one is read."""
    name = name_of(element)
    if name in UNREAD:
        return
    children = list(element)
    if name == "AlternateContent":
        choices = [list(list_texts(child, is_text)) for child in children]
        yield from next((choice for choice in choices if "".join(choice).strip()), [])
        return
    is_text = is_text or (name in ("p", "h") and "opendocument" in element.tag)
    if element.text and (is_text or name in ("t", "text")):
        yield element.text
    for child in children:
        yield from list_texts(child, is_text)
        if child.tail and is_text:
            yield child.tail
    if name in LINES:
        yield "\n"


def read_zip(path, pattern):
    texts = []
    with zipfile.ZipFile(path) as archive:
        parts = [name for name in archive.namelist() if re.fullmatch(pattern, name)]
        for part in sorted(parts, key=lambda name: (len(name), name)):
            texts += list_texts(xml.etree.ElementTree.fromstring(archive.read(part)), False)
    return "".join(texts)


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


def read_html(path, form):
    """pandoc takes every page for UTF-8."""
    page = Path(path).read_bytes()
    declared = DECLARED_CHARSET.search(page[:4096])
    marked = next((charset for mark, charset in BYTE_ORDER_MARKS if page.startswith(mark)), None)
    charset = marked or (declared and (declared[1] or declared[2]).decode()) or "utf-8"
    try:
        text = page.decode(charset, "replace")
    except LookupError:
        text = page.decode("utf-8", "replace")
    return run_program("pandoc", "-f", form, "-t", "plain", "--wrap=none", text=text)


def read_email(path):
    message = email.message_from_bytes(Path(path).read_bytes(), policy=email.policy.default)
    fields = [str(message[name]) for name in ("subject", "from", "to", "cc", "date") if message[name]]
    names = [part.get_filename() or "" for part in message.walk() if part.is_attachment()]
    body = message.get_body(preferencelist=("html", "plain"))
    text = "" if body is None else body.get_content()
    if body is not None and body.get_content_type() == "text/html" and shutil.which("pandoc"):
        text = run_program("pandoc", "-f", "html", "-t", "plain", "--wrap=none", text=text)
    return "\n".join([*fields, text, *names])


def choose_reader(path):
    suffix = Path(path).suffix.lower()
    if suffix == ".pdf" and shutil.which("pdftotext"):
        return "pdftotext", lambda: run_program("pdftotext", path, "-")
    if suffix == ".doc" and shutil.which("antiword"):
        return "antiword", lambda: run_program("antiword", "-m", "UTF-8.txt", "-w", "0", path)
    for suffixes, pattern in ZIP_PARTS.items():
        if suffix in suffixes:
            return "zip", lambda: read_zip(path, pattern)
    by_library = {".xlsx": ("openpyxl", read_xlsx), ".xlsm": ("openpyxl", read_xlsx), ".xls": ("xlrd", read_xls)}
    if suffix in by_library:
        name, read = by_library[suffix]
        try:
            __import__(name)
        except ImportError:
            return None
        return name, lambda: read(path)
    if suffix in (".eml", ".txt", ".text", ".csv"):
        with open(path, "rb") as file:
            head = file.read(200)
        if head.startswith(b"From "):
            return None  # a mailbox, whose mails are files of their own
        if suffix == ".eml" or MAIL_FIELD.match(head):
            return "email", lambda: read_email(path)
        return "utf-8", lambda: Path(path).read_text("utf-8")
    if suffix in (".html", ".htm", ".xhtml") and shutil.which("pandoc"):
        return "pandoc", lambda: read_html(path, "html")
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
