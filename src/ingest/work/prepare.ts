import { existsSync } from 'node:fs'
import { AppError, type ErrorCode } from '../../errors.ts'
import { digestOf } from '../../system/digest.ts'
import { removeAbandoned } from '../../system/disk.ts'
import type { Foreground } from '../../system/foreground.ts'
import { Turns } from '../../system/turns.ts'
import type { Chunker } from '../chunk/chunker.ts'
import type { PassageEmbedder } from '../embed/embedder.ts'
import type { Detect } from '../parse/detection/detection.ts'
import { mislabelling } from '../parse/detection/mislabelling.ts'
import type { ParseLimits } from '../parse/isolation/parse-limits.ts'
import {
  chooseParser,
  type OcrMode,
  type Parser,
  parserIds,
  type Warning,
} from '../parse/parser.ts'
import { countItems, countPages } from '../parse/streams.ts'
import { TrigramLanguage } from '../parse/trigram-language.ts'
import type { DocumentSettings, WantedDocument } from '../store/catalog/documents.ts'
import type { Stages, VersionReport } from '../store/catalog/versions.ts'
import type { ChunkedDocument, ChunkTotals } from '../store/contents/chunked.ts'
import type { ContentStore } from '../store/contents/content.ts'
import type { ParsedDocument, ParsedPlace } from '../store/contents/parsed.ts'
import type { ParsedReport } from '../store/contents/parsed-writer.ts'
import { DerivedPaths } from '../store/contents/stages.ts'
import { rowsOf } from '../store/contents/stored-rows.ts'
import { StoredVectors } from '../store/contents/vectors.ts'
import { EmbeddingPace, embedChunks, MAX_EMBEDDING_MS } from './chunk-vectors.ts'
import type { DocumentModel, Prepared, PreparedAttachment, PrepareOptions } from './prepared.ts'

type Refusal = { readonly code: ErrorCode; readonly reason: string }

/** Mails in mails in mails. */
const MAX_DEPTH = 5
/** Of one document, with everything in it. */
const MAX_ATTACHMENTS = 1_000
const TOO_MANY: Refusal = {
  code: 'too_large',
  reason: `was left out: at most ${MAX_ATTACHMENTS} attachments are read, nested at most ${MAX_DEPTH} deep.`,
}

type PrepareParts = {
  readonly content: ContentStore
  readonly parsersFor: (ocr?: OcrMode) => readonly Parser[]
  readonly detect: Detect
  readonly foreground: Foreground
  readonly limits: ParseLimits
  readonly countAttachments: (rootId: string) => Promise<number>
  /** Of stored chunks, as they were made. */
  readonly digestOf: (stages: Stages) => Promise<string | undefined>
}

/**
 * Takes a document through parsing, chunking and embedding, or through the first two where words suffice. Each stage's output is kept beside the content under the
 * stage's id, so what was done before, for this document or another with the same bytes, is not done again.
 */
export class Preparer {
  readonly #parts: PrepareParts
  readonly #trigrams = new TrigramLanguage()
  readonly #pace = new EmbeddingPace()
  /** The end of the latest preparation of each content under way. */
  readonly #last = new Map<string, Promise<void>>()

  constructor(parts: PrepareParts) {
    this.#parts = parts
  }

