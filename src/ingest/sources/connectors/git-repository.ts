import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { localizable } from '../../../errors/localizable.ts'
import { AppError, getReason } from '../../../errors.ts'
import type { Fetched, FetchOptions, Source, SourceItem } from '../source.ts'

type GitPlace = {
  readonly url: string
  readonly branch?: string
  readonly folder?: string
  readonly user?: string
  readonly password?: string
  readonly keyFile?: string | undefined
  readonly knownHostsFile?: string | undefined
  readonly caFile?: string | undefined
  /** Address that was checked, to which git connects. */
  readonly address?: string
  readonly maxBytes: number
  readonly cache: string
}

/** Nothing of the machine's or the repository's settings, no questions, and no other protocol. */
const OPTIONS = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.autoDetach=false'],
  ...['fetch.unpackLimit=1', 'transfer.unpackLimit=1'], // as packs, which are measured
  ...['credential.helper=', 'http.followRedirects=false', 'submodule.recurse=false'],
  // A stalled server ends the run after a minute below 1 KB/s.
  ...['http.lowSpeedLimit=1000', 'http.lowSpeedTime=60'],
].flatMap(option => ['-c', option])

const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  LANG: 'C.UTF-8',
  GIT_ALLOW_PROTOCOL: 'http:https:ssh:file',
  GIT_ASKPASS: 'true',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_TERMINAL_PROMPT: '0',
}

const HEAD = 'refs/passim/head'

/** A run that was killed leaves them. */
const LOCKS = ['shallow', 'config', 'packed-refs', HEAD]

const SSH = 'ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=30'

/** Short, so that git receives little more than the maximum. */
const MEASURE_MS = 100

/** Matches a file, no link and no submodule: `100644 blob OID SIZE<tab>PATH`. */
const FILE = /^100\d{3} blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/su

/** Characters of git's words, so that a message stays readable. */
const MAX_REASON = 500

/** Files of the newest commit of a branch; their version is the object id. */
export class GitRepository implements Source {
  readonly #place: GitPlace

  constructor(place: GitPlace) {
    this.#place = place
  }

  async *list(signal?: AbortSignal): AsyncGenerator<SourceItem> {
    const { folder } = this.#place
    await this.#fetchNewest(signal)
    const below = folder ? ['--', `${folder.replace(/\/+$/, '')}/`] : []
    const listed = this.#start(['ls-tree', '-r', '-z', '-l', '--full-tree', HEAD, ...below], signal)
    for await (const entry of splitByNull(listed.stdout)) {
      const [, version, bytes, path] = FILE.exec(entry) ?? []
      if (version && path) yield { path, version, bytes: Number(bytes) }
    }
    await listed.ended
  }

  async fetch({ version = '' }: SourceItem, { signal }: FetchOptions): Promise<Fetched> {
    const { stdout, ended } = this.#start(['cat-file', 'blob', version], signal)
    const bytes = stdout.pipe(new PassThrough()) // Node drops what nobody reads when the process ends
    const read = async function* () {
      try {
        yield* bytes
        await ended
      } finally {
        stdout.destroy() // ends git if its bytes are not wanted any more
      }
    }
    return { kind: 'stream', bytes: Readable.from(read(), { objectMode: false }) }
  }

  async #fetchNewest(signal: AbortSignal | undefined): Promise<void> {
    const { branch, cache, maxBytes } = this.#place
    if ((await this.#measure()) > maxBytes) await rm(cache, { recursive: true, force: true })
    await mkdir(cache, { recursive: true, mode: 0o700 })
    await this.#run(['init', '--quiet', '--bare', '.'], signal)
    for (const lock of LOCKS) await rm(`${cache}/${lock}.lock`, { force: true })
    const from = branch === undefined ? 'HEAD' : `refs/heads/${branch}`
    const fetch = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules']
    await this.#runBounded([...fetch, '--', this.#getRemote(), `+${from}:${HEAD}`], signal)
  }

  /** Ends git, and removes the copy, if it receives more than the maximum. */
  async #runBounded(args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const { cache, url, maxBytes } = this.#place
    const before = await this.#measure()
    const stop = new AbortController()
    const checkSize = async () => {
      if ((await this.#measure()) - before <= maxBytes) return
      const message = localizable`The newest commit of ${url} has more than ${maxBytes} bytes.`
      stop.abort(new AppError('too_large', message, { advice: 'Raise maxBytes of the source.' }))
    }
    const timer = setInterval(() => void checkSize(), MEASURE_MS)
    try {
      await this.#run(args, AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]))
      await checkSize()
      stop.signal.throwIfAborted()
    } catch (error) {
      if (stop.signal.aborted) await rm(cache, { recursive: true, force: true, maxRetries: 3 })
      throw error
    } finally {
      clearInterval(timer)
    }
  }

  async #measure(): Promise<number> {
    const folder = `${this.#place.cache}/objects/pack`
    const names = await readdir(folder).catch(() => []) // there is no copy yet
    const files = names.map(name => stat(`${folder}/${name}`).catch(() => ({ size: 0 }))) // renamed meanwhile
    return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0)
  }

