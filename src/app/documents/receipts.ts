import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AgentResult } from '../../agent/event.ts'
import type { Citation } from '../../answer/citations/citation.ts'
import { removeMarkers, splitMarkedSentences } from '../../answer/citations/marked-sentences.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError, toFailure, toStoreMessage } from '../../errors.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { ReceiptKeys } from '../../ingest/store/catalog/receipt-keys.ts'
import type { Library } from '../../ingest/store/library.ts'
import { isDrawable } from '../../ingest/store/page-pictures.ts'
import type { ReceiptJson } from '../../wire/receipt.ts'
import { readPackageVersion } from '../version.ts'
import type { Pages } from './pages.ts'

/** A finished answer; `at` is its time in Unix milliseconds. */
type ProvenAnswer = Pick<
  AgentResult,
  'question' | 'text' | 'abstained' | 'mode' | 'citations' | 'unsupported' | 'unconfirmed'
> & { readonly at: number }

/** Keeps a receipt below some 2 MB. */
const MAX_PICTURES = 8
const PICTURE_PIXELS = 800

/** UTF-16 units per read of a text; protects memory. */
const READ_CHARS = 1024 * 1024

type ReceiptsDeps = {
  readonly keys: ReceiptKeys
  readonly library: Library
  readonly pages: Pages
}

type Quoted = { readonly document: Document; readonly citations: readonly Citation[] }

export class Receipts {
  readonly #deps: ReceiptsDeps

  constructor(deps: ReceiptsDeps) {
    this.#deps = deps
  }

  async getKey(): Promise<string> {
    return (await this.#deps.keys.open()).key
  }

  /**
   * Returns the bytes of a file whose head and tail `verify.html` reads by position. Throws
   * `conflict` if a quotation is no longer in its document.
   */
  async sign(answer: ProvenAnswer, signal?: AbortSignal): Promise<string> {
    const { key, sign } = await this.#deps.keys.open()
    const quoted = await this.#readQuoted(answer.citations)
    const documents = []
    for (const source of quoted) documents.push(await this.#describe(source, signal))
    const receipt: ReceiptJson = {
      format: 'passim-receipt@1',
      key,
      program: `passim ${readPackageVersion()}`,
      signedAt: new Date().toISOString(),
      answeredAt: new Date(answer.at).toISOString(),
      question: answer.question,
      answer: answer.text,
      mode: answer.mode,
      outcome: answer.abstained ? 'refused' : 'answered',
      sentences: answer.abstained ? [] : judgeSentences(answer),
      quotations: answer.citations.map(toQuotation),
      documents,
      ...(await this.#draw(quoted, signal)),
    }
    const body = JSON.stringify(receipt)
    return `{"receipt":${body},"signature":"${sign(Buffer.from(body))}"}\n`
  }

  async #readQuoted(citations: readonly Citation[]): Promise<readonly Quoted[]> {
    const byDocument = new Map<string, Citation[]>()
    for (const citation of citations) {
      const { documentId } = citation
      byDocument.set(documentId, [...(byDocument.get(documentId) ?? []), citation])
    }
    const quoted: Quoted[] = []
    for (const [id, own] of byDocument) {
      const document = await this.#deps.library.find(id)
      if (!document) throw createGone(own)
      quoted.push({ document, citations: own })
    }
    return quoted
  }

  /** Hashes the text in which it finds the quotations; throws if it is replaced meanwhile. */
  async #describe(
    { document, citations }: Quoted,
    signal?: AbortSignal,
  ): Promise<ReceiptJson['documents'][number]> {
    const { library } = this.#deps
    const { id, name, mediaType, bytes, hash } = document
    const version = String(await library.listVersions([id]))
    if (version === '') throw createGone(citations)
    for (const { charStart, charEnd, text } of citations)
      if ((await library.read(id, charStart, charEnd)) !== text) throw createGone(citations)
    const { characters, parserId } = await library.report(id)
    const digest = createHash('sha256')
    for (let start = 0; start < characters; start += READ_CHARS) {
      signal?.throwIfAborted()
      digest.update(await library.read(id, start, start + READ_CHARS), 'utf16le')
    }
    if (String(await library.listVersions([id])) !== version) throw createGone(citations)
    const source = citations[0]?.source ?? document.source
    const textSha256 = digest.digest('hex')
    return {
      id,
      name,
      source,
      mediaType,
      bytes,
      sha256: hash,
      parser: parserId,
      characters,
      textSha256,
    }
  }

  async #draw(
    quoted: readonly Quoted[],
    signal?: AbortSignal,
  ): Promise<Pick<ReceiptJson, 'pictures' | 'undrawn'>> {
    const pictures = []
    const undrawn = []
    for (const { document, page, boxes } of quoted.flatMap(listPages).slice(0, MAX_PICTURES)) {
      const { id: documentId } = document
      try {
        const { size } = await this.#deps.pages.read(document, page, signal)
        const file = await this.#deps.pages.drawPicture(document, page, PICTURE_PIXELS, signal)
        const png = (await readFile(file)).toString('base64')
        if (size) pictures.push({ documentId, page, ...size, boxes, png })
      } catch (error) {
        signal?.throwIfAborted()
        const failure = toFailure(error) // such as a PDF that needs a password
        undrawn.push({ documentId, page, reason: toStoreMessage(failure) ?? failure.message })
      }
    }
    return { pictures, undrawn }
  }
}

function listPages({ document, citations }: Quoted) {
  if (!isDrawable(document.mediaType)) return []
  const placed = citations.flatMap(citation => citation.boxes ?? [])
  return [...new Set(placed.map(({ page }) => page))].map(page => {
    const boxes = placed.filter(box => box.page === page).map(({ box }) => box)
    return { document, page, boxes }
  })
}

function toQuotation(citation: Citation): ReceiptJson['quotations'][number] {
  const { marker, documentId, page, boxes, charStart, charEnd, text, support } = citation
  return {
    marker,
    documentId,
    charStart,
    charEnd,
    text,
    support,
    ...(page !== undefined && { page }),
    ...(boxes && { boxes }),
  }
}

function judgeSentences(answer: ProvenAnswer): ReceiptJson['sentences'] {
  const { text, citations, unsupported, unconfirmed = [] } = answer
  const isSource = (id: number) => citations.some(({ marker }) => marker === id)
  return splitMarkedSentences(text, isSource, []).map(sentence => {
    const claim = removeMarkers(sentence)
    const markers = [...new Set(sentence.markers.map(({ id }) => id))]
    const cited = citations.filter(({ marker }) => markers.includes(marker))
    const isQuoted = claim !== '' && citations.some(citation => citation.text.includes(claim))
    const isStated = isQuoted || cited.some(({ support }) => support === 'stated')
    const getStatus = () => {
      if (unconfirmed.includes(claim)) return 'not-confirmed'
      if (unsupported.includes(claim)) return 'unsupported'
      if (isStated) return 'stated'
      return cited.length > 0 ? 'not-confirmed' : 'uncited'
    }
    return { text: claim, markers, status: getStatus() }
  })
}

function createGone([citation]: readonly Citation[]): AppError {
  const name = citation?.doc ?? ''
  return new AppError(
    'conflict',
    localizable`${name} was changed or deleted after this answer, which can no longer be proven. Ask again.`,
  )
}
