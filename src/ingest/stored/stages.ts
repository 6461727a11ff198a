import path from 'node:path'
import type { Stages } from '../catalog/versions.ts'
import { digestOf } from '../digest.ts'
import type { ContentStore } from './content.ts'

/** Where the derived output of a content lies, by the stages that made it. */
export class DerivedPaths {
  readonly #folder: string

  constructor(content: ContentStore, sha256: string) {
    this.#folder = content.folder(sha256)
  }

  parsed(parserId: string): string {
    return path.join(this.#folder, `parsed-${digestOf(parserId)}`)
  }

  chunks(parserId: string, chunkerId: string): string {
    return path.join(this.#folder, `chunks-${digestOf(parserId, chunkerId)}.jsonl`)
  }

  vectors(parserId: string, chunkerId: string, embedderId: string): string {
    return path.join(this.#folder, `vectors-${digestOf(parserId, chunkerId, embedderId)}.f32`)
  }

  /** Vectors of pieces of the text, by what they say: not tied to how it was parsed. */
  pieceVectors(embedderId: string): string {
    return path.join(this.#folder, `pieces-${digestOf(embedderId)}.i8`)
  }
}

/** Id of a chunk: the same content cut by the same stages has the same chunks everywhere. */
export function chunkId({ sha256, parserId, chunkerId }: Stages, ordinal: number): string {
  return `chunk_${digestOf(sha256, parserId, chunkerId, ordinal)}`
}
