import { hashParts } from '../../system/digest.ts'

export type ChunkPlace = {
  /** Digest of the chunk's text. */
  readonly hash: string
  /** Position among the chunks of the document with this text, from 0. */
  readonly occurrence: number
}

/** Change of one chunk by a user; found again by its text, however the document is indexed. */
export type ChunkEdit = ChunkPlace & {
  /** Whether searches and answers leave the chunk out. */
  readonly isExcluded?: true
  /** Indexed with the chunk, never quoted. */
  readonly note?: string
}

export type ChunkChange = {
  /** Default: unchanged. */
  readonly isExcluded?: boolean | undefined
  readonly note?: string | undefined
}

/** Finds the edits of chunks, which have to come in their order. */
export class ChunkEditMatcher {
  readonly #edits: ReadonlyMap<string, ChunkEdit>
  readonly #seen = new Map<string, number>()

  constructor(edits: readonly ChunkEdit[]) {
    this.#edits = new Map(edits.map(edit => [`${edit.hash} ${edit.occurrence}`, edit]))
  }

  match(text: string): ChunkEdit | undefined {
    if (this.#edits.size === 0) return undefined
    const { hash, occurrence } = this.locate(text)
    return this.#edits.get(`${hash} ${occurrence}`)
  }

  locate(text: string): ChunkPlace {
    const hash = hashParts(text)
    const occurrence = this.#seen.get(hash) ?? 0
    this.#seen.set(hash, occurrence + 1)
    return { hash, occurrence }
  }
}

export function applyChange(
  { hash, occurrence, ...before }: ChunkEdit,
  { isExcluded = before.isExcluded, note = before.note }: ChunkChange,
): ChunkEdit {
  return { hash, occurrence, ...(isExcluded && { isExcluded }), ...(note && { note }) }
}

export function isSamePlace(one: ChunkPlace, other: ChunkPlace): boolean {
  return one.hash === other.hash && one.occurrence === other.occurrence
}

/** Returns each note of a searched chunk once. */
export function listNotes(edits: readonly ChunkEdit[]): readonly string[] {
  const notes = edits.flatMap(({ note, isExcluded }) => (note && !isExcluded ? [note] : []))
  return [...new Set(notes)]
}

export function isEmptyEdit({ isExcluded, note }: ChunkEdit): boolean {
  return !isExcluded && note === undefined
}
