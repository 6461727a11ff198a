import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Chunk } from './chunker.ts'
import { temporaryName } from './disk.ts'
import { readRecords } from './parsed.ts'

/** Records written at a time. */
const BATCH = 256

/** The chunks of one document on disk, a JSON record each, their texts left in the parsed text. */
export class ChunkedDocument {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  get exists(): boolean {
    return existsSync(this.#path)
  }

  chunks(): AsyncIterable<Chunk> {
    return readRecords<Chunk>(this.#path)
  }

  /** Store chunks as they come; all of them or, after a crash, none. Gives their number and tokens. */
  async write(chunks: AsyncIterable<Chunk & { readonly text: string }>): Promise<{ chunks: number; tokens: number }> {
    const temporary = temporaryName(this.#path)
    const file = await open(temporary, 'w')
    let lines: string[] = []
    const totals = { chunks: 0, tokens: 0 }
    try {
      for await (const { text: _, ...chunk } of chunks) {
        lines.push(`${JSON.stringify(chunk)}\n`)
        totals.chunks++
        totals.tokens += chunk.tokens
        if (lines.length < BATCH) continue
        await file.appendFile(lines.join(''))
        lines = []
      }
      await file.appendFile(lines.join(''))
      await rename(temporary, this.#path)
      return totals
    } finally {
      await file.close()
      await rm(temporary, { force: true })
    }
  }
}
