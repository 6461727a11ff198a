import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'

export class FileRoots {
  readonly #roots: readonly string[]

  constructor(roots: readonly string[]) {
    this.#roots = roots.map(root => path.resolve(root))
  }

  /**
   * Resolves links. Throws `forbidden_source` outside of the roots, whether the file exists or
   * not.
   */
  async require(file: string): Promise<string> {
    const real = await realpath(file).catch(() => undefined)
    const roots = await Promise.all(this.#roots.map(root => realpath(root).catch(() => root)))
    const isInside = (place: string) =>
      roots.some(root => place === root || place.startsWith(root + path.sep))
    if (real !== undefined && isInside(real)) return real
    if (real === undefined && isInside(path.resolve(file))) {
      throw new AppError('not_found', localizable`There is no file ${file}.`)
    }
    const allowed =
      this.#roots.length > 0
        ? 'It lies outside of the folders that may be read'
        : 'No folder may be read'
    throw new AppError(
      'forbidden_source',
      localizable`Will not read ${file}: ${allowed}. Name a document, or allow its folder (roots).`,
    )
  }
}
