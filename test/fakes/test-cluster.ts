import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCli, startCli } from './cli.ts'

/** What a shell does with what follows the name of a host: it has that name. */
const RENAME = ['unshare', '--uts', 'sh', '-c', 'hostname "$0" && exec "$@"']

/** Processes can be given another host's name, so that others go by their leases and do not ask the system for them. */
export const hasHosts =
  spawnSync(RENAME[0]!, [...RENAME.slice(1), 'elsewhere', 'true']).status === 0
export const NEEDS_HOSTS = 'needs unshare --uts'

const SHIFT_CLOCK = fileURLToPath(new URL('shift-clock.mjs', import.meta.url))

export type TestNode = ReturnType<typeof startCli>

type NodeOptions = {
  /** Of this node alone, beside what all have. */
  readonly settings?: object
  /** The name of its machine. */
  readonly host?: string
  readonly clockAheadMs?: number
}

type Wire = { readonly id: string; readonly [key: string]: unknown }

/** Processes of one store, each with a home of its own. */
export class TestCluster {
  token = ''
  readonly #folder: string
  readonly #settings: object
  readonly #running = new Set<TestNode>()

  /** All are told the same settings. */
  constructor(folder: string, settings: object) {
    this.#folder = folder
    this.#settings = settings
  }

  /** A command, to its end. */
  async run(name: string, ...args: readonly string[]) {
    return await runCli(this.#home(name), [
      '--config',
      await this.#writeSettings(name, {}),
      ...args,
    ])
  }

  async start(name: string, args: readonly string[], options: NodeOptions = {}): Promise<TestNode> {
    const { settings = {}, host, clockAheadMs } = options
    const environment = clockAheadMs !== undefined && {
      NODE_OPTIONS: `--import=${SHIFT_CLOCK}`,
      PASSIM_TEST_CLOCK_MS: String(clockAheadMs),
    }
    const all = ['--config', await this.#writeSettings(name, settings), ...args]
    const node = startCli(
      this.#home(name),
      all,
      environment || {},
      host === undefined ? [] : [...RENAME, host],
    )
    this.#running.add(node)
    return node
  }

  /** A service, and its address. */
  async serve(name: string, args: readonly string[] = ['--no-ingest'], options: NodeOptions = {}) {
    const node = await this.start(name, ['serve', '--port', '0', ...args], options)
    const [line] = await once(node.child.stdout, 'data')
    return { node, url: String(line).trim().split(' ').at(-1)! } // the ready line ends with it
  }

  async kill(node: TestNode): Promise<void> {
    this.#running.delete(node)
    node.child.kill('SIGKILL')
    await node.ended
  }

  async close(): Promise<void> {
    for (const node of this.#running) await this.kill(node)
  }

  async call(url: string, method: string, where: string, body?: object | FormData): Promise<Wire> {
    const json = body && !(body instanceof FormData)
    const headers = {
      ...(this.token && { authorization: `Bearer ${this.token}` }),
      ...(json && { 'content-type': 'application/json' }),
    }
    const response = await fetch(`${url}${where}`, {
      ...{ method, headers },
      ...(body && { body: json ? JSON.stringify(body) : (body as FormData) }), // FormData unless JSON
    })
    if (!response.ok)
      throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Wire // every object of the surface has an id
  }

  /** A document about lighthouse `at`; gives the id of its file. */
  async upload(url: string, store: string, at: number): Promise<string> {
    const form = new FormData()
    form.append('purpose', 'assistants')
    form.append(
      'file',
      new File([`Lighthouse number ${at} was painted in ${1900 + at}.`], `light-${at}.txt`),
    )
    const { id } = await this.call(url, 'POST', '/v1/files', form)
    await this.call(url, 'POST', `/v1/vector_stores/${store}/files`, { file_id: id })
    return id
  }

  async find(url: string, store: string, query: string): Promise<string> {
    const { data } = await this.call(url, 'POST', `/v1/vector_stores/${store}/search`, {
      query,
      max_num_results: 50,
    })
    return JSON.stringify(data)
  }

  /** How often each of so many lighthouses is found. */
  async counts(
    url: string,
    store: string,
    lighthouses: number,
    from = 0,
  ): Promise<readonly number[]> {
    const counts: number[] = []
    for (let at = from; at < from + lighthouses; at++) {
      const found = await this.find(url, store, `lighthouse ${1900 + at}`)
      counts.push(found.split(`number ${at} was`).length - 1)
    }
    return counts
  }

  #home(name: string): string {
    return path.join(this.#folder, name)
  }

  async #writeSettings(name: string, own: object): Promise<string> {
    const file = path.join(this.#folder, `${name}.yaml`)
    await writeFile(file, JSON.stringify({ ...this.#settings, ...own })) // JSON is YAML
    return file
  }
}
