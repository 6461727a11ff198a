import { existsSync } from 'node:fs'
import path from 'node:path'
import type { WantedDocument } from '../catalog/documents.ts'
import type { Found, WalkOptions } from './source.ts'

/** Documents whose file is gone, to be found again by their bytes under another name. */
export class Gone {
  readonly #bySha256 = new Map<string, WantedDocument[]>()

  constructor(documents: readonly WantedDocument[]) {
    for (const document of documents) {
      const same = this.#bySha256.get(document.sha256)
      if (same) same.push(document)
      else this.#bySha256.set(document.sha256, [document])
    }
  }

  /** One with these bytes, which is gone no longer. */
  take(sha256: string): WantedDocument | undefined {
    return this.#bySha256.get(sha256)?.shift()
  }

  rest(): readonly WantedDocument[] {
    return [...this.#bySha256.values()].flat()
  }
}

/** Documents whose file is not there any more, or ignored by now. A filter of this run alone makes nothing gone. */
export function goneOf(
  documents: readonly WantedDocument[],
  found: readonly Found[],
  { include, exclude }: WalkOptions,
): readonly WantedDocument[] {
  const isFiltered = Boolean(include?.length || exclude?.length)
  const present = new Set(found.map(file => file.path))
  const unreadable = found.filter(file => file.error).map(file => file.path + path.sep)
  return documents.filter(({ source }) => {
    if (present.has(source) || unreadable.some(folder => source.startsWith(folder))) return false
    return !isFiltered || !existsSync(source)
  })
}
