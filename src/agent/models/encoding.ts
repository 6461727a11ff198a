import type { Tiktoken } from 'tiktoken/lite'
import { Turns } from '../../ingest/turns.ts'
import { openVocabulary, type VocabularyName } from './openai-vocabulary.ts'
import { type TextPiece, textPieces } from './text-pieces.ts'

/** What is asked of a vocabulary; `head` and `tail` are the longest beginning and end of at most so many tokens. */
export type EncodingRequest = { readonly vocabulary: VocabularyName } & (
  | { readonly kind: 'count'; readonly text: string }
  | { readonly kind: 'head' | 'tail'; readonly text: string; readonly maxTokens: number }
  | { readonly kind: 'text'; readonly ids: readonly number[] }
)

/** One of OpenAI's vocabularies at work: texts of any length, in turns with whatever else is asked meanwhile. Loaded (0.2 s) when made. */
export class Encoding {
  readonly #vocabulary: Tiktoken

  constructor(name: VocabularyName) {
    this.#vocabulary = openVocabulary(name)
  }

  async answer(request: EncodingRequest, signal: AbortSignal): Promise<number | string> {
    switch (request.kind) {
      case 'count':
        return await this.#count(request.text, signal)
      case 'head':
        return await this.#head(request.text, request.maxTokens, signal)
      case 'tail':
        return await this.#tail(request.text, request.maxTokens, signal)
      case 'text':
        return new TextDecoder().decode(this.#vocabulary.decode(Uint32Array.from(request.ids)))
    }
  }

  async #count(text: string, signal: AbortSignal): Promise<number> {
    let count = 0
    for await (const { ids } of this.#encoded(textPieces(text), signal)) count += ids.length
    return count
  }

  async #head(text: string, maxTokens: number, signal: AbortSignal): Promise<string> {
    let room = maxTokens
    let end = 0
    for await (const { ids, piece } of this.#encoded(textPieces(text), signal)) {
      if (ids.length > room) return text.slice(0, end) + this.#whole(ids.subarray(0, room))
      room -= ids.length
      end = piece.end
    }
    return text
  }

  async #tail(text: string, maxTokens: number, signal: AbortSignal): Promise<string> {
    let room = maxTokens
    let start = text.length
    for await (const { ids, piece } of this.#encoded([...textPieces(text)].reverse(), signal)) {
      if (ids.length > room) return this.#whole(ids.subarray(ids.length - room)) + text.slice(start)
      room -= ids.length
      start = piece.start
    }
    return text
  }

  async *#encoded(pieces: Iterable<TextPiece>, signal: AbortSignal) {
    const turns = new Turns({ signal })
    for (const piece of pieces) {
      if (turns.isOver) await turns.next()
      yield { piece, ids: this.#vocabulary.encode(piece.text, [], []) } // text that looks like a control token is text
    }
  }

  /** A token may be half a character: what is cut through is left out. */
  #whole(ids: Uint32Array): string {
    return new TextDecoder().decode(this.#vocabulary.decode(ids)).replace(/^\uFFFD+|\uFFFD+$/g, '')
  }
}
