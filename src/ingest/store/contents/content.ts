import {
  copyFileSync,
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { isSha256 } from '../../../system/digest.ts'
import {
  createTemporaryName,
  isAbandoned,
  makePrivateFolder,
  removeAbandoned,
  syncFolderSync,
} from '../../../system/disk.ts'
import type { ByteRange } from '../blobs.ts'
import type { Statements } from '../catalog.ts'
import type { SharedContents } from './shared-contents.ts'
import { type StagedBytes, Staging, type StoredBytes } from './staging.ts'

export const PAGE_PICTURES = 'pages'

export const ORIGINAL = 'original'

type ContentPart = 'original' | 'text' | 'all'

const IS_PART: Readonly<Record<ContentPart, (name: string) => boolean>> = {
  original: name => name === ORIGINAL,
  text: name => name !== ORIGINAL && !name.startsWith('vectors-'),
  all: () => true,
}

/** One folder per SHA-256 with the original bytes and everything derived. */
export class ContentStore {
  readonly #root: string
  readonly #incoming: string
  #adopted: string | undefined

  #shared: SharedContents | undefined

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

  share(shared: SharedContents): void {
    this.#shared = shared
  }

  get hasBucket(): boolean {
    return this.#shared !== undefined
  }

  async locateShared(sha256: string): Promise<string | undefined> {
    return await this.#shared?.locate(sha256)
  }

  async countBlobs(places: readonly string[], signal?: AbortSignal): Promise<number> {
    return (await this.#shared?.countBlobs(places, signal)) ?? 0
  }

  async isInBucket(sha256: string): Promise<boolean> {
    return (await this.#shared?.has(sha256)) ?? false
  }

  /** Throws `corrupt` for anything but a SHA-256: a catalog may come from anybody. */
  getFolder(sha256: string): string {
    if (!isSha256(sha256)) {
      throw new AppError(
        'corrupt',
        localizable`The catalog names a content ${JSON.stringify(sha256)}, which is not a SHA-256.`,
      )
    }
    return path.join(this.#root, sha256.slice(0, 2), sha256)
  }

  getOriginalPath(sha256: string): string {
    return path.join(this.getFolder(sha256), ORIGINAL)
  }

  async has(sha256: string): Promise<boolean> {
    return existsSync(this.getOriginalPath(sha256)) || (await this.isInBucket(sha256))
  }

  /** Compares the size only. */
  async isComplete({ sha256, bytes }: StoredBytes): Promise<boolean> {
    const size = statSync(this.getOriginalPath(sha256), { throwIfNoEntry: false })?.size
    return size === undefined ? await this.isInBucket(sha256) : size === bytes
  }

  /** Close the folder once the adoption is committed. */
  async openStaging(): Promise<Staging> {
    const shared = this.#shared
    if (!shared) return await Staging.open(this.#incoming)
    return await Staging.open(this.#incoming, async ({ sha256, path: file }, signal) => {
      await shared.put(sha256, ORIGINAL, file, signal)
    })
  }

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
   * Moves staged bytes into the store, replacing existing ones. Call it inside the transaction
   * that records their use, or they would be swept away.
   */
  async adopt(inside: Statements, { path: staged, sha256 }: StagedBytes): Promise<void> {
    mkdirSync(this.getFolder(sha256), { recursive: true })
    renameSync(staged, this.getOriginalPath(sha256))
    rmSync(staged, { force: true }) // rename(2) leaves it if both are links to one file
    this.#adopted = sha256
    await this.#shared?.name(inside, sha256)
  }

  /** Stages a hard link, or a copy from another disk: the file itself stays. */
  stageLink(file: string, sha256: string): string {
    const staged = createTemporaryName(path.join(this.#incoming, 'in'))
    const source = existsSync(file) ? file : this.getOriginalPath(sha256)
    try {
      linkSync(source, staged)
    } catch {
      copyFileSync(source, staged) // this disk has no hard links
    }
    return staged
  }

  /**
   * Syncs the renames before the transaction that records them commits. The last one suffices,
   * because journals keep their order (ext4, XFS).
   */
  flushRenames(): void {
    const last = this.#adopted
    this.#adopted = undefined
    const folder = last === undefined ? undefined : this.getFolder(last)
    if (!folder || !existsSync(folder)) return // rolled back, and swept since
    for (const parent of [folder, path.dirname(folder), this.#root]) syncFolderSync(parent)
  }

  /** Call it before the transaction that adopts the bytes. Keeps existing ones. */
  async uploadOriginal(
    sha256: string,
    file: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (!(await this.isInBucket(sha256))) await this.#shared?.put(sha256, ORIGINAL, file, signal)
  }

  async download(sha256: string, part: ContentPart, signal?: AbortSignal): Promise<void> {
    await this.#shared?.download(sha256, IS_PART[part], signal)
  }

  async uploadDerived(sha256: string, signal?: AbortSignal): Promise<void> {
    await this.#shared?.save(sha256, signal)
  }

  /** Downloads no more than the missing range. */
  async read(sha256: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable> {
    const file = this.getOriginalPath(sha256)
    if (range && !existsSync(file)) {
      const elsewhere = await this.#shared?.read(sha256, ORIGINAL, { range, signal })
      if (elsewhere) return elsewhere
    }
    await this.download(sha256, 'original', signal)
    const part = range && {
      start: range.start,
      ...(range.end !== undefined && { end: range.end - 1 }),
    }
    return createReadStream(file, { ...part, ...(signal && { signal }) })
  }

  /** Marks a content as used, even if its writer died. Call it inside a transaction. */
  async pin(inside: Statements, sha256: string): Promise<void> {
    await this.#shared?.keep(inside, sha256)
  }

  /**
   * Moves an unused content away, inside a transaction. Returns the folder to delete
   * afterwards.
   */
  async discard(inside: Statements, sha256: string): Promise<string | undefined> {
    await this.#shared?.discard(inside, sha256)
    if (!existsSync(this.getFolder(sha256))) return undefined
    const trash = this.createTrashName()
    renameSync(this.getFolder(sha256), trash)
    return trash
  }

  createTrashName(): string {
    return createTemporaryName(path.join(this.#incoming, 'trash'))
  }

  async emptyTrash(trash: readonly (string | undefined)[]): Promise<void> {
    for (const folder of trash) if (folder) await rm(folder, { recursive: true, force: true })
    await this.#shared?.emptyTrash()
  }

  async listAbandoned(): Promise<readonly string[]> {
    return (await this.#shared?.listAbandoned()) ?? []
  }

  async clearDerived(sha256: string): Promise<void> {
    await this.removeDerived(sha256, name => name !== ORIGINAL)
  }

  async removeDerived(sha256: string, matches: (name: string) => boolean): Promise<void> {
    await this.#shared?.remove(sha256, matches)
    const folder = this.getFolder(sha256)
    const names = existsSync(folder) ? await readdir(folder) : []
    for (const name of names.filter(matches))
      await rm(path.join(folder, name), { recursive: true, force: true })
  }

  async replaceWith(folder: string): Promise<void> {
    if ((await this.list()).length > 0) {
      throw new AppError(
        'conflict',
        localizable`There is content in ${this.#root} already, which would be lost.`,
      )
    }
    await rm(this.#root, { recursive: true, force: true })
    renameSync(folder, this.#root)
  }

  async list(): Promise<readonly string[]> {
    if (!existsSync(this.#root)) return []
    const prefixes = (await readdir(this.#root)).filter(name => /^[0-9a-f]{2}$/.test(name))
    const folders = await Promise.all(
      prefixes.map(prefix => readdir(path.join(this.#root, prefix))),
    )
    return folders.flat().filter(isSha256).toSorted()
  }

  hasAbandonedFiles(): boolean {
    return readdirSync(this.#incoming).some(isAbandoned)
  }

  /** Removes files of dead processes. Returns their number. */
  async sweepIncoming(): Promise<number> {
    return await removeAbandoned(this.#incoming)
  }
}