  /** Changes when another attempt at bytes that cannot be read might end otherwise: with any of the parsers. */
  failureKey(sha256: string, { ocr }: DocumentSettings): string {
    return digestOf(sha256, ...this.#parts.parsersFor(ocr).map(parser => parser.id))
  }

  /** Changes when another attempt at a document that was given up might end otherwise: also with other limits. */
  attemptKey({ sha256, settings }: Pick<WantedDocument, 'sha256' | 'settings'>): string {
    return digestOf(this.failureKey(sha256, settings), JSON.stringify(this.#parts.limits))
  }

  /** Documents with the same bytes go one after another, so that the second finds the work of the first done. */
  async prepare(
    wanted: WantedDocument,
    chunker: Chunker,
    options: PrepareOptions,
  ): Promise<Prepared> {
    const before = this.#last.get(wanted.sha256)
    const prepared = Promise.resolve(before).then(() => this.#prepare(wanted, chunker, options))
    const ended = prepared.then(
      () => {},
      () => {},
    )
    this.#last.set(wanted.sha256, ended)
    try {
      return await prepared
    } finally {
      if (this.#last.get(wanted.sha256) === ended) this.#last.delete(wanted.sha256)
    }
  }

  async #prepare(
    wanted: WantedDocument,
    chunker: Chunker,
    options: PrepareOptions,
  ): Promise<Prepared> {
    options.signal?.throwIfAborted()
    const { content, foreground } = this.#parts
    await foreground.standBack()
    await content.bring(wanted.sha256, 'all', options.signal)
    const paths = new DerivedPaths(content, wanted.sha256)
    const { report, parsed } = await this.#parse(wanted, paths, chunker.id, options)
    const { sha256 } = wanted
    const embedderId = options.model?.id ?? ''
    const goal: Stages = { sha256, parserId: report.parserId, chunkerId: chunker.id, embedderId }
    const chunked = paths.chunked(goal.parserId, goal.chunkerId, parsed)
    await foreground.standBack()
    const totals = await this.#chunk({ wanted, chunked, parsed, report, chunker }, options)
    const vectors = await this.#vectors({ wanted, goal, chunked, parsed, totals, paths }, options)
    const stages = vectors ? goal : { ...goal, embedderId: '' }
    const { attachments, warnings } = await this.#attachments(
      { wanted, report, parsed },
      options.signal,
    )
    await content.save(wanted.sha256, options.signal)
    const { chunks, tokens } = totals
    const digest =
      totals.digest ??
      (await this.#parts.digestOf(stages)) ??
      (await chunked.digest(options.signal))
    const named = mislabelling(wanted.name, report.mediaType)
    return {
      stages,
      goal,
      attachments,
      report: {
        ...{ ...versionReport(report), chunks, tokens, ...(digest && { digest }) },
        warnings: [...named, ...report.warnings, ...warnings],
      },
      rows: () => rowsOf({ stages, name: wanted.name, chunked, parsed, vectors, total: chunks }),
    }
  }

  async #parse(
    wanted: WantedDocument,
    paths: DerivedPaths,
    chunkerId: string,
    options: PrepareOptions,
  ) {
    const { signal, onProgress, password } = options
    const { detect, content } = this.#parts
    const original = content.original(wanted.sha256)
    const { sha256, declaredType: declared } = wanted
    const mediaType =
      wanted.settings.mediaType ?? (await detect(original, wanted.name, { sha256, declared }))
    const input = {
      path: original,
      name: wanted.name,
      mediaType,
      ...(password !== undefined && { password }),
    }
    const parser = chooseParser(this.#parts.parsersFor(wanted.settings.ocr), input)
    const places = parserIds(parser).map(parserId => ({
      parserId,
      parsed: paths.parsed(parserId, chunkerId),
    }))
    const [own, settled] = [places.at(-1)!, places.length > 1 ? places[0] : undefined] // a parser has an id or two
    const known =
      (await intactOf(places)) ?? (await this.#cutOtherwise(wanted.sha256, places, paths))
    const onPage = (done: number, total?: number) =>
      onProgress?.({
        documentId: wanted.id,
        source: wanted.source,
        stage: 'parse',
        done,
        ...(total && { total }),
      })
    const parse = (attachmentsFolder: string) =>
      countPages(parser.parse({ ...input, attachmentsFolder }, signal), onPage)
    const report = known
      ? await known.parsed.report()
      : await own.parsed.write({ ...own, mediaType, settled, trigrams: this.#trigrams }, parse)
    const { parsed } = places.find(({ parserId }) => parserId === report.parserId)!
    if (report.characters > 0) return { parsed, report: { ...report, mediaType } } // another document may have been the first
    throw new AppError('no_text', `There is no text in ${wanted.name}.`)
  }

  /** A place whose text another chunker left; nothing is left there of processes that were killed. */
  async #cutOtherwise(sha256: string, places: readonly ParsedPlace[], paths: DerivedPaths) {
    const names = paths.names()
    await removeAbandoned(this.#parts.content.folder(sha256), names)
    return places.find(({ parserId, parsed }) =>
      paths.wholeFiles(parserId, names).some(file => parsed.take(file)),
    )
  }

  /** Those that can be read and are not too many; what is left out is a warning. */
  async #attachments({ wanted, report, parsed }: AttachmentInput, signal: AbortSignal | undefined) {
    const { depth, id, rootId, name } = wanted
    const attachments: PreparedAttachment[] = []
    const warnings: Warning[] = []
    if (report.attachments.length === 0) return { attachments, warnings }
    const room =
      depth < MAX_DEPTH ? MAX_ATTACHMENTS - (await this.#parts.countAttachments(rootId ?? id)) : 0
    for (const attachment of report.attachments) {
      const path = parsed.attachment(attachment)
      const refusal =
        attachments.length < room ? await this.#refusal(path, attachment.name) : TOO_MANY
      if (!refusal) await this.#parts.content.put(attachment.sha256, path, signal)
      if (!refusal) attachments.push({ ...attachment, path })
      else
        warnings.push({
          code: refusal.code,
          message: `${attachment.name}, attached to ${name}, ${refusal.reason}`,
        })
    }
    return { attachments, warnings }
  }

  /** What is damaged or empty is a document all the same, and says so itself. */
  async #refusal(path: string, name: string): Promise<Refusal | undefined> {
    const mediaType = await this.#parts.detect(path, name).catch(() => undefined)
    const isReadable =
      !mediaType || this.#parts.parsersFor().some(parser => parser.mediaTypes.includes(mediaType))
    return isReadable
      ? undefined
      : { code: 'unsupported_format', reason: `is of no format that can be read.` }
  }

  async #chunk(input: ChunkInput, { signal, onProgress }: PrepareOptions): Promise<ChunkTotals> {
    const { wanted, chunked, parsed, report, chunker } = input
    const totals = chunked.exists ? await chunked.totals() : undefined
    if (totals) return totals
    const turns = this.#turns(wanted, report, signal)
    const chunks = chunker.chunks({ title: report.title, blocks: parsed.blocks(signal), turns })
    const counted = countItems(chunks, done =>
      onProgress?.({ documentId: wanted.id, source: wanted.source, stage: 'chunk', done }),
    )
    return await chunked.write(counted)
  }

  /** Chunking has as much time as parsing has, for the text. */
  #turns({ name }: WantedDocument, { characters }: ParsedReport, signal?: AbortSignal): Turns {
    const { foreground, limits } = this.#parts
    const limitMs = limits.timeMs + (limits.timePerMebibyteMs * characters * 2) / 2 ** 20
    const overrun = () =>
      new AppError(
        'timeout',
        `Cutting ${name} into chunks took longer than ${Math.round(limitMs / 100) / 10} s of processor time and was stopped. ` +
          'Split the file, or raise the setting parsing.timeMs.',
      )
    return new Turns({
      signal,
      standBack: () => foreground.standBack(),
      budget: { limitMs, overrun },
    })
  }

  /** Undefined where none are wanted, or words suffice and some are missing that would not be there soon. */
  async #vectors(input: EmbedInput, options: PrepareOptions): Promise<StoredVectors | undefined> {
    const { wanted, goal, totals, paths } = input
    const { model, wordsSuffice = false } = options
    const file = paths.vectors(goal.parserId, goal.chunkerId, goal.embedderId)
    if (!model) return undefined
    const isSoon = wordsSuffice && this.#pace.isSoon(model.id, totals.chunks)
    if (wordsSuffice && !isSoon && !existsSync(file)) return undefined
    const embedder = await (wordsSuffice ? unlessUnavailable(model) : model.open())
    if (!embedder) return undefined
    const vectors = new StoredVectors(file, embedder.dimensions, wanted.id)
    if (!wordsSuffice) await this.#embed(input, { vectors, embedder }, options)
    else if (isSoon) await this.#embedSoon(input, { vectors, embedder }, options)
    return vectors.holds(totals.chunks, embedder.mayDivide(totals.longest)) ? vectors : undefined
  }

  /** Where it takes too long or fails, the document is published by its words, and embedded after that. */
  async #embedSoon(input: EmbedInput, into: EmbedInto, options: PrepareOptions): Promise<void> {
    const { signal } = options
    const late = AbortSignal.timeout(MAX_EMBEDDING_MS)
    try {
      await this.#embed(input, into, {
        ...options,
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
    } catch (error) {
      signal?.throwIfAborted()
      if (error !== late.reason && !(error instanceof AppError)) throw error
      this.#pace.forget(into.embedder.id)
    }
  }

  async #embed(
    { wanted, chunked, parsed, totals }: EmbedInput,
    { vectors, embedder }: EmbedInto,
    { signal, onProgress }: PrepareOptions,
  ): Promise<void> {
    const onDone = (done: number) =>
      onProgress?.({
        documentId: wanted.id,
        source: wanted.source,
        stage: 'embed',
        done,
        total: totals.chunks,
      })
    await embedChunks({ chunked, parsed, vectors, totals }, embedder, {
      signal,
      onDone,
      pace: this.#pace,
    })
  }
}

/** A model that cannot be opened now is told of by what has to embed with it. */
async function unlessUnavailable({ open }: DocumentModel): Promise<PassageEmbedder | undefined> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof AppError && error.code !== 'cancelled') return undefined
    throw error
  }
}

