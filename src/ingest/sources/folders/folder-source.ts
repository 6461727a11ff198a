import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { hashBytes, hashFile, readSmallFile } from '../../../system/digest.ts'
import type { FetchOptions, Listed, LocalFile, Source, SourceItem } from '../source.ts'
import { FolderWatch } from './folder-watch.ts'
import { openMisnamed, toBytes } from './misnamed.ts'
import {
  createUnreadableError,
  findSourceKind,
  isUnreadable,
  liesInStore,
  type WalkOptions,
  walk,
} from './walk.ts'

type FolderOptions = Pick<WalkOptions, 'include' | 'exclude'> & {
  readonly home: string
  readonly settleMs: number
}

/** Longest timer of Node. */
const NEVER_MS = 2 ** 31 - 1

/** Smaller files are read once, to be compared and stored. Protects memory. */
const SMALL_BYTES = 1024 * 1024

/** A file, or the files of a folder, without versions; paths are absolute. */
export class FolderSource implements Source {
  readonly #root: string
  readonly #options: FolderOptions

  constructor(root: string, options: FolderOptions) {
    this.#root = root
    this.#options = options
  }

  async *list(signal?: AbortSignal): AsyncGenerator<Listed> {
    const { home, include, exclude } = this.#options
    const kind = await findSourceKind(this.#root)
    if (await liesInStore(home, this.#root)) throw new AppError('forbidden_source', OWN)
    if (kind === 'file') yield { path: this.#root, isNamed: true }
    else yield* walk(this.#root, { include, exclude, without: home, signal })
  }

  async fetch({ path }: SourceItem, { signal }: FetchOptions): Promise<LocalFile> {
    const misnamed = await openMisnamed(path)
    const close = async () => await misnamed?.close()
    try {
      const file = misnamed ? `/proc/self/fd/${misnamed.fd}` : path
      const name = basename(path)
      return { kind: 'file', file, name, ...(await readAndDigest(file, signal)), close }
    } catch (error) {
      await close()
      throw isUnreadable(path, error) ? createUnreadableError(path, error) : error
    }
  }

  has(path: string): boolean {
    const { include, exclude } = this.#options
    const isFiltered = Boolean(include?.length || exclude?.length)
    return isFiltered && existsSync(toBytes(path) ?? path)
  }

  async *watch(signal: AbortSignal): AsyncGenerator<void> {
    const { home: except, settleMs } = this.#options
    const limits = { settleMs, compareMs: NEVER_MS, except, onProblem: () => {} }
    const folder = new FolderWatch([this.#root], limits)
    try {
      await folder.refresh(signal)
      for (;;) {
        await folder.next(signal)
        yield
      }
    } finally {
      folder.close()
    }
  }

  async isEmpty(signal?: AbortSignal): Promise<boolean> {
    const { done } = await walk(this.#root, { without: this.#options.home, signal }).next()
    return done === true
  }
}

const OWN = localizable`It is part of the store, which contains copies and settings, not documents. Name the documents.`

async function readAndDigest(source: string, signal?: AbortSignal) {
  const bytes = await readSmallFile(source, SMALL_BYTES)
  if (bytes) return { bytes, sha256: hashBytes(bytes), size: bytes.length }
  return { bytes, sha256: await hashFile(source, signal), size: (await stat(source)).size }
}