  #getRemote(): string {
    const { url, user } = this.#place
    return user === undefined ? url : url.replace(/^ssh:\/\//, `ssh://${user}@`)
  }

  async #run(args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const { stdout, ended } = this.#start(args, signal)
    stdout.resume()
    await ended
  }

  #start(args: readonly string[], signal: AbortSignal | undefined) {
    const { cache } = this.#place
    const child = spawn(
      'git',
      [...OPTIONS, ...this.#buildTrustOptions(), ...this.#pinAddress(), ...args],
      {
        cwd: cache,
        env: { ...ENVIRONMENT, ...this.#pinSsh(), GIT_DIR: cache, ...this.#createLogin() },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(signal && { signal }),
      },
    )
    const ended = this.#awaitEnd(child, signal)
    ended.catch(() => {}) // its callers await it later
    return { stdout: child.stdout, ended }
  }

  #buildTrustOptions(): readonly string[] {
    const { caFile } = this.#place
    return caFile ? ['-c', `http.sslCAInfo=${caFile}`] : []
  }

  /** Versions of git before 2.37 resolve the name again. */
  #pinAddress(): readonly string[] {
    const { protocol, hostname, port } = new URL(this.#place.url)
    const { address } = this.#place
    const isName = address !== undefined && address !== hostname && !hostname.startsWith('[')
    if (!isName || !protocol.startsWith('http')) return []
    const usual = protocol === 'https:' ? '443' : '80'
    return ['-c', `http.curloptResolve=${hostname}:${port || usual}:${address}`]
  }

  #pinSsh(): Readonly<Record<string, string>> {
    const { hostname, port } = new URL(this.#place.url)
    const { address } = this.#place
    const isPlain = /^[\w.-]+$/.test(hostname) // it is part of a shell's line
    const known = port === '' || port === '22' ? hostname : `[${hostname}]:${port}`
    const pin = address && isPlain ? ` -oHostName=${address} '-oHostKeyAlias=${known}'` : ''
    const { keyFile, knownHostsFile } = this.#place
    const key = keyFile ? ` -oIdentitiesOnly=yes -oIdentityFile=${keyFile}` : ''
    const hosts = knownHostsFile ? ` -oUserKnownHostsFile=${knownHostsFile}` : ''
    return { GIT_SSH_COMMAND: SSH + key + hosts + pin }
  }

  async #awaitEnd(child: GitProcess, signal: AbortSignal | undefined): Promise<void> {
    let reason = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      reason = (reason + text).slice(-MAX_REASON)
    })
    const [code] = await once(child, 'close').catch((error: unknown) => {
      signal?.throwIfAborted()
      throw this.#createFailure(getReason(error))
    })
    signal?.throwIfAborted()
    if (code !== 0) throw this.#createFailure(reason.trim())
  }

  /** Passes credentials where no list of processes shows them. */
  #createLogin(): Readonly<Record<string, string>> {
    const { url, user, password } = this.#place
    if (user === undefined || password === undefined) return {}
    const login = Buffer.from(`${user}:${password}`).toString('base64')
    return {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${login}`,
    }
  }

  #createFailure(reason: string): AppError {
    const said = reason.replace(/\s+/g, ' ').replace(/\.$/, '')
    return new AppError('fetch_failed', localizable`git cannot read ${this.#place.url}: ${said}.`)
  }
}

type GitProcess = ChildProcessByStdio<null, Readable, Readable>

async function* splitByNull(bytes: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const part of bytes.setEncoding('utf8')) {
    const entries = (rest + part).split('\0')
    rest = entries.pop() ?? ''
    yield* entries
  }
}
