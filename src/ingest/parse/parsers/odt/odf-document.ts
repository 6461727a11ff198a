import { createReadStream } from 'node:fs'
import { parseIsoDate } from '../../../../text/iso-date.ts'
import { ZipArchive } from '../../detection/zip.ts'
import {
  createDamagedError,
  createPasswordError,
  type Metadata,
  type ParserInput,
} from '../../parser.ts'
import { hasWords, type SkippedText } from '../../skipped-text.ts'
import { findPictures, type Picture } from '../office/embedded-pictures.ts'
import type { XmlPart } from '../office/xml.ts'
import {
  findChildren,
  findDescendants,
  readElementText,
  readXmlElements,
  readXmlTree,
  type XmlElement,
} from '../office/xml-tree.ts'

const FURTHER = ['description', 'user-defined']
const FLAT = /-flat-xml$/

export class OdfDocument {
  readonly #input: ParserInput
  readonly #archive: ZipArchive | undefined
  readonly #signal: AbortSignal | undefined

  private constructor(input: ParserInput, archive?: ZipArchive, signal?: AbortSignal) {
    this.#input = input
    this.#archive = archive
    this.#signal = signal
  }

  /** Throws `encrypted`, `too_large` for bombs, and `corrupt`. */
  static async open(input: ParserInput, signal?: AbortSignal): Promise<OdfDocument> {
    if (FLAT.test(input.mediaType)) return new OdfDocument(input, undefined, signal)
    const archive = await ZipArchive.open(input.path, input.name, input.countBytes)
    try {
      archive.refuseBombs()
      const document = new OdfDocument(input, archive, signal)
      await document.#refuseEncrypted()
      return document
    } catch (error) {
      archive.close()
      throw error
    }
  }

  get content(): XmlPart {
    const part = this.#findPart('content.xml')
    if (!part) throw createDamagedError(this.#input.name, 'it lacks content.xml, its main part')
    return part
  }

  /** Undefined also for a flat file, whose styles precede the body. */
  get styles(): XmlPart | undefined {
    return this.#archive && this.#findPart('styles.xml')
  }

  async readMetadata(skipped: SkippedText): Promise<Metadata> {
    const part = this.#findPart('meta.xml')
    if (!part) return {}
    for await (const meta of readXmlElements(part, name => name === 'meta')) {
      const further = findChildren(meta, ...FURTHER).filter(fact => hasWords(readElementText(fact)))
      skipped.add('document properties', further.length)
      return toMetadata(meta)
    }
    return {}
  }

  /** Omits pictures of a flat file, which are not decoded. */
  findPictures(entries: ReadonlySet<string>): readonly Picture[] {
    return this.#archive ? findPictures(this.#archive, entries) : []
  }

  close(): void {
    this.#archive?.close()
  }

  #findPart(name: string): XmlPart | undefined {
    const bytes = this.#archive
      ? this.#archive.stream(name)
      : createReadStream(this.#input.path, { signal: this.#signal })
    const part = this.#archive ? name : 'XML'
    return bytes && { name: this.#input.name, part, bytes, signal: this.#signal }
  }

  async #refuseEncrypted(): Promise<void> {
    const manifest = this.#findPart('META-INF/manifest.xml')
    const tree = manifest && (await readXmlTree(manifest))
    if ([...findDescendants(tree, 'encryption-data')].length === 0) return
    throw createPasswordError(this.#input.name)
  }
}

function toFact(fact: XmlElement) {
  return [fact.name, readElementText(fact).trim() || undefined] as const
}

function toMetadata(meta: XmlElement): Metadata {
  const stated = findChildren(meta).map(toFact)
  const facts = new Map(stated)
  const keywords = stated.flatMap(([name, text]) => (name === 'keyword' && text) || [])
  return {
    title: facts.get('title'),
    author: facts.get('initial-creator') ?? facts.get('creator'),
    subject: facts.get('subject'),
    keywords: keywords.join(', ') || undefined,
    language: facts.get('language'),
    created: parseIsoDate(facts.get('creation-date')),
    modified: parseIsoDate(facts.get('date')),
  }
}
