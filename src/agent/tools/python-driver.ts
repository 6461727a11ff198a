/** Fences of Markdown. */
const FENCE_MARKS = '```|~~~'

/** Answers a JSON request per line. The code may tamper with it: the sandbox is the boundary. */
export const PYTHON_DRIVER = String.raw`
import ast, base64, errno, importlib.machinery, json, logging, os, re, resource, signal, socket, sys, textwrap, traceback

limits = json.loads(sys.argv[1])
def limit(kind, most): resource.setrlimit(kind, (most, most))
limit(resource.RLIMIT_CORE, 0)
limit(resource.RLIMIT_AS, limits['memoryBytes'])
limit(resource.RLIMIT_FSIZE, limits['fileBytes'])
limit(resource.RLIMIT_NOFILE, 256)
limit(resource.RLIMIT_CPU, limits['processorSeconds'])
limit(resource.RLIMIT_NPROC, limits['processes'])

requests, answers = os.fdopen(os.dup(0), 'rb'), os.fdopen(os.dup(1), 'wb')
os.dup2(os.open('/dev/null', os.O_RDONLY), 0)
PICTURES = {b'\x89PNG': 'image/png', b'\xff\xd8\xff': 'image/jpeg', b'GIF8': 'image/gif', b'RIFF': 'image/webp'}
space = {'__name__': '__main__'}
parent = os.getpid()

def redirect():
    path = '/tmp/.output'
    try: os.unlink(path)
    except OSError: pass
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    os.unlink(path)
    os.dup2(file, 1)
    os.dup2(file, 2)
    return file

def printed(file):
    for stream in (sys.stdout, sys.stderr):
        try: stream.flush()
        except Exception: pass
    size = os.fstat(file).st_size
    text = os.pread(file, limits['outputBytes'], 0).decode('utf-8', 'replace')
    return text + ('\n[%d more bytes]' % (size - limits['outputBytes']) if size > limits['outputBytes'] else '')

FENCE = re.compile(r'^[ \t]*(${FENCE_MARKS})[^\n]*\n(.*?)(?:^[ \t]*\1[ \t\r]*$|\Z)', re.M | re.S)

# Models put code into Markdown fences, with words around them.
def parse(code):
    try: return ast.parse(code, '<code>')
    except SyntaxError as error:
        blocks = [textwrap.dedent(block) for _, block in FENCE.findall(code)]
        if not blocks: raise
        return ast.parse('\n'.join(blocks), '<code>')

def evaluate(code):
    importlib.invalidate_caches()  # for modules that the code has just written
    tree = parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, '<code>', 'exec'), space)
    if last is not None: return eval(compile(ast.Expression(last.value), '<code>', 'eval'), space)

def cut(text, most): return text if len(text) <= most else text[:most] + '…'

def cells(row): return [cut(str(cell), 200) for cell in list(row)[:50]]

def table(value):
    if hasattr(value, 'columns') and hasattr(value, 'itertuples'):
        rows = [cells(row) for row, _ in zip(value.itertuples(index=False), range(100))]
        return {'columns': cells(value.columns), 'rows': rows, 'row_count': len(value)}
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        columns = list(value[0])
        rows = [cells([row.get(column, '') for column in columns]) for row in value[:100]]
        return {'columns': cells(columns), 'rows': rows, 'row_count': len(value)}

# Folders and files of caches are hidden, as are those of Python.
def is_shown(name): return not name.startswith('.') and name != '__pycache__'

def there():
    for folder, inner, names in os.walk('/work'):
        inner[:] = filter(is_shown, inner)
        for name in sorted(filter(is_shown, names))[:100]:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path): yield path, os.lstat(path)

def stamp(about): return about.st_mtime_ns, about.st_size, about.st_ino

# Compared with what was there, not with the time: the clock of files is some milliseconds behind the other.
def written(before):
    files, pictures = [], []
    for path, about in there():
        if before.get(path) == stamp(about): continue
        files.append({'name': os.path.relpath(path, '/work'), 'bytes': about.st_size})
        with open(path, 'rb') as file: start = file.read(4)
        kind = next((PICTURES[magic] for magic in PICTURES if start.startswith(magic)), None)
        if kind and about.st_size <= limits['pictureBytes']:
            with open(path, 'rb') as file: pictures.append({'type': kind, 'bytes': file.read(limits['pictureBytes'])})
    return files[:50], pictures

CHINESE = re.compile('CJK|Han Sans|Noto Sans SC|WenQuanYi|SimHei|YaHei|PingFang|Heiti|Fallback|UMing|UKai')
IMAGE = re.compile(r'(^|/)[^./]*$|\.(png|jpe?g|gif|webp)$', re.I)
saved = set()

def note_saved(module):
    save = module.Figure.savefig
    def savefig(self, place, *more, **options):
        save(self, place, *more, **options)
        if isinstance(place, (str, os.PathLike)) and IMAGE.search(os.fspath(place)): saved.add(id(self))
    module.Figure.savefig = savefig

# Code for Chinese figures names fonts of other systems, such as SimHei.
def find_fonts(module):
    manager, told = module.fontManager, set()
    chinese = [font for font in manager.ttflist if CHINESE.search(font.name)]
    chinese.sort(key=lambda font: ('SC' not in font.name, 'Sans' not in font.name, font.weight != 400, font.name))
    find = manager._find_fonts_by_props
    def find_with_chinese(*given, **options):
        paths = find(*given, **options)
        return paths + [font.fname for font in chinese[:1] if font.fname not in paths]
    manager._find_fonts_by_props = find_with_chinese
    is_new = lambda record: record.getMessage() not in told and told.add(record.getMessage()) is None
    logging.getLogger('matplotlib.font_manager').addFilter(is_new)

# Figures that the code saved are not shown twice; Chinese gets a font that has it.
class Adapter:
    done = {'matplotlib.figure': note_saved, 'matplotlib.font_manager': find_fonts}
    def find_spec(self, name, path=None, target=None):
        adapt = self.done.get(name)
        spec = adapt and importlib.machinery.PathFinder.find_spec(name, path)
        if not spec or not spec.loader: return None
        load = spec.loader.exec_module
        def exec_module(module):
            load(module)
            try: adapt(module)
            except Exception: pass
        spec.loader.exec_module = exec_module
        return spec
sys.meta_path.insert(0, Adapter())

MIB = 2 ** 20
HINTS = [
    (lambda e: isinstance(e, (socket.gaierror, ConnectionError)) or getattr(e, 'errno', None) in (errno.ENETUNREACH, errno.EHOSTUNREACH),
     'The sandbox has no network.'),
    (lambda e: isinstance(e, ModuleNotFoundError), 'The sandbox has no such package, and none can be installed.'),
    (lambda e: isinstance(e, MemoryError), 'The sandbox has %d MiB of memory.' % (limits['memoryBytes'] // MIB)),
    (lambda e: getattr(e, 'errno', None) in (errno.EROFS, errno.EACCES, errno.EPERM), 'Only the working directory can be written.'),
    (lambda e: getattr(e, 'errno', None) in (errno.ENOSPC, errno.EFBIG), 'The sandbox has %d MiB for files.' % (limits['diskBytes'] // MIB)),
    (lambda e: isinstance(e, FileNotFoundError), 'The sandbox has only the files that it is given.'),
]

def explain(error):
    causes = []
    while error is not None and error not in causes and len(causes) < 20:
        causes.append(error)
        reason = getattr(error, 'reason', None)
        error = error.__cause__ or (reason if isinstance(reason, BaseException) else None) or error.__context__
    hints = [hint for applies, hint in HINTS if any(applies(cause) for cause in causes)]
    return ' ' + hints[0] if hints else ''

def drawn(value):
    pictures = []
    plot = sys.modules.get('matplotlib.pyplot')
    if plot is not None:
        import io
        for number in plot.get_fignums()[:limits['pictures']]:
            picture, figure = io.BytesIO(), plot.figure(number)
            if id(figure) in saved: continue
            figure.savefig(picture, format='png')
            pictures.append({'type': 'image/png', 'bytes': picture.getvalue()})
        plot.close('all')
        saved.clear()
    if hasattr(value, '_repr_png_'):
        picture = value._repr_png_()
        if isinstance(picture, bytes): pictures.append({'type': 'image/png', 'bytes': picture})
    return pictures

def run(code):
    answer, file, value = {}, redirect(), None
    before = {path: stamp(about) for path, about in there()}
    try:
        value = evaluate(code)
        if value is not None: answer['value'] = cut(repr(value), limits['outputBytes'])
        if table(value): answer['table'] = table(value)
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [f'line {frame.lineno}' for frame in frames if frame.filename == '<code>']
        answer['error'] = cut(''.join(traceback.format_exception_only(type(error), error)).strip(), 2000) + (f' ({lines[-1]})' if lines else '') + explain(error)
    try: pictures = drawn(value)
    except Exception as error: answer['error'], pictures = 'The picture could not be drawn: ' + cut(str(error), 500), []
    answer['output'] = printed(file)
    os.close(file)
    answer['files'], more = written(before)
    fitting = [picture for picture in pictures + more if len(picture['bytes']) <= limits['pictureBytes']]
    answer['pictures'] = [{'type': p['type'], 'data': base64.b64encode(p['bytes']).decode()} for p in fitting[:limits['pictures']]]
    return answer

def put(files):
    for name, data in files.items():
        path = os.path.join('/work', os.path.basename(name))
        with open(path, 'wb') as file: file.write(base64.b64decode(data))
        second_ago = os.stat(path).st_mtime_ns - 10**9
        os.utime(path, ns=(second_ago, second_ago))  # so that it tells when the code writes it anew at once

os.chdir('/work')
sys.path.append('/work')
for line in requests:
    request = json.loads(line)
    put(request.get('files', {}))
    answer = run(request['code'])
    if os.getpid() != parent: os._exit(0)  # a copy that the code made of this process
    if parent == 2:  # alone among the processes of the sandbox: whatever the code left running ends with it
        try: os.kill(-1, signal.SIGKILL)
        except OSError: pass
    answers.write(json.dumps(answer).encode('utf-8', 'surrogatepass') + b'\n')
    answers.flush()
`
