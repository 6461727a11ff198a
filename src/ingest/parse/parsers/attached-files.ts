import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ParserEvent, ParserInput } from '../parser.ts'

/** Maximum length of a name, so that a path stays below the 255 bytes of file systems. */
const MAX_NAME_CHARS = 200

/** Writes what a document holds into the folder for attachments, each under a name that no other has. */
export class AttachedFiles {
  readonly #folder: string | undefined
  readonly #names = new Set<string>()
  #written = 0

  constructor({ attachmentsFolder }: ParserInput) {
    this.#folder = attachmentsFolder
  }

  /** Writes one file. Returns its event, or nothing if no folder was offered. */
  async add(name: string, bytes: Uint8Array): Promise<readonly ParserEvent[]> {
    return await this.write(this.claimName(name), bytes)
  }

  /** Writes a file under a claimed name, for documents that list the names before. */
  async write(name: string, bytes: Uint8Array): Promise<readonly ParserEvent[]> {
    if (this.#folder === undefined) return []
    await mkdir(this.#folder, { recursive: true }) // a document may be read again into what was written before
    const file = String(++this.#written)
    await writeFile(path.join(this.#folder, file), bytes, { flush: true })
    return [{ type: 'attachment', attachment: { name, file } }]
  }

  claimName(name: string): string {
    const { dir, name: stem, ext } = path.posix.parse(name.slice(-MAX_NAME_CHARS))
    let unique = path.posix.join(dir, stem + ext)
    for (let copy = 2; this.#names.has(unique); copy++)
      unique = path.posix.join(dir, `${stem} (${copy})${ext}`)
    this.#names.add(unique)
    return unique
  }
}
