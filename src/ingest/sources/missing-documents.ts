import type { RequestedDocument } from '../store/catalog/documents.ts'
import type { Listed } from './source.ts'

export class MissingDocuments {
  readonly #bySha256 = new Map<string, RequestedDocument[]>()

  constructor(documents: readonly RequestedDocument[]) {
    for (const document of documents) {
      const same = this.#bySha256.get(document.sha256)
      if (same) same.push(document)
      else this.#bySha256.set(document.sha256, [document])
    }
  }

  /** Takes out a document with these bytes, whose file was found again. */
  claim(sha256: string): RequestedDocument | undefined {
    return this.#bySha256.get(sha256)?.shift()
  }

  listUnclaimed(): readonly RequestedDocument[] {
    return [...this.#bySha256.values()].flat()
  }
}

/** Documents below a part that cannot be listed count as listed. */
export function createListedCheck(
  listed: readonly Listed[],
  toSource: (path: string) => string,
): (source: string) => boolean {
  const sources = new Set(listed.map(({ path }) => toSource(path)))
  const unlisted = listed
    .filter(item => 'error' in item)
    .map(({ path }) => toSource(path).replace(/[/\\]+$/, ''))
  const isBelow = (source: string, folder: string) =>
    source.startsWith(folder) && /[/\\]/.test(source.charAt(folder.length))
  return source => sources.has(source) || unlisted.some(folder => isBelow(source, folder))
}
