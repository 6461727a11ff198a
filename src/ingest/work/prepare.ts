import { existsSync } from 'node:fs'
import { localizable, withMessage } from '../../errors/localizable.ts'
import { AppError, isModelFailure } from '../../errors.ts'
import { hashParts } from '../../system/digest.ts'
import { removeAbandoned } from '../../system/disk.ts'
import type { Foreground } from '../../system/foreground.ts'
import { getLast } from '../../system/items.ts'
import { TimeSlices } from '../../system/time-slices.ts'
import type { Chunker } from '../chunk/chunker.ts'
import type { PassageEmbedder } from '../embed/embedder.ts'
import type { Detect } from '../parse/detection/detection.ts'
import { buildMislabellingWarnings } from '../parse/detection/mislabelling.ts'
import type { ParseLimits } from '../parse/isolation/parse-limits.ts'
import {
  chooseParser,
  listParserIds,
  type OcrMode,
  type Parser,
  type Warning,
} from '../parse/parser.ts'
import { findRefusal, type Remedy } from '../parse/refused-formats.ts'
import { countItems, countPages } from '../parse/streams.ts'
import { TrigramLanguage } from '../parse/trigram-language.ts'
import type { DocumentSettings } from '../store/catalog/document.ts'
import type { RequestedDocument } from '../store/catalog/documents.ts'
import type { Stages, VersionReport } from '../store/catalog/versions.ts'
import type { ChunkedDocument, ChunkTotals } from '../store/contents/chunked.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { DerivedPaths } from '../store/contents/derived.ts'
import type { ParsedDocument, ParsedPlace } from '../store/contents/parsed.ts'
import type { ParsedReport } from '../store/contents/parsed-writer.ts'
import { createRows, type RowSource } from '../store/contents/stored-rows.ts'
import { StoredVectors } from '../store/contents/vectors.ts'
import { EmbeddingPace, embedChunks, embedNotes, MAX_EMBEDDING_MS } from './chunk-vectors.ts'
import type { DocumentModel, Prepared, PreparedAttachment, PrepareOptions } from './prepared.ts'

/** Mails in mails, so that nesting is bounded. */
const MAX_DEPTH = 5
/** Limited, so that an archive cannot flood the queue. */
const MAX_ATTACHMENTS = 1_000

type PrepareDeps = {
  readonly content: ContentStore
  readonly listParsers: (ocr?: OcrMode) => readonly Parser[]
  readonly detect: Detect
  readonly foreground: Foreground
  readonly limits: ParseLimits
  /** Counts at all depths, without those of `parentId` itself. */
  readonly countOtherAttachments: (rootId: string, parentId: string) => Promise<number>
  readonly findDigest: (stages: Stages) => Promise<string | undefined>
}

/** Stores each stage's output under its id, so that equal bytes are processed once. */
export class Preparer {
  readonly #deps: PrepareDeps
  readonly #trigrams = new TrigramLanguage()
  readonly #pace = new EmbeddingPace()
  readonly #last = new Map<string, Promise<void>>()

  constructor(deps: PrepareDeps) {
    this.#deps = deps
  }

