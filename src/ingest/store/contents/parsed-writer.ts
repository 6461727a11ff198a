import { createHash } from 'node:crypto'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { packWarnings } from '../../../errors/localizable.ts'
import { hashFile } from '../../../system/digest.ts'
import { reserveSpace, syncFile } from '../../../system/disk.ts'
import { BLOCK_SEPARATOR, type Block, type PlacedBlock } from '../../block.ts'
import { divideBlock } from '../../parse/bounded-blocks.ts'
import { DocumentLanguage } from '../../parse/document-language.ts'
import { ListingMarker } from '../../parse/listings.ts'
import type { Attachment, Metadata, PageReport, ParserEvent, Warning } from '../../parse/parser.ts'
import type { TrigramLanguage } from '../../parse/trigram-language.ts'

export const PARSED = {
  text: 'text.u16',
  blocks: 'blocks.jsonl',
  report: 'report.json',
  attachments: 'attachments',
}

export type ParsedReport = {
  readonly parserId: string
  readonly mediaType: string
  readonly title: string
  readonly metadata: Metadata
  readonly pages: readonly PageReport[]
  readonly warnings: readonly Warning[]
  readonly attachments: readonly StoredAttachment[]
  readonly characters: number
  readonly blocks: number
  /** Absent if the records are in the file of a small document. */
  readonly blocksSha256?: string
}

export type StoredAttachment = Attachment & { readonly sha256: string; readonly bytes: number }

export type BlockRecord = Omit<PlacedBlock, 'text'>

type InMemoryDocument = { readonly text: string; readonly blocks: readonly BlockRecord[] }

type Consumed = Omit<ParsedReport, 'parserId'> & { readonly usesOcr: boolean }

/** Bounded, so that a damaged file does not fill the report. */
const MAX_WARNINGS = 1_000

/** Length of a title or name, so that metadata stays small. */
const MAX_FACT_CHARS = 1_000

/** Protects memory from large documents. */
const BUFFER_CHARS = 256 * 1024

export class ParsedWriter {
  readonly #folder: string
  readonly #attachmentsFolder: string
  #files: { readonly text: FileHandle; readonly records: FileHandle } | undefined
  #texts: string[] = []
  #records: BlockRecord[] = []
  #pendingChars = 0
  #length = 0
  #blocks = 0
  readonly #blocksHash = createHash('sha256')
  #firstHeading = ''
  readonly #language: DocumentLanguage
  readonly #listings = new ListingMarker()

  /**
   * Creates the folder with the first write, unless the folder above was removed. Moves
   * attachments at the end.
   */
  constructor(folder: string, attachmentsFolder: string, trigrams: TrigramLanguage) {
    this.#language = new DocumentLanguage(trigrams)
    this.#folder = folder
    this.#attachmentsFolder = attachmentsFolder
  }

  async consume(mediaType: string, events: AsyncIterable<ParserEvent>): Promise<Consumed> {
    const pages: PageReport[] = []
    const warnings: Warning[] = []
    const attachments: StoredAttachment[] = []
    let metadata: Metadata = {}
    let usesOcr = false
    for await (const event of events) {
      if (event.type === 'block') await this.#appendParts(event.block)
      else if (event.type === 'page') pages.push(event.report)
      else if (event.type === 'metadata') metadata = { ...metadata, ...event.metadata }
      else if (event.type === 'attachment') attachments.push(await this.#attach(event.attachment))
      else if (event.type === 'ocr') usesOcr = true
      else if (warnings.length < MAX_WARNINGS) warnings.push(event.warning)
    }
    for (const block of this.#listings.end()) await this.#append(block)
    const described = this.#describe(metadata)
    return {
      usesOcr,
      mediaType,
      title: described.title || this.#firstHeading.slice(0, MAX_FACT_CHARS),
      metadata: described,
      pages,
      warnings,
      attachments,
      characters: this.#length,
      blocks: this.#blocks,
    }
  }

  #describe(metadata: Metadata): Metadata {
    const language = this.#language.tag(metadata.language)
    return { ...clipMetadata(metadata), ...(language && { language }) }
  }

  async finish(report: ParsedReport): Promise<InMemoryDocument | undefined> {
    const isSmall = !this.#files && report.attachments.length === 0 && report.characters > 0
    if (isSmall) return { text: this.#texts.join(''), blocks: this.#records }
    const isLarge = this.#files !== undefined
    await this.#flush()
    if (isLarge) await this.#files?.text.datasync()
    if (report.attachments.length > 0)
      renameSync(this.#attachmentsFolder, path.join(this.#folder, PARSED.attachments))
    const written: ParsedReport = { ...report, blocksSha256: this.#blocksHash.digest('hex') }
    writeFileSync(path.join(this.#folder, PARSED.report), JSON.stringify(packWarnings(written)))
    return undefined
  }

  async close(): Promise<void> {
    if (existsSync(this.#attachmentsFolder))
      await rm(this.#attachmentsFolder, { recursive: true, force: true })
    await Promise.all([this.#files?.text.close(), this.#files?.records.close()])
  }

  async #appendParts(block: Block): Promise<void> {
    for (const part of divideBlock(block)) {
      for (const marked of this.#listings.add(part)) await this.#append(marked)
    }
  }

  async #append({ text, linkShare: _, ...rest }: Block): Promise<void> {
    if (this.#blocks > 0) this.#push(BLOCK_SEPARATOR)
    const charStart = this.#length
    this.#push(text)
    this.#blocks++
    this.#language.add({ kind: rest.kind, text })
    if (!this.#firstHeading && rest.kind === 'heading') this.#firstHeading = text
    this.#records.push({ ...rest, charStart, charEnd: this.#length })
    if (this.#pendingChars >= BUFFER_CHARS) await this.#flush()
  }

  async #attach({ name, file }: Attachment): Promise<StoredAttachment> {
    const base = path.basename(file)
    const stored = path.join(this.#attachmentsFolder, base)
    await syncFile(stored) // it becomes the original of a document
    return { name, file: base, sha256: await hashFile(stored), bytes: (await stat(stored)).size }
  }

  #push(text: string): void {
    this.#texts.push(text)
    this.#pendingChars += text.length
    this.#length += text.length
  }

  async #flush(): Promise<void> {
    const { text, records } = await this.#open()
    reserveSpace(this.#folder, this.#pendingChars * 2)
    await text.appendFile(Buffer.from(this.#texts.join(''), 'utf16le'))
    const lines = this.#records.map(record => `${JSON.stringify(record)}\n`).join('')
    this.#blocksHash.update(lines)
    await records.appendFile(lines)
    this.#texts = []
    this.#records = []
    this.#pendingChars = 0
  }

  async #open() {
    if (this.#files) return this.#files
    await mkdir(this.#folder)
    const text = await open(path.join(this.#folder, PARSED.text), 'w')
    this.#files = { text, records: await open(path.join(this.#folder, PARSED.blocks), 'w') }
    return this.#files
  }
}

function clipMetadata({ language: _, ...metadata }: Metadata): Metadata {
  const facts = Object.entries(metadata).map(([name, value]) => {
    return [name, typeof value === 'string' ? value.trim().slice(0, MAX_FACT_CHARS) : value]
  })
  return Object.fromEntries(facts.filter(([, value]) => value !== undefined && value !== ''))
}
