import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { existsSync, lstatSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { AppError } from '../../errors.ts'
import { PYTHON_DRIVER } from './python-driver.ts'

export type PythonLimits = {
  /** Python of the system, or of an environment that lies in one of the folders. */
  readonly path: string
  /** Of the system, shown to the code besides `/usr`; nothing can be written there. */
  readonly folders: readonly string[]
  /** Largest that all processes of one sandbox may grow together. */
  readonly memoryBytes: number
  /** Of what is written to files, and kept in memory. */
  readonly diskBytes: number
  readonly processes: number
  /** Of one answer's text. */
  readonly outputBytes: number
}

export type PythonProcess = ChildProcessByStdio<Writable, Readable, Readable>

/** Pictures of one answer, and the largest of them. */
const PICTURES = 4
const PICTURE_BYTES = 2 ** 20
/** Most that a sandbox may say in one answer: its pictures in base64, and its text, which JSON escapes. */
export const getMaxAnswerBytes = (limits: PythonLimits) =>
  2 * PICTURES * PICTURE_BYTES + 8 * limits.outputBytes + 2 ** 20
/** Of processor time, of each process of a sandbox, whatever it is asked. */
const PROCESSOR_SECONDS = 600
const PROBE_MS = 20_000

const BUBBLEWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap']
/** `nobody`: root's id would own what the kernel shows in files, whatever the sandbox. */
const NOBODY = 65_534
/** What programs look up, and nothing that tells of this machine or its users. */
const SETTINGS = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/etc/localtime']

/** Why code cannot be run here, as a sentence; undefined where it can. */
export async function findSandboxProblem(limits: PythonLimits): Promise<string | undefined> {
  const bubblewrap = BUBBLEWRAP.find(path => existsSync(path))
  if (!bubblewrap)
    return 'Code is run only in a sandbox of bubblewrap, which is not installed here: install it (apt install bubblewrap).'
  if (!existsSync(limits.path))
    return `There is no Python at ${limits.path}: the setting tools.python.path names one.`
  const said = await new Promise<string | undefined>(resolve => {
    const args = [
      ...createSandboxArguments(limits),
      '--',
      limits.path,
      '-I',
      '-c',
      'import resource; print("ready")',
    ]
    execFile(
      bubblewrap,
      args,
      { ...asNobody(), env: {}, cwd: '/', timeout: PROBE_MS },
      (error, output, errors) =>
        resolve(
          error || output.trim() !== 'ready'
            ? errors.trim() || error?.message || output
            : undefined,
        ),
    )
  })
  if (said === undefined) return undefined
  const why = said.split('\n')[0]?.slice(0, 200)
  return `Code is run only in a sandbox, and this system allows none (${why}): allow user namespaces, with bubblewrap 0.8 or newer.`
}

/** A Python that waits for requests in a sandbox of its own. Throws `internal` where it cannot be started. */
export function startPython(limits: PythonLimits): PythonProcess {
  const bubblewrap = BUBBLEWRAP.find(path => existsSync(path))
  if (!bubblewrap) throw new AppError('internal', 'bubblewrap is gone.')
  const own = { ...limits, fileBytes: Math.min(limits.diskBytes, 16 * 2 ** 20), pictures: PICTURES }
  const told = JSON.stringify({
    ...own,
    pictureBytes: PICTURE_BYTES,
    processorSeconds: PROCESSOR_SECONDS,
  })
  const args = [
    ...createSandboxArguments(limits),
    '--',
    limits.path,
    '-I',
    '-c',
    PYTHON_DRIVER,
    told,
  ]
  return spawn(bubblewrap, args, {
    ...asNobody(),
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Environment and working directory are empty, since the first process of a sandbox can be looked at from inside. */
function asNobody() {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
}

/**
 * Namespaces of its own for everything, no network, no capability, no further namespaces; the system to be read, two small
 * folders in memory to be written. There is no /proc and no /sys: both tell of the machine, and take orders.
 */
function createSandboxArguments({ folders, diskBytes }: PythonLimits): readonly string[] {
  const half = String(Math.max(2 ** 20, Math.floor(diskBytes / 2)))
  return [
    '--unshare-all',
    '--unshare-user',
    '--new-session',
    '--die-with-parent',
    '--clearenv',
    '--cap-drop',
    'ALL',
    '--disable-userns',
    ...['--uid', String(NOBODY), '--gid', String(NOBODY), '--hostname', 'sandbox'],
    ...[
      '--ro-bind',
      '/usr',
      '/usr',
      ...['/bin', '/lib', '/lib64', '/sbin'].flatMap(bindSystemFolder),
    ],
    ...[...SETTINGS, ...folders].flatMap(place => ['--ro-bind-try', place, place]),
    '--dev',
    '/dev',
    '--size',
    '1048576',
    '--tmpfs',
    '/dev/shm',
    ...['--size', half, '--tmpfs', '/tmp', '--size', half, '--tmpfs', '/work'],
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    '/work',
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}

const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/work',
  LANG: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
  MPLBACKEND: 'Agg',
  MPLCONFIGDIR: '/tmp',
  OPENBLAS_NUM_THREADS: '1',
  OMP_NUM_THREADS: '1',
}

/** As the system has it: a link into /usr, or a folder. */
function bindSystemFolder(place: string): readonly string[] {
  const about = lstatSync(place, { throwIfNoEntry: false })
  if (!about) return []
  return about.isSymbolicLink() ? ['--symlink', `usr${place}`, place] : ['--ro-bind', place, place]
}
