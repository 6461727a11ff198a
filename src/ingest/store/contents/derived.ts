import { readdirSync } from 'node:fs'
import path from 'node:path'
import { hashParts } from '../../../system/digest.ts'
import type { Stages } from '../catalog/versions.ts'
import { ChunkedDocument } from './chunked.ts'
import type { ContentStore } from './content.ts'
import { ParsedDocument } from './parsed.ts'
import { SingleFile } from './single-file.ts'

export type DerivedDocument = { readonly parsed: ParsedDocument; readonly chunked: ChunkedDocument }

const WHOLE = '.whole'

/** Paths by the stages that made the output. */
export class DerivedPaths {
  readonly #folder: string

  constructor(content: ContentStore, sha256: string) {
    this.#folder = content.getFolder(sha256)
  }

  openDocument({ parserId, chunkerId }: Pick<Stages, 'parserId' | 'chunkerId'>): DerivedDocument {
    const parsed = this.openParsed(parserId, chunkerId)
    return { parsed, chunked: this.openChunked(parserId, chunkerId, parsed) }
  }

  openParsed(parserId: string, chunkerId: string): ParsedDocument {
    const parsed = path.join(this.#folder, toParsedName(parserId))
    return new ParsedDocument(parsed, new SingleFile(`${parsed}-${hashParts(chunkerId)}${WHOLE}`))
  }

  openChunked(parserId: string, chunkerId: string, parsed: ParsedDocument): ChunkedDocument {
    return new ChunkedDocument(
      path.join(this.#folder, `chunks-${hashParts(parserId, chunkerId)}.jsonl`),
      parsed,
    )
  }

  listNames(): readonly string[] {
    return readdirSync(this.#folder)
  }

  /** Accepts any chunker, since their parsed text is the same. */
  findSingleFiles(parserId: string, names: readonly string[]): readonly SingleFile[] {
    const prefix = `${toParsedName(parserId)}-`
    const own = names.filter(name => name.startsWith(prefix) && name.endsWith(WHOLE))
    return own.map(name => new SingleFile(path.join(this.#folder, name)))
  }

  getVectorsPath(parserId: string, chunkerId: string, embedderId: string): string {
    return path.join(this.#folder, `vectors-${hashParts(parserId, chunkerId, embedderId)}.f32`)
  }

  /** Vectors are found by the sentence's text, however it was parsed. */
  getPiecesPath(embedderId: string): string {
    return path.join(this.#folder, `pieces-${hashParts(embedderId)}.i8`)
  }
}

/** Same content and stages, same id, everywhere. */
export function toChunkId({ sha256, parserId, chunkerId }: Stages, ordinal: number): string {
  return `chunk_${hashParts(sha256, parserId, chunkerId, ordinal)}`
}

function toParsedName(parserId: string): string {
  return `parsed-${hashParts(parserId)}`
}