  /** Changes whenever a parser does, so that unreadable bytes are tried again. */
  computeFailureKey(sha256: string, { ocr }: DocumentSettings): string {
    return hashParts(sha256, ...this.#deps.listParsers(ocr).map(parser => parser.id))
  }

  /** Changes whenever a parser or a limit does, so that a failed document is tried again. */
  computeAttemptKey({ sha256, settings }: Pick<RequestedDocument, 'sha256' | 'settings'>): string {
    return hashParts(this.computeFailureKey(sha256, settings), JSON.stringify(this.#deps.limits))
  }

  /**
   * Prepares documents with the same bytes one after another, so that output is reused. Words do
   * not wait for the vectors of another document.
   */
  async prepare(
    requested: RequestedDocument,
    chunker: Chunker,
    options: PrepareOptions,
  ): Promise<Prepared> {
    const key = `${requested.sha256} ${options.wordsSuffice ?? false}`
    const before = this.#last.get(key)
    const prepared = Promise.resolve(before).then(() => this.#prepare(requested, chunker, options))
    const ended = prepared.then(
      () => {},
      () => {},
    )
    this.#last.set(key, ended)
    try {
      return await prepared
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key)
    }
  }

  async #prepare(
    requested: RequestedDocument,
    chunker: Chunker,
    options: PrepareOptions,
  ): Promise<Prepared> {
    options.signal?.throwIfAborted()
    const { content, foreground } = this.#deps
    await foreground.yieldToRequests()
    await content.download(requested.sha256, 'all', options.signal)
    const paths = new DerivedPaths(content, requested.sha256)
    const { report, parsed } = await this.#parse(requested, paths, chunker.id, options)
    const { sha256 } = requested
    const embedderId = options.model?.id ?? ''
    const goal: Stages = { sha256, parserId: report.parserId, chunkerId: chunker.id, embedderId }
    const chunked = paths.openChunked(goal.parserId, goal.chunkerId, parsed)
    await foreground.yieldToRequests()
    const totals = await this.#chunk({ requested, chunked, parsed, report, chunker }, options)
    const embedded = await this.#prepareVectors(
      { requested, goal, chunked, parsed, totals, paths },
      options,
    )
    const stages = embedded ? goal : { ...goal, embedderId: '' }
    const { attachments, warnings } = await this.#prepareAttachments(
      { requested, report, parsed },
      options.signal,
    )
    await content.uploadDerived(requested.sha256, options.signal)
    const { chunks, tokens } = totals
    const digest =
      totals.digest ??
      (await this.#deps.findDigest(stages)) ??
      (await chunked.computeDigest(options.signal))
    const written = { name: requested.name, edits: requested.chunkEdits, total: chunks }
    const source = { ...written, chunked, parsed, vectors: undefined, ...embedded }
    const named = buildMislabellingWarnings(requested.name, report.mediaType)
    return {
      stages,
      goal,
      attachments,
      report: {
        ...toVersionReport(report),
        chunks,
        tokens,
        ...(digest && { digest }),
        warnings: [...named, ...report.warnings, ...warnings],
      },
      readRows: () => createRows({ stages, ...source }),
    }
  }

  async #parse(
    requested: RequestedDocument,
    paths: DerivedPaths,
    chunkerId: string,
    options: PrepareOptions,
  ) {
    const { signal, onProgress, password } = options
    const { detect, content } = this.#deps
    const original = content.getOriginalPath(requested.sha256)
    const { sha256, declaredType: declared } = requested
    const mediaType =
      requested.settings.mediaType ?? (await detect(original, requested.name, { sha256, declared }))
    const input = {
      path: original,
      name: requested.name,
      mediaType,
      ...(password !== undefined && { password }),
    }
    const parser = chooseParser(this.#deps.listParsers(requested.settings.ocr), input)
    const places = listParserIds(parser).map(parserId => ({
      parserId,
      parsed: paths.openParsed(parserId, chunkerId),
    }))
    const own = getLast(places) // a parser has one id, or two: without OCR first
    const settled = places.length > 1 ? places[0] : undefined
    const stored =
      (await findIntact(places)) ??
      (await this.#findOtherwiseChunked(requested.sha256, places, paths))
    const onPage = (done: number, total?: number) =>
      onProgress?.({
        documentId: requested.id,
        source: requested.source,
        stage: 'parse',
        done,
        ...(total && { total }),
      })
    const parse = (attachmentsFolder: string) =>
      countPages(parser.parse({ ...input, attachmentsFolder }, signal), onPage)
    const report = stored
      ? await stored.parsed.report()
      : await own.parsed.write({ ...own, mediaType, settled, trigrams: this.#trigrams }, parse)
    const place = places.find(({ parserId }) => parserId === report.parserId) ?? own
    const { parsed } = place
    if (report.characters > 0) return { parsed, report: { ...report, mediaType } } // stored with another document's type
    throw new AppError('no_text', localizable`There is no text in ${requested.name}.`)
  }

  async #findOtherwiseChunked(sha256: string, places: readonly ParsedPlace[], paths: DerivedPaths) {
    const names = paths.listNames()
    await removeAbandoned(this.#deps.content.getFolder(sha256), names)
    return places.find(({ parserId, parsed }) =>
      paths.findSingleFiles(parserId, names).some(file => parsed.take(file)),
    )
  }

  async #prepareAttachments(
    { requested, report, parsed }: AttachmentInput,
    signal: AbortSignal | undefined,
  ) {
    const { depth, id, rootId, name } = requested
    const attachments: PreparedAttachment[] = []
    const warnings: Warning[] = []
    if (report.attachments.length === 0) return { attachments, warnings }
    const others = await this.#deps.countOtherAttachments(rootId ?? id, id)
    const room = depth < MAX_DEPTH ? MAX_ATTACHMENTS - others : 0
    for (const [index, attachment] of report.attachments.entries()) {
      if (attachments.length >= room) {
        warnings.push(createExcessWarning(name, report.attachments.slice(index)))
        break
      }
      const path = parsed.getAttachmentPath(attachment)
      const refusal = await this.#findRefusal(path, attachment.name)
      if (refusal) {
        const message = localizable`${attachment.name}, attached to ${name}, has a format that cannot be read. ${refusal.message}`
        warnings.push(withMessage({ code: 'unsupported_format' }, message, refusal.advice))
        continue
      }
      await this.#deps.content.uploadOriginal(attachment.sha256, path, signal)
      attachments.push({ ...attachment, path })
    }
    return { attachments, warnings }
  }

  /** Accepts damaged and empty files: they become documents that report it. */
  async #findRefusal(path: string, name: string): Promise<Remedy | undefined> {
    const mediaType = await this.#deps.detect(path, name).catch(() => undefined)
    return mediaType === undefined ? undefined : findRefusal(mediaType, this.#deps.listParsers())
  }

  async #chunk(input: ChunkInput, { signal, onProgress }: PrepareOptions): Promise<ChunkTotals> {
    const { requested, chunked, parsed, report, chunker } = input
    const totals = chunked.exists ? await chunked.readTotals() : undefined
    if (totals) return totals
    const slices = this.#createTimeSlices(requested, report, signal)
    const chunks = chunker.chunks({
      title: report.title,
      blocks: parsed.readBlocks(signal),
      slices,
    })
    const counted = countItems(chunks, done =>
      onProgress?.({ documentId: requested.id, source: requested.source, stage: 'chunk', done }),
    )
    return await chunked.write(counted)
  }

  /** Limits chunking to the time that parsing has. */
  #createTimeSlices(
    { name }: RequestedDocument,
    { characters }: ParsedReport,
    signal?: AbortSignal,
  ): TimeSlices {
    const { foreground, limits } = this.#deps
    const limitMs = limits.timeMs + (limits.timePerMebibyteMs * characters * 2) / 2 ** 20
    const overrun = () =>
      new AppError(
        'timeout',
        localizable`Cutting ${name} into chunks took longer than ${Math.round(limitMs / 100) / 10} s of processor time and was stopped. Split the file, or raise the setting parsing.timeMs.`,
      )
    return new TimeSlices({
      signal,
      standBack: () => foreground.yieldToRequests(),
      budget: { limitMs, overrun },
    })
  }

  /** Returns undefined without vectors, or if keywords suffice and embedding would take long. */
  async #prepareVectors(input: EmbedInput, options: PrepareOptions): Promise<Embedded | undefined> {
    const { requested, goal, totals, paths } = input
    const { model, wordsSuffice = false } = options
    const file = paths.getVectorsPath(goal.parserId, goal.chunkerId, goal.embedderId)
    if (!model) return undefined
    const isSoon = wordsSuffice && this.#pace.isSoon(model.id, totals.chunks)
    if (wordsSuffice && !isSoon && !existsSync(file)) return undefined
    const embedder = await (wordsSuffice ? openIfAvailable(model) : model.open())
    if (!embedder) return undefined
    const vectors = new StoredVectors(file, embedder.dimensions, requested.id)
    if (!wordsSuffice) await this.#embed(input, { vectors, embedder }, options)
    else if (isSoon) await this.#embedSoon(input, { vectors, embedder }, options)
    if (!vectors.hasVectors(totals.chunks, embedder.canDivide(totals.longest))) return undefined
    try {
      const edits = requested.chunkEdits ?? []
      return { vectors, noteVectors: await embedNotes(edits, embedder, options.signal) }
    } catch (error) {
      if (wordsSuffice && isModelFailure(error)) return undefined
      throw error
    }
  }

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
    { requested, chunked, parsed, totals }: EmbedInput,
    { vectors, embedder }: EmbedInto,
    { signal, onProgress }: PrepareOptions,
  ): Promise<void> {
    const onDone = (done: number) =>
      onProgress?.({
        documentId: requested.id,
        source: requested.source,
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

function createExcessWarning(name: string, omitted: readonly { readonly name: string }[]): Warning {
  const [first, ...others] = omitted
  const limits = localizable`at most ${MAX_ATTACHMENTS} attachments are read, nested at most ${MAX_DEPTH} deep`
  const message =
    others.length === 0
      ? localizable`${first?.name}, attached to ${name}, was left out: ${limits}.`
      : localizable`${first?.name} and ${others.length} more attachments of ${name} were left out: ${limits}.`
  return withMessage({ code: 'too_large' }, message)
}

async function openIfAvailable({ open }: DocumentModel): Promise<PassageEmbedder | undefined> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof AppError && error.code !== 'cancelled') return undefined
    throw error
  }
}

type ChunkInput = {
  readonly requested: RequestedDocument
  readonly chunked: ChunkedDocument
  readonly parsed: ParsedDocument
  readonly report: ParsedReport
  readonly chunker: Chunker
}

type AttachmentInput = Pick<ChunkInput, 'requested' | 'report' | 'parsed'>

type Embedded = Required<Pick<RowSource, 'vectors' | 'noteVectors'>>

type EmbedInto = { readonly vectors: StoredVectors; readonly embedder: PassageEmbedder }

type EmbedInput = Pick<ChunkInput, 'requested' | 'chunked' | 'parsed'> & {
  readonly goal: Stages
  readonly totals: ChunkTotals
  readonly paths: DerivedPaths
}

/** Removes output that a power cut damaged, so that it is made again. */
async function findIntact(places: readonly ParsedPlace[]): Promise<ParsedPlace | undefined> {
  for (const place of places) {
    while (place.parsed.exists) {
      if (await place.parsed.isIntact()) return place
      await place.parsed.discard()
    }
  }
  return undefined
}

function toVersionReport(report: ParsedReport): Omit<VersionReport, 'chunks' | 'tokens'> {
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
