/**
 * Answers a JSON request per line. Sets limits before running code, which may tamper with it:
 * the sandbox is the boundary.
 */
export const PYTHON_DRIVER = String.raw`
import ast, base64, json, os, resource, signal, sys, traceback

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

def evaluate(code):
    tree = ast.parse(code, '<code>')
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

def there():
    for folder, _, names in os.walk('/work'):
        for name in sorted(names)[:100]:
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

def drawn(value):
    pictures = []
    plot = sys.modules.get('matplotlib.pyplot')
    if plot is not None:
        import io
        for number in plot.get_fignums()[:limits['pictures']]:
            picture = io.BytesIO()
            plot.figure(number).savefig(picture, format='png')
            pictures.append({'type': 'image/png', 'bytes': picture.getvalue()})
        plot.close('all')
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
        answer['error'] = cut(''.join(traceback.format_exception_only(type(error), error)).strip(), 2000) + (f' ({lines[-1]})' if lines else '')
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
