import type { Embedder } from '../../ingest/embedder.ts'
import { RecentVectors } from './recent-vectors.ts'
import { rounded, VectorFile } from './vector-file.ts'

/** Files of vectors that are held in memory, together: about 150,000 sentences of the shipped model. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024

/** Single words whose vectors are kept: those of some ten questions, 3 MiB of the shipped model. */
const MAX_WORDS = 2048

/** A sentence, or any other piece, of a document; a single word of no document, which is in too many to be kept with one. */
export type Sentence = { readonly documentId?: string; readonly text: string }

type Kept = Pick<VectorFile, 'get' | 'add'>

/**
 * Vectors of pieces of documents, worked out when somebody first asks for them and kept with the document's content,
 * so that they go when it goes. What a question needs of documents that were asked about before costs no embedding.
 * Words are kept in memory only, so that they do not fill the files of sentences.
 */
export class SentenceVectors {
  readonly #embedder: Embedder
  readonly #fileOf: (documentId: string) => string | undefined
  /** By path, least recently used first. */
  readonly #files = new Map<string, Promise<VectorFile>>()
  readonly #words = new RecentVectors(MAX_WORDS)

  /** `fileOf` says where the vectors of a document's pieces lie; undefined when it is gone. */
  constructor(embedder: Embedder, fileOf: (documentId: string) => string | undefined) {
    this.#embedder = embedder
    this.#fileOf = fileOf
  }

  /** One vector a sentence, in order, as of the embedder's role `passage`. */
  async of(sentences: readonly Sentence[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    const files = await this.#open(new Set(sentences.flatMap(({ documentId }) => documentId ?? [])))
    const found = sentences.map(({ documentId, text }) => files.get(documentId)?.get(text))
    const missing = [...new Set(sentences.filter((_, index) => !found[index]).map(sentence => sentence.text))]
    const embedded = missing.length > 0 ? await this.#embedder.embed(missing, 'passage', signal) : []
    const made = new Map(missing.map((text, index) => [text, rounded(embedded[index]!)])) // one vector a text
    for (const [documentId, file] of files) {
      const own = sentences.filter(sentence => sentence.documentId === documentId && made.has(sentence.text))
      await file.add(new Map(own.map(({ text }) => [text, made.get(text)!]))) // just asked whether it has
    }
    return sentences.map(({ text }, index) => found[index] ?? made.get(text)!) // what was not found was made
  }

  async #open(documentIds: ReadonlySet<string>): Promise<ReadonlyMap<string | undefined, Kept>> {
    const open = [...documentIds].map(async id => {
      const path = this.#fileOf(id)
      return path === undefined ? [] : [[id, await this.#load(path)] as const]
    })
    const files = (await Promise.all(open)).flat()
    await this.#shrink()
    return new Map<string | undefined, Kept>([[undefined, this.#words], ...files])
  }

  #load(path: string): Promise<VectorFile> {
    const file = this.#files.get(path) ?? VectorFile.load(path, this.#embedder.dimensions)
    this.#files.delete(path)
    this.#files.set(path, file)
    file.catch(() => this.#files.delete(path))
    return file
  }

  /** What was used longest ago goes first; who still works with it keeps it that long. */
  async #shrink(): Promise<void> {
    const loaded = await Promise.all(
      [...this.#files].map(async ([path, file]) => [path, (await file).sizeBytes] as const),
    )
    let sizeBytes = loaded.reduce((sum, [, bytes]) => sum + bytes, 0)
    for (const [path, bytes] of loaded) {
      if (sizeBytes <= MAX_MEMORY_BYTES) return
      this.#files.delete(path)
      sizeBytes -= bytes
    }
  }
}
