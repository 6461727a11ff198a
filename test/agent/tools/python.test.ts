import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callTool, isToolContent } from '../../../src/agent/tool.ts'
import {
  createCodeInterpreterTool,
  createPythonExecutorTool,
} from '../../../src/agent/tools/python.ts'
import { findSandboxProblem } from '../../../src/agent/tools/python-sandbox.ts'
import { PythonSessions } from '../../../src/agent/tools/python-sessions.ts'
import { MemoryKnowledge } from '../../fakes/memory-knowledge.ts'
import { toolCall } from '../../fakes/scripted-chat-model.ts'

const LIMITS = {
  ...{
    path: '/usr/bin/python3',
    folders: [],
    processes: 24,
    outputBytes: 2_000,
    maxSessions: 3,
    idleMs: 60_000,
  },
  ...{ memoryBytes: 256 * 2 ** 20, diskBytes: 16 * 2 ** 20, timeMs: 30_000 },
}
const problem = await findSandboxProblem(LIMITS)

const secret = 'the secret of this test'
let folder: string
let server: Server
let connections = 0
let sessions: PythonSessions
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'passim-python-'))
  writeFileSync(path.join(folder, 'secret.txt'), secret, { mode: 0o644 })
  process.env.PASSIM_TEST_SECRET = secret
  server = createServer(() => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  sessions = new PythonSessions(LIMITS)
})
afterAll(async () => {
  delete process.env.PASSIM_TEST_SECRET
  await sessions.close()
  await new Promise(resolve => server.close(resolve))
  rmSync(folder, { recursive: true })
})

/** Of all processes that are there. */
function commandLines(): readonly string[] {
  const ids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return ids.map(id => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8')
    } catch {
      return '' // it ended
    }
  })
}

const run = (code: string, conversation = 'a') => sessions.run(conversation, { code })

