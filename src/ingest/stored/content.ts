import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../errors.ts'
import { isSha256 } from '../digest.ts'
import { makePrivateFolder, removeAbandoned, syncFolderSync, temporaryName } from '../disk.ts'
import { type StagedBytes, Staging, type StoredBytes } from './staging.ts'

/** In the folder of a content: pages of it as pictures, which anybody can draw again. */
export const PAGE_PICTURES = 'pages'

/**
 * The store's folder of content: one folder per SHA-256, holding the original bytes and everything derived from them
 * (parsed text, chunks, vectors), so that what is no longer used goes with one removal.
 */
export class ContentStore {
  readonly #root: string
  readonly #incoming: string
  /** What was adopted last, while it may be in memory alone. */
  #adopted: string | undefined

  /** The folder of the store. */
  readonly home: string

  constructor(home: string) {
    this.home = home
    this.#root = path.join(home, 'content')
    this.#incoming = path.join(home, 'incoming')
  }

  async prepare(): Promise<void> {
    await makePrivateFolder(this.#root)
    await makePrivateFolder(this.#incoming)
  }

  /** Folder of one content. Throws `corrupt` for anything but a SHA-256: what a catalog names may come from anybody. */
  folder(sha256: string): string {
    if (!isSha256(sha256)) {
      throw new AppError('corrupt', `The catalog names a content ${JSON.stringify(sha256)}, which is no SHA-256.`)
    }
    return path.join(this.#root, sha256.slice(0, 2), sha256)
  }

  original(sha256: string): string {
    return path.join(this.folder(sha256), 'original')
  }

  has(sha256: string): boolean {
    return existsSync(this.original(sha256))
  }

  /** All that can be told without reading them: so many bytes are there. */
  hasAll({ sha256, bytes }: StoredBytes): boolean {
    return statSync(this.original(sha256), { throwIfNoEntry: false })?.size === bytes
  }

  /** Where bytes are put on their way in; to be closed when their adoption is committed. */
  async openStaging(): Promise<Staging> {
    return await Staging.open(this.#incoming)
  }

  /** Take a stream in, e.g. an upload; nothing is left of one that breaks off. `use` gets it staged. */
  async stageStream<Result>(
    bytes: Readable,
    use: (staged: StagedBytes) => Result | Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const staging = await this.openStaging()
    try {
      return await use(await staging.receive(bytes, signal))
    } finally {
      await staging.close()
    }
  }

  /**
   * Make staged bytes the store's, in the place of what is there: that may be damaged. Call inside the transaction that
   * records their use, or they would be swept away.
   */
  adoptSync({ path: staged, sha256 }: StagedBytes): void {
    this.#rename(staged, sha256)
  }

  /** Make another file of the store's disk content too, without a second copy where the disk can. Call as `adoptSync`. */
  adoptLinkSync(file: string, sha256: string): void {
    if (this.has(sha256)) return
    const target = temporaryName(path.join(this.#incoming, 'in'))
    try {
      linkSync(file, target)
    } catch {
      copyFileSync(file, target) // no links on this disk
    }
    this.#rename(target, sha256)
  }

  /**
   * Bring the names of what was adopted to the disk itself, before the transaction that records it ends. Those of the last
   * stand for all: a journal keeps their order (ext4, XFS), and each by itself would take a document 6 to 9 ms.
   */
  settleSync(): void {
    const last = this.#adopted
    this.#adopted = undefined
    const folder = last === undefined ? undefined : this.folder(last)
    if (!folder || !existsSync(folder)) return // of a transaction that was rolled back, and swept since
    for (const one of [folder, path.dirname(folder), this.#root]) syncFolderSync(one)
  }

  #rename(staged: string, sha256: string): void {
    mkdirSync(this.folder(sha256), { recursive: true })
    renameSync(staged, this.original(sha256))
    this.#adopted = sha256
  }

  /** Move unused content out of sight at once; call inside a transaction. Gives what to delete. */
  discardSync(sha256: string): string | undefined {
    if (!existsSync(this.folder(sha256))) return undefined
    const trash = temporaryName(path.join(this.#incoming, 'trash'))
    renameSync(this.folder(sha256), trash)
    return trash
  }

  /** Remove what was derived from a content, so that it is derived again; the original stays. */
  async clearDerived(sha256: string): Promise<void> {
    const folder = this.folder(sha256)
    for (const name of await readdir(folder)) {
      if (name !== 'original') await rm(path.join(folder, name), { recursive: true, force: true })
    }
  }

  /** Take over another store's folder of content. Throws `conflict` where there is content already. */
  async replaceWith(folder: string): Promise<void> {
    if ((await this.list()).length > 0) {
      throw new AppError('conflict', `There is content in ${this.#root} already, which would be lost.`)
    }
    await rm(this.#root, { recursive: true, force: true })
    renameSync(folder, this.#root)
  }

  /** Every content there is, by SHA-256. */
  async list(): Promise<readonly string[]> {
    if (!existsSync(this.#root)) return []
    const prefixes = (await readdir(this.#root)).filter(name => /^[0-9a-f]{2}$/.test(name))
    const folders = await Promise.all(prefixes.map(prefix => readdir(path.join(this.#root, prefix))))
    return folders.flat().filter(isSha256).toSorted()
  }

  /** Remove what processes that are gone were bringing in or throwing away; gives the number of things removed. */
  async sweepIncoming(): Promise<number> {
    return await removeAbandoned(this.#incoming)
  }
}
