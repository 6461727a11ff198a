import { createReadStream, statSync } from 'node:fs'
import { copyFile, link, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { BlobEntry, Blobs, GetOptions } from '../../src/ingest/store/blobs.ts'
import { createTemporaryName } from '../../src/system/disk.ts'

/** Blobs in a folder: each a file under its key. */
export class FolderBlobs implements Blobs {
  readonly name = 'The folder of the test'
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(key: string, from: Buffer | string): Promise<boolean> {
    const target = path.join(this.#folder, key)
    await mkdir(path.dirname(target), { recursive: true })
    const temporary = createTemporaryName(path.join(this.#folder, 'put'))
    await (typeof from === 'string' ? copyFile(from, temporary) : writeFile(temporary, from))
    try {
      await link(temporary, target)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      await rm(temporary)
    }
  }

  async get(key: string, { range, signal }: GetOptions = {}): Promise<Readable | undefined> {
    const file = path.join(this.#folder, key)
    const found = statSync(file, { throwIfNoEntry: false })
    if (!found?.isFile()) return undefined
    const { start = 0, end = found.size } = range ?? {}
    return end > start
      ? createReadStream(file, { start, end: end - 1, ...(signal && { signal }) })
      : Readable.from([])
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true })
    const files = entries
      .filter(entry => entry.isFile())
      .map(entry => path.join(entry.parentPath, entry.name))
    const keys = files.map(file => path.relative(this.#folder, file).split(path.sep).join('/'))
    for (const key of keys.filter(one => one.startsWith(prefix)).toSorted())
      yield { key, sizeBytes: (await stat(path.join(this.#folder, key))).size }
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(path.join(this.#folder, key), { force: true })
  }
}