describe.skipIf(problem !== undefined)(
  'Python in a sandbox (needs bubblewrap and user namespaces)',
  () => {
    test('what was defined stays for the conversation, and for no other', async () => {
      expect(await run('x = 20\nprint("hello")\nx + 1')).toMatchObject({
        output: 'hello\n',
        value: '21',
      })
      expect(await run('x')).toMatchObject({ value: '20' })
      expect(await run('x', 'b')).toMatchObject({
        error: expect.stringMatching(/NameError.*line 1/),
      })
    })

    test('tables and pictures come out as such, as do the names of files', async () => {
      const png =
        'import base64\nopen("dot.png", "wb").write(base64.b64decode("iVBORw0KGgo="))\nopen("a.csv", "w").write("x")'
      expect(await run(`${png}\n[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]`)).toMatchObject({
        table: {
          columns: ['a', 'b'],
          rows: [
            ['1', 'x'],
            ['2', 'y'],
          ],
          row_count: 2,
        },
        pictures: [{ type: 'image/png', data: 'iVBORw0KGgo=' }],
        files: [
          { name: 'a.csv', bytes: 1 },
          { name: 'dot.png', bytes: 8 },
        ],
      })
    })

    test('code in a Markdown fence is run', async () => {
      const options = { sessions, knowledge: new MemoryKnowledge([]), maxFileBytes: 1_000 }
      const tool = createCodeInterpreterTool({ ...options, readBytes: async () => Buffer.alloc(0) })
      for (const code of [
        '```python\nx = 6\nx * 7\n```',
        'This computes it:\n\n  ~~~py\n  x = 6\n  x * 7\n  ~~~\nThat was it.',
        'First:\r\n```\r\nx = 6\r\n```\r\nThen:\r\n```\r\nx * 7\r\n```',
        '```python\nx = 6\nx * 7',
      ])
        expect(await tool.call({ code })).toEqual({ value: '42' })
      expect(await tool.call({ code: 'len("""```\na```""")' })).toEqual({ value: '8' })
      const wrong = await tool.call({ code: 'This is no code.' })
      expect(wrong).toEqual({ error: expect.stringContaining('SyntaxError') })
    })

    test('modules of the working directory are imported, also those just written', async () => {
      const write = 'open("own.py", "w").write("y = 1")\nimport own\nown.y'
      expect(await run(write, 'modules')).toMatchObject({ value: '1' })
      const later = 'open("other.py", "w").write("y = 2")\nimport other\nother.y'
      expect(await run(later, 'modules')).toMatchObject({ value: '2' })
    })

    test('a folder of packages may lie below /tmp', async () => {
      const packages = mkdtempSync('/tmp/passim-packages-')
      chmodSync(packages, 0o755)
      writeFileSync(path.join(packages, 'own.py'), 'y = 3', { mode: 0o644 })
      onTestFinished(() => rmSync(packages, { recursive: true }))
      const own = new PythonSessions({ ...LIMITS, folders: [packages] })
      onTestFinished(() => own.close())
      const code = `import sys\nsys.path.append("${packages}")\nimport own\nown.y`
      expect(await own.runAlone({ code })).toMatchObject({ value: '3' })
    })

    test('files of caches are no files of the answer', async () => {
      const code =
        'import os\nopen("own.py", "w").write("y = 1")\nimport own\nos.makedirs(".cache/fonts")\nopen(".cache/fonts/list.json", "w").write("x")'
      expect(await run(code, 'caches')).toMatchObject({ files: [{ name: 'own.py' }] })
    })

    test('a figure that the code saves is shown once, and Chinese has a font', async () => {
      const files = {
        '__init__.py': 'rcParams = {}',
        'font_manager.py':
          'import logging\nclass F:\n  def __init__(self, name, weight): self.name, self.weight, self.fname = name, weight, f"{name} {weight}"\nclass M:\n  ttflist = [F("Arial", 400), F("Noto Sans CJK JP", 400), F("Noto Sans CJK SC", 700), F("Noto Sans CJK SC", 400)]\n  def _find_fonts_by_props(self, family):\n    logging.getLogger(__name__).warning("findfont: %s not found.", family)\n    return ["DejaVu"]\nfontManager = M()',
        'figure.py':
          'class Figure:\n  def savefig(self, place, **k):\n    b = b"\\x89PNG" + self.text.encode()\n    open(place, "wb").write(b) if isinstance(place, str) else place.write(b)',
        'pyplot.py':
          'from . import font_manager\nfrom .figure import Figure\nopened = {}\ndef figure(n):\n  if n not in opened: opened[n] = Figure()\n  return opened[n]\ndef get_fignums(): return list(opened)\ndef close(_): opened.clear()',
      }
      const write = Object.entries(files).map(
        ([name, text]) => `open("/tmp/lib/matplotlib/${name}", "w").write(${JSON.stringify(text)})`,
      )
      const install = `import os, sys\nos.makedirs("/tmp/lib/matplotlib")\nsys.path.append("/tmp/lib")\n${write.join('\n')}`
      await run(install, 'figures')
      const draw =
        'import matplotlib, matplotlib.pyplot as p\np.figure(1).text = "a"\np.figure(1).savefig("a.png", dpi=9)\np.figure(2).text = "b"\nfonts = p.font_manager.fontManager\n[fonts._find_fonts_by_props("SimHei") for _ in range(3)][0]'
      const { pictures, value, output } = await run(draw, 'figures')
      const shown = pictures.map(({ data }) => Buffer.from(data, 'base64').toString('latin1', 4))
      expect(shown.toSorted()).toEqual(['a', 'b'])
      expect(value).toBe("['DejaVu', 'Noto Sans CJK SC 400']")
      expect(output).toBe('findfont: SimHei not found.\n')
    })

    test.each([
      ['import socket; socket.create_connection(("8.8.8.8", 53))', /no network\.$/],
      ['import urllib.request as r; r.urlopen("http://example.org")', /no network\.$/],
      ['import nonesuch', /no such package/],
      ['open("data.csv")', /FileNotFoundError.*only the files that it is given/],
      ['open("/usr/x", "w")', /Only the working directory can be written/],
      ['bytearray(10 ** 10)', /MemoryError.*256 MiB of memory/],
    ])('what fails in the sandbox is told by its cause: %s', async (code, said) =>
      expect(await run(code, 'causes')).toMatchObject({ error: expect.stringMatching(said) }),
    )

    test('a file that is written in the first moment of a run is one of its files', async () => {
      for (let at = 0; at < 40; at++) {
        const { files } = await run(`open("${at}.txt", "w").write("x")`, 'moment')
        expect(files.map(({ name }) => name)).toContain(`${at}.txt`)
      }
    })

    /** What Python says of each attempt: an error, or a value. */
    const contained: readonly (readonly [what: string, code: () => string, said: RegExp])[] = [
      ['the users of the system', () => 'open("/etc/passwd").read()', /FileNotFoundError/],
      ['their passwords', () => 'open("/etc/shadow").read()', /FileNotFoundError/],
      ['the home of root', () => 'import os; os.listdir("/root")', /FileNotFoundError/],
      ['all homes', () => 'import os; os.listdir("/home")', /FileNotFoundError/],
      [
        'a file in /tmp',
        () => `open(${JSON.stringify(path.join(folder, 'secret.txt'))}).read()`,
        /FileNotFoundError/,
      ],
      [
        'the program that runs it',
        () => `open(${JSON.stringify(path.resolve('package.json'))}).read()`,
        /FileNotFoundError/,
      ],
      ['a path with dots', () => 'open("/work/../../../etc/passwd").read()', /FileNotFoundError/],
      [
        'a symbolic link',
        () => 'import os; os.symlink("/etc/passwd", "l"); open("l").read()',
        /FileNotFoundError/,
      ],
      ['a hard link', () => 'import os; os.link("/usr/bin/env", "env")', /OSError|PermissionError/],
      ['writing to the system', () => 'open("/usr/bin/x", "w")', /Read-only|Permission denied/],
      ['writing to the root folder', () => 'open("/x", "w")', /Read-only/],
      ['writing to /dev', () => 'open("/dev/x", "w")', /Read-only/],
      [
        'changing a program',
        () => 'import os; os.chmod("/usr/bin/env", 0o777)',
        /Read-only|not permitted/,
      ],
      [
        'a device for a disk',
        () => 'import os, stat; os.mknod("d", stat.S_IFBLK | 0o600, os.makedev(8, 0))',
        /PermissionError/,
      ],
      ['the memory of the machine', () => 'open("/dev/mem", "rb")', /FileNotFoundError/],
      ['the terminal', () => 'open("/dev/tty", "w")', /OSError/],
      ['processes by /proc', () => 'import os; os.listdir("/proc")', /FileNotFoundError/],
      [
        'the root of another process',
        () => 'open("/proc/1/root/etc/passwd").read()',
        /FileNotFoundError/,
      ],
      [
        'the environment of another process',
        () => 'open("/proc/1/environ").read()',
        /FileNotFoundError/,
      ],
      [
        'orders to the kernel',
        () => 'open("/proc/sys/kernel/core_pattern", "w")',
        /FileNotFoundError/,
      ],
      ['the machine by /sys', () => 'import os; os.listdir("/sys")', /FileNotFoundError/],
      ['a mount', () => libc('mount(b"none", b"/tmp", b"proc", 0, None)'), /'-1'/],
      ['a user namespace', () => libc('unshare(0x10000000)'), /'-1'/],
      ['another root folder', () => 'import os; os.chroot("/work")', /PermissionError/],
      ['becoming root', () => 'import os; os.setuid(0)', /PermissionError|Invalid argument/],
      [
        'a program that would become root',
        () => 'import subprocess; subprocess.run(["su", "-c", "id"]).returncode == 0',
        /'False'|FileNotFound/,
      ],
      [
        'looking into another process',
        () => libc(`ptrace(16, ${process.pid}, None, None)`),
        /'-1'/,
      ],
      [
        'more memory than it may have',
        () => 'import resource as r; r.setrlimit(r.RLIMIT_AS, (2**40, 2**40))',
        /ValueError|PermissionError/,
      ],
      [
        'going before others',
        () => 'import os; os.setpriority(os.PRIO_PROCESS, 0, -10)',
        /PermissionError/,
      ],
      [
        'a service of this machine',
        () =>
          `import socket; socket.create_connection(("127.0.0.1", ${(server.address() as AddressInfo).port}), 5)`,
        /OSError|ConnectionRefused/,
      ],
      [
        'the internet',
        () => 'import socket; socket.create_connection(("1.1.1.1", 443), 5)',
        /OSError/,
      ],
      [
        'a name of the internet',
        () => 'import socket; socket.getaddrinfo("example.com", 80)',
        /gaierror/,
      ],
      [
        'a packet',
        () =>
          'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("8.8.8.8", 53))',
        /OSError/,
      ],
      [
        'a packet of any kind',
        () => 'import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)',
        /PermissionError/,
      ],
      ['this process', () => `import os; os.kill(${process.pid}, 9)`, /ProcessLookupError/],
      ['the name of this machine', () => 'import socket; socket.gethostname()', /'sandbox'/],
      ['what is typed', () => 'input()', /EOFError/],
      ['the disk, filled', () => 'open("big", "wb").write(b"x" * 10**8)', /OSError/],
      ['shared memory, filled', () => 'open("/dev/shm/big", "wb").write(b"x" * 10**7)', /OSError/],
      ['all memory', () => 'bytearray(10**9)', /MemoryError/],
      ['a calling without end', () => 'def f(): f()\nf()', /RecursionError/],
      [
        'threads without end',
        () =>
          'import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(2,), daemon=True).start()',
        /RuntimeError/,
      ],
    ]
    test.each(contained)('it does not reach %s', async (_, code, said) => {
      const { error, value } = await run(code(), 'contained')
      expect(error ?? `'${value?.replace(/^'|'$/g, '')}'`).toMatch(said)
      expect(JSON.stringify([error, value])).not.toContain(secret)
    })

    test('it reached no service of this machine, and sees nothing of its environment', async () => {
      expect(connections).toBe(0)
      const { value = '' } = await run('import os; sorted(os.environ)', 'contained')
      expect(value).not.toMatch(/PASSIM|NODE|USER/)
      expect((await run('import os; str(os.environ)', 'contained')).value).not.toContain(secret)
    })

    test('the first process of its sandbox cannot be ended, nor can it end more than its own', async () => {
      await run('import os; os.kill(1, 9)', 'kills')
      await run(
        'import os, signal\ntry: os.kill(os.getppid(), signal.SIGTERM)\nexcept OSError: pass',
        'kills',
      )
      expect(
        await run('import os\ntry: os.kill(-1, 9)\nexcept OSError: pass\n7', 'kills'),
      ).toMatchObject({ value: '7' })
    })

    test('what it left running ends with the call', async () => {
      const { value } = await run(
        'import subprocess; subprocess.Popen(["setsid", "sleep", "1000"]).pid',
        'kills',
      )
      expect(await run(`import os; os.waitpid(${value}, 0)[1]`, 'kills')).toMatchObject({
        value: '9',
      }) // SIGKILL
    })

    test('a fork bomb comes to nothing', async () => {
      const { error } = await run('import os\nwhile True: os.fork()', 'kills')
      expect(error).toMatch(/BlockingIOError/)
      expect(await run('1 + 1', 'kills')).toMatchObject({ value: '2' })
    })

    test('a flood of output is cut', async () => {
      const { output, error } = await run('while True: print("x" * 1000)', 'kills')
      expect([output.length < 3_000, error]).toEqual([true, expect.stringMatching(/OSError/)])
      expect((await run('"x" * 10**7', 'kills')).value?.length).toBeLessThan(3_000)
    })

    test('what does not end is stopped, and the next call begins anew', async () => {
      const quick = new PythonSessions({ ...LIMITS, timeMs: 3_000 })
      const endless =
        'import signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\nx = 1\nwhile True: pass'
      await expect(quick.run('a', { code: endless })).rejects.toThrow(/took longer than 3 s/)
      expect(await quick.run('a', { code: 'x' })).toMatchObject({
        error: expect.stringMatching(/NameError/),
      })
      await quick.close()
    })

    test('nothing of a sandbox outlives its end, even one that has just begun', async () => {
      const outputBytes = 54_321 // by which its processes are known
      const many = new PythonSessions({ ...LIMITS, outputBytes, maxSessions: 100 })
      const ended = Array.from({ length: 20 }, async (_, at) => {
        const abort = new AbortController()
        setTimeout(() => abort.abort(), at * 4)
        await expect(
          many.run(`${at}`, { code: 'while True: pass' }, abort.signal),
        ).rejects.toThrow()
      })
      await Promise.all(ended)
      const theirs = () =>
        commandLines().filter(line => line.includes(`"outputBytes":${outputBytes}`))
      await expect.poll(theirs).toEqual([])
    })

    test('many processes together have no more memory than one', async () => {
      const code =
        'import os, time\nfor n in range(6):\n  if os.fork() == 0:\n    x = bytearray(b"x" * (100 * 2**20))\n    time.sleep(60)\ntime.sleep(60)'
      await expect(run(code, 'memory')).rejects.toThrow(/more than 256 MiB/)
    })

    test('a Python that is ended, or that crashes, is told', async () => {
      await expect(run('import os; os._exit(3)', 'ends')).rejects.toThrow(
        /Python ended \(exit code 3\)/,
      )
      await expect(run('import ctypes; ctypes.string_at(0)', 'ends')).rejects.toThrow(
        /Python ended/,
      )
      expect(await run('1', 'ends')).toMatchObject({ value: '1' })
    })

    test('an answer that is forged is no more than an answer', async () => {
      const forged =
        'import os\nfor n in range(3, 12):\n  try: os.write(n, b\'{"output": 1}\\n\')\n  except OSError: pass'
      await expect(run(forged, 'forges')).rejects.toThrow(/disturbed/)
      const flood = 'import os\nwhile True: os.write(4, b"x" * 65536)'
      await expect(run(flood, 'floods')).rejects.toThrow(/Python ended/)
    })

    test('an abort ends it', async () => {
      const controller = new AbortController()
      const running = sessions.run('aborts', { code: 'while True: pass' }, controller.signal)
      setImmediate(() => controller.abort())
      await expect(running).rejects.toThrow(/abort/i)
    })

    test('there are so many sandboxes at a time: the one that rests longest makes way', async () => {
      const few = new PythonSessions({ ...LIMITS, maxSessions: 1 })
      await few.run('a', { code: 'x = 1' })
      await few.run('b', { code: 'x = 2' })
      expect(await few.run('a', { code: 'x' })).toMatchObject({
        error: expect.stringMatching(/NameError/),
      })
      const busy = few.run('a', { code: 'import time; time.sleep(60)' })
      await expect(few.run('b', { code: '1' })).rejects.toThrow(/All 1 Python sandboxes are busy/)
      await few.close()
      await expect(busy).rejects.toThrow(/Python ended/)
    })

    test('as tools: documents are files, pictures are shown, python_executor keeps nothing', async () => {
      const options = {
        ...{
          sessions,
          knowledge: new MemoryKnowledge([{ name: 'a.csv', text: 'x' }]),
          maxFileBytes: 1_000,
        },
        readBytes: async () => Buffer.from('item,price\npump,5\n'),
      }
      const tools = [createCodeInterpreterTool(options), createPythonExecutorTool(options)]
      const call = (name: string, args: object) =>
        callTool(tools, toolCall(name, JSON.stringify(args)))
      expect(
        await call('code_interpreter', { code: 'y = open("a.csv").read()\ny', files: ['a.csv'] }),
      ).toContain('pump,5')
      expect(await call('code_interpreter', { code: 'len(y)' })).toBe('{"value":"18"}')
      expect(await call('python_executor', { code: 'y' })).toContain('NameError')
      const png = {
        code: 'import base64\nopen("dot.png", "wb").write(base64.b64decode("iVBORw0KGgo="))',
      }
      const answer = await tools[0]!.call(png)
      expect(isToolContent(answer) && answer.content[1]).toEqual({
        image: 'data:image/png;base64,iVBORw0KGgo=',
      })
    })
  },
)

test('where there is no Python, a sentence says so', async () =>
  expect(await findSandboxProblem({ ...LIMITS, path: '/usr/bin/no-python' })).toMatchObject({
    message: expect.stringMatching(/no Python at|bubblewrap, which is not installed/),
  }))

function libc(call: string): string {
  return `import ctypes\nctypes.CDLL(None).${call}`
}