type ChunkInput = {
  readonly wanted: WantedDocument
  readonly chunked: ChunkedDocument
  readonly parsed: ParsedDocument
  readonly report: ParsedReport
  readonly chunker: Chunker
}

type AttachmentInput = Pick<ChunkInput, 'wanted' | 'report' | 'parsed'>

type EmbedInto = { readonly vectors: StoredVectors; readonly embedder: PassageEmbedder }

type EmbedInput = Pick<ChunkInput, 'wanted' | 'chunked' | 'parsed'> & {
  readonly goal: Stages
  readonly totals: ChunkTotals
  readonly paths: DerivedPaths
}

/** The first that is there. What a power cut left of one is removed, and nothing else, so that it is made again. */
async function intactOf(places: readonly ParsedPlace[]): Promise<ParsedPlace | undefined> {
  for (const place of places) {
    while (place.parsed.exists) {
      if (await place.parsed.isIntact()) return place
      await place.parsed.discard()
    }
  }
  return undefined
}

function versionReport(report: ParsedReport): Omit<VersionReport, 'chunks' | 'tokens'> {
  const pages = report.metadata.pages ?? (report.pages.length || undefined)
  return {
    title: report.title,
    mediaType: report.mediaType,
    ...(pages !== undefined && { pages }),
    characters: report.characters,
    metadata: report.metadata,
    warnings: report.warnings,
    indexedAt: Date.now(),
  }
}
