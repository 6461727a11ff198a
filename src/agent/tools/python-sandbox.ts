import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { existsSync, lstatSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { AppError } from '../../errors.ts'
import { PYTHON_DRIVER } from './python-driver.ts'

export type PythonLimits = {
  /** Python of the system or of an environment in `folders`. */
  readonly path: string
  /** Read-only, besides `/usr`. */
  readonly folders: readonly string[]
  /** Sum over all processes. */
  readonly memoryBytes: number
  /** Written files, in memory. */
  readonly diskBytes: number
  readonly processes: number
  readonly outputBytes: number
}

export type PythonProcess = ChildProcessByStdio<Writable, Readable, Readable>

/** Pictures and their bytes, so that a result fits models' contexts. */
const PICTURES = 4
const PICTURE_BYTES = 2 ** 20
/** Bounds a response: pictures in base64, text escaped. */
export const getMaxAnswerBytes = (limits: PythonLimits) =>
  2 * PICTURES * PICTURE_BYTES + 8 * limits.outputBytes + 2 ** 20
/** Seconds per process, so that nothing runs forever; and milliseconds of the start check. */
const PROCESSOR_SECONDS = 600
const PROBE_MS = 20_000

const BUBBLEWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap']
/** User `nobody`, so that the kernel's files are not root's. */
const NOBODY = 65_534
/** Files that programs need and that reveal nothing about this machine. */
const SETTINGS = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/etc/localtime']

type SandboxProblem = { readonly message: string; readonly advice?: string }

/** Undefined if it can run. */
export async function findSandboxProblem(
  limits: PythonLimits,
): Promise<SandboxProblem | undefined> {
  const bubblewrap = BUBBLEWRAP.find(path => existsSync(path))
  if (!bubblewrap)
    return {
      message: 'Code runs only in a sandbox of bubblewrap, which is not installed here.',
      advice: 'Run apt install bubblewrap.',
    }
  if (!existsSync(limits.path))
    return {
      message: `There is no Python at ${limits.path}.`,
      advice: 'Set tools.python.path to its path.',
    }
  const probeError = await new Promise<string | undefined>(resolve => {
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
  if (probeError === undefined) return undefined
  const why = probeError.split('\n')[0]?.slice(0, 200)
  return {
    message: `Code runs only in a sandbox, and this system allows none (${why}).`,
    advice: 'Allow user namespaces, with bubblewrap 0.8 or newer.',
  }
}

/** Throws `internal`. */
export function startPython(limits: PythonLimits): PythonProcess {
  const bubblewrap = BUBBLEWRAP.find(path => existsSync(path))
  if (!bubblewrap) throw new AppError('internal', 'bubblewrap is no longer installed.')
  const own = { ...limits, fileBytes: Math.min(limits.diskBytes, 16 * 2 ** 20), pictures: PICTURES }
  const limitsJson = JSON.stringify({
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
    limitsJson,
  ]
  return spawn(bubblewrap, args, {
    ...asNobody(),
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Empties environment and directory, which code can inspect. */
function asNobody() {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
}

/**
 * Isolates namespaces, network and capabilities. Leaves out /proc and /sys, which reveal and
 * control the machine.
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
    ...SETTINGS.flatMap(bindIfThere),
    '--dev',
    '/dev',
    '--size',
    '1048576',
    '--tmpfs',
    '/dev/shm',
    ...['--size', half, '--tmpfs', '/tmp', '--size', half, '--tmpfs', '/work'],
    ...folders.flatMap(bindIfThere), // they may lie below /tmp or /work
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

function bindIfThere(place: string): readonly string[] {
  return ['--ro-bind-try', place, place]
}

function bindSystemFolder(place: string): readonly string[] {
  const about = lstatSync(place, { throwIfNoEntry: false })
  if (!about) return []
  return about.isSymbolicLink() ? ['--symlink', `usr${place}`, place] : ['--ro-bind', place, place]
}
