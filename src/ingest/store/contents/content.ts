import {
  copyFileSync,
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../../errors.ts'
import { isSha256 } from '../../../system/digest.ts'
import {
  isAbandoned,
  makePrivateFolder,
  removeAbandoned,
  syncFolderSync,
  temporaryName,
} from '../../../system/disk.ts'
import type { ByteRange } from '../blobs.ts'
import type { Statements } from '../catalog.ts'
import type { SharedContents } from './shared-contents.ts'
import { type StagedBytes, Staging, type StoredBytes } from './staging.ts'

/** In the folder of a content: pages of it as pictures, which anybody can draw again. */
export const PAGE_PICTURES = 'pages'

/** The bytes that a content is called by, in its folder. */
export const ORIGINAL = 'original'

/** What is wanted of a content: its bytes, what was parsed and cut, or everything. */
type ContentPart = 'original' | 'text' | 'all'

const IS_PART: Readonly<Record<ContentPart, (name: string) => boolean>> = {
  original: name => name === ORIGINAL,
  text: name => name !== ORIGINAL && !name.startsWith('vectors-'),
  all: () => true,
}

/**
 * The store's folder of content: one folder per SHA-256, holding the original bytes and everything derived from them
 * (parsed text, chunks, vectors), so that what is no longer used goes with one removal. Where contents are shared the folder
 * holds copies: `bring` what is to be read, and `save` what was made.
 */
export class ContentStore {
  readonly #root: string
  readonly #incoming: string
  /** What was adopted last, while it may be in memory alone. */
  #adopted: string | undefined

  #shared: SharedContents | undefined

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

  /** From now on what is stored lies where all machines read it. */
  share(shared: SharedContents): void {
    this.#shared = shared
  }

  get isShared(): boolean {
    return this.#shared !== undefined
  }

  /** Whether every machine can read it. */
  async isSharedContent(sha256: string): Promise<boolean> {
    return (await this.#shared?.has(sha256)) ?? false
  }

  /** Folder of one content. Throws `corrupt` for anything but a SHA-256: what a catalog names may come from anybody. */
  folder(sha256: string): string {
    if (!isSha256(sha256)) {
      throw new AppError(
        'corrupt',
        `The catalog names a content ${JSON.stringify(sha256)}, which is no SHA-256.`,
      )
    }
    return path.join(this.#root, sha256.slice(0, 2), sha256)
  }

  original(sha256: string): string {
    return path.join(this.folder(sha256), ORIGINAL)
  }

  async has(sha256: string): Promise<boolean> {
    return existsSync(this.original(sha256)) || (await this.isSharedContent(sha256))
  }

  /** All that can be told without reading them: so many bytes are there. */
  async hasAll({ sha256, bytes }: StoredBytes): Promise<boolean> {
    const size = statSync(this.original(sha256), { throwIfNoEntry: false })?.size
    return size === undefined ? await this.isSharedContent(sha256) : size === bytes
  }

  /** Where bytes are put on their way in; to be closed when their adoption is committed. */
  async openStaging(): Promise<Staging> {
    const shared = this.#shared
    const put =
      shared &&
      ((staged: StagedBytes, signal?: AbortSignal) =>
        shared.put(staged.sha256, ORIGINAL, staged.path, signal))
    return await Staging.open(this.#incoming, put)
  }

  /** Take a stream in, e.g. an upload; nothing is left of one that breaks off. `use` gets it staged. */
  async stageStream<Result>(
    bytes: Readable,
    use: (staged: StagedBytes) => Result | Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const staging = await this.openStaging()
    try {
      const staged = await staging.receive(bytes, signal)
      await staging.sync(signal)
      return await use(staged)
    } finally {
      await staging.close()
    }
  }

  /**
   * Make staged bytes the store's, in the place of what is there: that may be damaged. Call inside the transaction that
   * records their use, or they would be swept away.
   */
  async adopt(inside: Statements, { path: staged, sha256 }: StagedBytes): Promise<void> {
    await this.#rename(inside, staged, sha256)
  }

  /**
   * Make another file of the store's disk content too, without a second copy where the disk can. Call as `adopt`, after
   * `put` where contents are shared.
   */
  async adoptLink(inside: Statements, file: string, sha256: string): Promise<void> {
    if (existsSync(this.original(sha256))) return
    const target = temporaryName(path.join(this.#incoming, 'in'))
    try {
      linkSync(file, target)
    } catch {
      copyFileSync(file, target) // no links on this disk
    }
    await this.#rename(inside, target, sha256)
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

  async #rename(inside: Statements, staged: string, sha256: string): Promise<void> {
    mkdirSync(this.folder(sha256), { recursive: true })
    renameSync(staged, this.original(sha256))
    this.#adopted = sha256
    await this.#shared?.name(inside, sha256)
  }

  /**
   * Put the bytes of a content where all machines read them, before the transaction that adopts them. Those that are there already are left: if
   * they are removed meanwhile, the adoption fails.
   */
  async put(sha256: string, file: string, signal: AbortSignal | undefined): Promise<void> {
    if (!(await this.isSharedContent(sha256)))
      await this.#shared?.put(sha256, ORIGINAL, file, signal)
  }

  /** Copy a part of a content to this disk, where it is not there yet. */
  async bring(sha256: string, part: ContentPart, signal?: AbortSignal): Promise<void> {
    await this.#shared?.bring(sha256, IS_PART[part], signal)
  }

  /** Put what was made of a content where all machines find it. */
  async save(sha256: string, signal?: AbortSignal): Promise<void> {
    await this.#shared?.save(sha256, signal)
  }

  /** The bytes of a content; of a range that lies elsewhere no more is asked for. */
  async read(sha256: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable> {
    const file = this.original(sha256)
    if (range && !existsSync(file)) {
      const elsewhere = await this.#shared?.read(sha256, ORIGINAL, { range, signal })
      if (elsewhere) return elsewhere
    }
    await this.bring(sha256, 'original', signal)
    const part = range && {
      start: range.start,
      ...(range.end !== undefined && { end: range.end - 1 }),
    }
    return createReadStream(file, { ...part, ...(signal && { signal }) })
  }

  /** A content that is used is no stray, whoever died over it. Call inside a transaction. */
  async keep(inside: Statements, sha256: string): Promise<void> {
    await this.#shared?.keep(inside, sha256)
  }

  /** Move unused content out of sight at once; call inside a transaction. Gives what to delete. */
  async discard(inside: Statements, sha256: string): Promise<string | undefined> {
    await this.#shared?.discard(inside, sha256)
    if (!existsSync(this.folder(sha256))) return undefined
    const trash = this.trashName()
    renameSync(this.folder(sha256), trash)
    return trash
  }

  /** A name out of everybody's sight, to delete something under. */
  trashName(): string {
    return temporaryName(path.join(this.#incoming, 'trash'))
  }

  /** Delete what was discarded, once the transaction has ended. */
  async emptyTrash(trash: readonly (string | undefined)[]): Promise<void> {
    for (const folder of trash) if (folder) await rm(folder, { recursive: true, force: true })
    await this.#shared?.emptyTrash()
  }

  /** Contents that are shared and that nothing has named for long: their processes have died, or others name them. */
  async abandoned(): Promise<readonly string[]> {
    return (await this.#shared?.abandoned()) ?? []
  }

  /** Remove what was derived from a content, so that it is derived again; the original stays. */
  async clearDerived(sha256: string): Promise<void> {
    await this.removeDerived(sha256, name => name !== ORIGINAL)
  }

  /** Remove the files of a content that are meant; what was removed meanwhile is not missed. */
  async removeDerived(sha256: string, isMeant: (name: string) => boolean): Promise<void> {
    await this.#shared?.remove(sha256, isMeant)
    const folder = this.folder(sha256)
    const names = existsSync(folder) ? await readdir(folder) : []
    for (const name of names.filter(isMeant))
      await rm(path.join(folder, name), { recursive: true, force: true })
  }

  /** Take over another store's folder of content. Throws `conflict` where there is content already. */
  async replaceWith(folder: string): Promise<void> {
    if ((await this.list()).length > 0) {
      throw new AppError(
        'conflict',
        `There is content in ${this.#root} already, which would be lost.`,
      )
    }
    await rm(this.#root, { recursive: true, force: true })
    renameSync(folder, this.#root)
  }

  /** Every content there is, by SHA-256. */
  async list(): Promise<readonly string[]> {
    if (!existsSync(this.#root)) return []
    const prefixes = (await readdir(this.#root)).filter(name => /^[0-9a-f]{2}$/.test(name))
    const folders = await Promise.all(
      prefixes.map(prefix => readdir(path.join(this.#root, prefix))),
    )
    return folders.flat().filter(isSha256).toSorted()
  }

  /** Processes that are gone were bringing something in, or throwing it away. */
  isLeftBehind(): boolean {
    return readdirSync(this.#incoming).some(isAbandoned)
  }

  /** Remove what processes that are gone were bringing in or throwing away; gives the number of things removed. */
  async sweepIncoming(): Promise<number> {
    return await removeAbandoned(this.#incoming)
  }
}
