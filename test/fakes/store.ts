import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { OpenOptions } from '../../src/app/open-search.ts'
import type { Passim } from '../../src/app/passim.ts'
import { open } from '../../src/app.ts'
import { ParserProcesses } from '../../src/ingest/parse/isolation/parser-processes.ts'
import { environmentOf } from './catalog-environment.ts'
import { HashingEmbedder } from './hashing-embedder.ts'

/** Outlive the stores that use them; they end with the test worker. */
class SharedParserProcesses extends ParserProcesses {
  override async close(): Promise<void> {}
}

/** Used by every sandbox of a test worker: starting a process costs more than reading what most tests index. */
const parserProcesses = new SharedParserProcesses({})

/** A folder of its own for one test, gone afterwards. */
export class Sandbox {
  readonly folder: string
  readonly #opened = new Set<Passim>()

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(): Promise<Sandbox> {
    return new Sandbox(await mkdtemp(path.join(tmpdir(), 'passim-test-')))
  }

  get home(): string {
    return path.join(this.folder, 'home')
  }

  path(name: string): string {
    return path.join(this.folder, 'docs', name)
  }

  /** Write files under `docs/`; gives that folder. */
  async write(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(this.path(name)), { recursive: true })
      await writeFile(this.path(name), content)
    }
    return this.path('')
  }

  /** Where its catalog is: in a schema of its own, where PASSIM_TEST_STORES is `postgres`. */
  get environment(): Readonly<Record<string, string>> {
    return environmentOf(this.home)
  }

  /** A real store with a hashing embedder, closed with the sandbox. */
  async open(options: OpenOptions = {}): Promise<Passim> {
    const { home = this.home } = options
    const environment = { ...environmentOf(home), ...options.environment }
    const shared = hasParserSettings(options) ? {} : { parserProcesses }
    const passim = await open({
      embedder: new HashingEmbedder(),
      ...shared,
      ...options,
      ...{ home, environment },
    })
    this.#opened.add(passim)
    return passim
  }

  /** Close what was opened; the files stay. */
  async close(): Promise<void> {
    for (const passim of this.#opened) await passim.close()
    this.#opened.clear()
  }

  async remove(): Promise<void> {
    await this.close()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** Returns whether a store needs parser processes of its own, since their limits are set with it. */
function hasParserSettings({ settings }: OpenOptions): boolean {
  return settings?.parsing !== undefined || settings?.ocr !== undefined
}
