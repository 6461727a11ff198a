import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Of tests that break a PostgreSQL: what they are skipped for. */
export const NEEDS_POSTGRES_PROGRAMS = 'needs PostgreSQL in /usr/lib/postgresql'

const DEBIAN = '/usr/lib/postgresql'
const programs = existsSync(DEBIAN)
  ? readdirSync(DEBIAN)
      .toSorted((a, b) => Number(a) - Number(b))
      .map(version => path.join(DEBIAN, version, 'bin'))
      .findLast(folder => existsSync(path.join(folder, 'initdb')))
  : undefined

export const hasPostgresPrograms = programs !== undefined

/** It does not run as root. */
const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']

function asPostgres(program: string, args: readonly string[]): readonly [string, ...string[]] {
  const whole = path.join(programs!, program) // tests without are skipped
  return process.getuid?.() === 0
    ? [AS_POSTGRES[0]!, ...AS_POSTGRES.slice(1), whole, ...args]
    : [whole, ...args]
}

function runAsPostgres(program: string, args: readonly string[]): void {
  const [command, ...rest] = asPostgres(program, args)
  execFileSync(command, rest, { stdio: 'ignore' })
}

/** A PostgreSQL of a test's own, which it may kill. */
export class OwnPostgres {
  readonly folder: string
  readonly port: number
  #child: ChildProcess | undefined

  private constructor(folder: string, port: number) {
    this.folder = folder
    this.port = port
  }

  /** In a folder that anybody may pass through. */
  static async start(folder: string): Promise<OwnPostgres> {
    const postgres = await OwnPostgres.#in(folder)
    const options = ['-A', 'trust', '-U', 'passim', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
    runAsPostgres('initdb', ['-D', postgres.#data, ...options])
    await appendFile(
      path.join(postgres.#data, 'pg_hba.conf'),
      'host replication all 127.0.0.1/32 trust\n',
    )
    await postgres.#run()
    return postgres
  }

  /** A copy of another that follows it; a transaction there ends when it is here. */
  static async follow(folder: string, primary: OwnPostgres): Promise<OwnPostgres> {
    const standby = await OwnPostgres.#in(folder)
    const from = `host=127.0.0.1 port=${primary.port} user=passim application_name=standby`
    runAsPostgres('pg_basebackup', [
      '-D',
      standby.#data,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '--no-sync',
      '-d',
      from,
    ])
    await standby.#run()
    await primary.waitForStandby()
    return standby
  }

  get url(): string {
    return `postgres://passim@127.0.0.1:${this.port}/postgres`
  }

  get #data(): string {
    return path.join(this.folder, 'data')
  }

  async query(sql: string): Promise<readonly Record<string, unknown>[]> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }

  /** From then on nothing is acknowledged that the standby does not have. */
  async waitForStandby(): Promise<void> {
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
    await this.query('SELECT pg_reload_conf()')
    const sql = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`
    while ((await this.query(sql)).length === 0) await sleep(100)
  }

  async promote(): Promise<void> {
    runAsPostgres('pg_ctl', ['-D', this.#data, '-w', 'promote'])
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child?.pid) return
    const ended = once(child, 'exit')
    const served = spawnSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], {
      encoding: 'utf8',
    }).stdout.split(/\s+/)
    child.kill('SIGKILL')
    for (const pid of served.filter(Boolean).map(Number)) killIfThere(pid)
    await ended
  }

  static async #in(folder: string): Promise<OwnPostgres> {
    mkdirSync(folder, { mode: 0o700 })
    if (process.getuid?.() === 0) {
      const ids = ['-u', '-g'].map(which => Number(execFileSync('id', [which, 'postgres'])))
      chownSync(folder, ids[0]!, ids[1]!) // both were asked for
    }
    return new OwnPostgres(folder, await freePort())
  }

  async #run(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.folder}`,
      'max_connections=100',
    ]
    const args = [
      '-D',
      this.#data,
      '-p',
      String(this.port),
      ...settings.flatMap(one => ['-c', one]),
    ]
    const [command, ...rest] = asPostgres('postgres', args)
    this.#child = spawn(command, rest, { stdio: 'ignore' })
    await answers(this.port)
    while (!(await this.#isReady())) await sleep(100)
  }

  /** It listens before it takes queries. */
  async #isReady(): Promise<boolean> {
    try {
      await this.query('SELECT 1')
      return true
    } catch (error) {
      if ((error as { code?: string }).code === STARTING_UP) return false
      throw error
    }
  }
}

/** Error code of PostgreSQL (cannot_connect_now). */
const STARTING_UP = '57P03'

/** It may have ended with its server. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // process.kill throws system errors only
  }
}

/** One that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  server.close()
  await once(server, 'close')
  return port
}

/** Until somebody listens there. */
async function answers(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    await sleep(100)
  }
}
