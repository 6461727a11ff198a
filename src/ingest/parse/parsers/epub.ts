import { posix } from 'node:path'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { getFirst } from '../../../system/items.ts'
import { parseIsoDate } from '../../../text/iso-date.ts'
import type { Block } from '../../block.ts'
import { ZipArchive } from '../detection/zip.ts'
import {
  createDamagedError,
  type Metadata,
  type Parser,
  type ParserEvent,
  type ParserInput,
} from '../parser.ts'
import { hasWords, SkippedText } from '../skipped-text.ts'
import { DeclaredCharsets } from './declared-charsets.ts'
import { readHtmlBlocks } from './html/blocks.ts'
import { listPictureSources, parseDom } from './html/dom.ts'
import { convertXhtml } from './html/self-closed.ts'
import { findPictures, mergeTextAndPictures } from './office/embedded-pictures.ts'
import {
  findChild,
  findChildren,
  findDescendants,
  readElementText,
  readXmlTree,
  type XmlElement,
} from './office/xml-tree.ts'

/** Protects memory: a parsed page takes about twenty times its bytes. */
const MAX_CHAPTER_BYTES = 50 * 1024 * 1024
const CONTAINER = 'META-INF/container.xml'
/** Hides only fonts, no text. */
const FONT_OBFUSCATION = /^http:\/\/(www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/

/** Reads one chapter at a time; books of pictures by OCR. */
export const epubParser: Parser = {
  id: 'epub@14',
  mediaTypes: ['application/epub+zip'],
  usesOcr: true,
  parse: parseEpub,
}

async function* parseEpub(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const archive = await ZipArchive.open(input.path, input.name, input.countBytes)
  try {
    archive.refuseBombs()
    const skipped = new SkippedText()
    const { metadata, chapters } = await readBook(archive, input.name, skipped)
    yield { type: 'metadata', metadata }
    const missing = chapters.filter(chapter => !archive.entryNames.includes(chapter))
    if (missing.length > 0) yield buildMissingChaptersWarning(missing)
    const pictures = new Set<string>()
    const charsets = new DeclaredCharsets()
    const book = { archive, chapters, name: input.name, charsets }
    const blocks = readBookBlocks(book, pictures, skipped)
    yield* mergeTextAndPictures(blocks, () => findPictures(archive, pictures), input, signal)
    yield* charsets.listWarnings()
    yield* skipped.listWarnings()
  } finally {
    archive.close()
  }
}

type BookParts = {
  readonly archive: ZipArchive
  readonly chapters: readonly string[]
  readonly name: string
  readonly charsets: DeclaredCharsets
}

async function* readBookBlocks(
  { archive, chapters, name, charsets }: BookParts,
  pictures: Set<string>,
  skipped: SkippedText,
): AsyncGenerator<Block> {
  for (const chapter of chapters) {
    const bytes = await archive.read(chapter)
    if (!bytes) continue
    if (bytes.length > MAX_CHAPTER_BYTES) {
      throw new AppError(
        'too_large',
        localizable`${name}: its chapter ${chapter} has ${bytes.length} bytes, of ${MAX_CHAPTER_BYTES}.`,
      )
    }
    const page = await parseDom(toHtml(bytes, charsets))
    for (const source of listPictureSources(page))
      pictures.add(resolveEntry(source, posix.dirname(chapter)))
    yield* readHtmlBlocks(page, skipped)
  }
}

function toHtml(bytes: Buffer, charsets: DeclaredCharsets): string {
  const declared = /<\?xml[^>]*encoding=["']([\w.-]+)/i.exec(bytes.toString('latin1', 0, 200))
  return convertXhtml(charsets.decode(bytes, declared?.[1]).text)
}

function buildMissingChaptersWarning(missing: readonly string[]): ParserEvent {
  const message = localizable`The book names chapters that are not in it: ${missing.slice(0, 20).join(', ')}.`
  return { type: 'warning', warning: withMessage({ code: 'missing_parts' }, message) }
}

type Book = { readonly metadata: Metadata; readonly chapters: readonly string[] }

/** Throws `corrupt`, and `encrypted` under digital rights management. */
async function readBook(archive: ZipArchive, name: string, skipped: SkippedText): Promise<Book> {
  await refuseEncrypted(archive, name)
  const container = await readTree(archive, CONTAINER, name)
  const [rootFile] = findDescendants(container, 'rootfile')
  const path = rootFile?.attributes['full-path'] ?? ''
  const root = await readTree(archive, path, name)
  if (!root) throw createDamagedError(name, localizable`its package file ${path} is missing`)
  const metadata = findChild(root, 'metadata')
  const further = findChildren(metadata, 'description', 'publisher')
  skipped.add('document properties', further.filter(fact => hasWords(readElementText(fact))).length)
  return {
    metadata: readMetadata(metadata),
    chapters: listChapters(root, posix.dirname(path), skipped),
  }
}

async function readTree(
  archive: ZipArchive,
  part: string,
  name: string,
): Promise<XmlElement | undefined> {
  const bytes = archive.stream(part)
  return bytes && readXmlTree({ name, part, bytes })
}

async function refuseEncrypted(archive: ZipArchive, name: string): Promise<void> {
  const encryption = await readTree(archive, 'META-INF/encryption.xml', name)
  const methods = [...findDescendants(encryption, 'EncryptedData')].map(
    data => findChild(data, 'EncryptionMethod')?.attributes,
  )
  if (methods.every(method => FONT_OBFUSCATION.test(method?.Algorithm ?? ''))) return
  throw new AppError(
    'encrypted',
    localizable`${name} is protected against reading elsewhere (DRM). Add a copy without protection.`,
  )
}

/** Follows the spine. Omits the contents list, which repeats the headings. */
function listChapters(root: XmlElement, folder: string, skipped: SkippedText): readonly string[] {
  const items = new Map(
    findChildren(findChild(root, 'manifest'), 'item').map(item => [
      item.attributes.id,
      item.attributes,
    ]),
  )
  const references = findChildren(findChild(root, 'spine'), 'itemref')
  const ordered = new Set(references.map(({ attributes }) => attributes.idref))
  for (const [id, item] of items) {
    const isContents = /\bnav\b/.test(item.properties ?? '')
    const isPage = item['media-type'] === 'application/xhtml+xml'
    if (isContents && ordered.has(id)) skipped.add('contents lists')
    else if (isPage && !isContents && !ordered.has(id)) skipped.add('linked files')
  }
  const chapters = references.flatMap(({ attributes }) => {
    const item = items.get(attributes.idref)
    const isChapter =
      item?.href &&
      /html|xml|^$/.test(item['media-type'] ?? '') &&
      !/\bnav\b/.test(item.properties ?? '')
    return isChapter ? [resolveEntry(item.href!, folder)] : []
  })
  return [...new Set(chapters)]
}

function resolveEntry(reference: string, folder: string): string {
  return posix.join(folder, decodeHref(getFirst(reference.split('#'))))
}

function decodeHref(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch (error) {
    if (error instanceof URIError) return href
    throw error
  }
}

function readMetadata(metadata: XmlElement | undefined): Metadata {
  const first = (name: string) =>
    readElementText(findChildren(metadata, name)[0]).trim() || undefined
  const all = (name: string) =>
    findChildren(metadata, name)
      .map(element => readElementText(element).trim())
      .filter(Boolean)
      .join(', ') || undefined
  const modified = findChildren(metadata, 'meta').find(
    meta => meta.attributes.property === 'dcterms:modified',
  )
  return {
    title: first('title'),
    author: all('creator'),
    keywords: all('subject'),
    language: first('language'),
    created: parseIsoDate(first('date')),
    modified: parseIsoDate(readElementText(modified)),
  }
}
