import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ParserEvent, ParserInput } from '../parser.ts'

/** File systems allow 255 bytes, so that a path is valid. */
const MAX_NAME_CHARS = 200

export class AttachedFiles {
  readonly #folder: string | undefined
  readonly #names = new Set<string>()
  #written = 0

  constructor({ attachmentsFolder }: ParserInput) {
    this.#folder = attachmentsFolder
  }

  async add(name: string, bytes: Uint8Array): Promise<readonly ParserEvent[]> {
    return await this.write(this.claimName(name), bytes)
  }

  async write(name: string, bytes: Uint8Array): Promise<readonly ParserEvent[]> {
    if (this.#folder === undefined) return []
    await mkdir(this.#folder, { recursive: true }) // exists if the document is read again
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
