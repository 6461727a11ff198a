import { posix } from 'node:path'
import { AppError } from '../../../../errors.ts'
import { parseIsoDate } from '../../../../text/iso-date.ts'
import { ZipArchive } from '../../detection/zip.ts'
import {
  createDamagedError,
  type Metadata,
  type Parser,
  type ParserEvent,
  type ParserInput,
} from '../../parser.ts'
import { readHtmlBlocks } from '../html/blocks.ts'
import { parseDom } from '../html/dom.ts'
import { findPictures, mergeTextAndPictures, type Picture } from '../office/embedded-pictures.ts'
import { MAX_DEPTH, parseXmlEvents } from '../office/xml.ts'
import { addListNumbers, type Numberings, readNumbering, writeNestingOnly } from './numbering.ts'
import { buildStyleMap, type DocxStyles, readStyles } from './styles.ts'

/** Mammoth links a note back to its place by this arrow. */
const NOTE_BACKLINK = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g
const XML_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}
/** Some versions of Word number it. */
const MAIN_PART = /^word\/document\d*\.xml$/
const NUMBERED_PART = /^word\/(?:document|footnotes|endnotes|comments)\d*\.xml$/
const NUMBERING_PART = 'word/numbering.xml'
/** A picture as Word writes it, and as older programs and WPS do. */
const PICTURE = /<a:blip\b[^>]*\br:embed="([^"]+)"|<v:imagedata\b[^>]*\br:id="([^"]+)"/g
const RELATIONSHIP = /<Relationship\b[^>]*>/g

/** Word files: mammoth makes them HTML, and the HTML walk does the rest. One that is nothing but pictures is read by OCR. */
export const docxParser: Parser = {
  id: 'docx@11',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  usesOcr: true,
  parse: parseDocx,
}

async function* parseDocx(input: ParserInput, signal?: AbortSignal): AsyncIterable<ParserEvent> {
  signal?.throwIfAborted()
  const archive = await ZipArchive.open(input.path, input.name, input.countBytes)
  try {
    const { styles, numbering, metadata } = await inspect(archive, input.name, signal)
    const html = await toHtml(archive, input, { styles, numbering })
    signal?.throwIfAborted()
    yield { type: 'metadata', metadata }
    const blocks = [...readHtmlBlocks(await parseDom(html.replace(NOTE_BACKLINK, '')))]
    const pictures = await listDocxPictures(archive)
    yield* mergeTextAndPictures(blocks, () => pictures, input, signal)
  } finally {
    archive.close()
  }
}

/** Everything that must be known before a library makes something of the container. */
async function inspect(
  archive: ZipArchive,
  name: string,
  signal?: AbortSignal,
): Promise<Structure & { metadata: Metadata }> {
  archive.refuseBombs()
  await archive.verify(signal)
  const text = async (part: string) =>
    normalizeXml({ name, part, bytes: (await archive.read(part)) ?? Buffer.alloc(0) })
  const styles = await text('word/styles.xml')
  const numbering = await text(NUMBERING_PART)
  const properties = (await archive.read('docProps/core.xml'))?.toString('utf8') ?? ''
  return {
    styles: readStyles(styles),
    numbering: readNumbering(numbering),
    metadata: readProperties(properties),
  }
}

/** Meaning of paragraph styles, and the numbering of lists. */
type Structure = { readonly styles: DocxStyles; readonly numbering: Numberings }

async function toHtml(
  archive: ZipArchive,
  input: ParserInput,
  structure: Structure,
): Promise<string> {
  const { default: mammoth } = await import('mammoth')
  const withoutImages = mammoth.images.imgElement(async () => ({ src: '' }))
  try {
    const opened = { file: openDocxParts(archive, input.name, structure) } as unknown as {
      path: string
    } // an input that its types do not tell of
    const { value } = await mammoth.convertToHtml(opened, {
      styleMap: buildStyleMap(structure.styles),
      convertImage: withoutImages,
    })
    return value
  } catch (error) {
    if (error instanceof AppError) throw error
    throw createDamagedError(input.name, 'it is no sound Word file', error)
  }
}

function readProperties(xml: string): Metadata {
  return {
    title: findProperty(xml, 'dc:title'),
    author: findProperty(xml, 'dc:creator'),
    language: findProperty(xml, 'dc:language'),
    created: parseIsoDate(findProperty(xml, 'dcterms:created')),
    modified: parseIsoDate(findProperty(xml, 'dcterms:modified')),
  }
}

function findProperty(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}\\b[^>]*>([^<]*)</${name}>`).exec(xml)?.[1]?.trim()
  return (
    text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => XML_ENTITIES[entity]!) ||
    undefined
  )
}

/** A Word file as mammoth asks for it: its parts by name, as text in an encoding or as bytes. */
type DocxParts = {
  exists(part: string): boolean
  read(part: string, encoding?: string): Promise<string | Uint8Array>
}

/**
 * The parts of an archive, inflated under its limits when they are asked for, their formulas and the numbers of lists made text. Reading one throws
 * `too_large` for nesting without end, which mammoth would follow until the stack is full.
 */
function openDocxParts(archive: ZipArchive, name: string, structure: Structure): DocxParts {
  const names = new Set(archive.entryNames)
  return {
    exists: part => names.has(part),
    async read(part, encoding) {
      const bytes = (await archive.read(part)) ?? Buffer.alloc(0)
      if (!encoding) return new Uint8Array(bytes)
      if (encoding === 'base64') return bytes.toString('base64')
      const xml = await normalizeXml({ name, part, bytes }, encoding)
      const isCounted = structure.numbering.uses.size > 0
      if (part === NUMBERING_PART && (isCounted || xml === ''))
        return writeNestingOnly(structure.numbering)
      return convertFormulas(
        isCounted && NUMBERED_PART.test(part) ? addListNumbers(xml, structure) : xml,
      )
    },
  }
}

/** Comments, instructions, sections of characters and tags. */
const SYNTAX =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(?:[^"'>]|"[^"]*"|'[^']*')*>/g
const DECLARATION = /^\s*<\?xml\b[^>]*>/
const QUOTED = /"[^"]*"|'([^']*)'/g

/** XML as patterns can read it: each element closed, attributes in double quotes, no comments. */
async function normalizeXml(
  file: { name: string; part: string; bytes: Buffer },
  encoding = 'utf-8',
): Promise<string> {
  const xml = new TextDecoder(encoding).decode(file.bytes).replace(DECLARATION, '')
  if (isDeeplyNested(xml))
    for await (const _ of parseXmlEvents({ ...file, bytes: yieldOnce(file.bytes) })); // refuses what is
  if (!/<[!?]|=\s*'/.test(xml)) return xml
  return xml.replace(SYNTAX, (tag: string, characters?: string) => {
    if (characters !== undefined) return characters.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    if (/^<(?:!--|\?)/.test(tag)) return ''
    return tag.replace(QUOTED, (quoted, single?: string) =>
      !single || single.includes('"') ? quoted : `"${single}"`,
    )
  })
}

async function* yieldOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Markup other than tags, with its end. */
const NO_TAGS: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]

/**
 * Counts tags from the front to the back without reading them, at a fraction of the cost. What is not as it should be,
 * and what may declare something, counts as deep: whoever reads it will tell.
 */
function isDeeplyNested(xml: string): boolean {
  let depth = 0
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const other = NO_TAGS.find(([start]) => xml.startsWith(start, at))
    const end = other ? xml.indexOf(other[1], at + other[0].length) : endOfTag(xml, at)
    if (end < 0 || xml.startsWith('<!DOCTYPE', at)) return true
    if (xml[at + 1] === '/') depth--
    else if (!other && xml[end - 1] !== '/') depth++
    if (depth < 0 || depth > MAX_DEPTH) return true
    at = end + 1
  }
  return false
}

/** The place of the sign that ends a tag, which may stand in a quoted value as well; -1 where there is none. */
function endOfTag(xml: string, from: number): number {
  for (let at = from + 1; at < xml.length; at++) {
    const sign = xml[at]
    if (sign === '>') return at
    if (sign === '<') return -1
    if (sign !== '"' && sign !== "'") continue
    at = xml.indexOf(sign, at + 1)
    if (at < 0) return -1
  }
  return -1
}

/** Operators between the parts of a formula, as people write it on one line. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/<\/m:num>/g, '<m:t>/</m:t>'],
  [/<m:sup>/g, '<m:t>^</m:t>'],
  [/<m:sub>/g, '<m:t>_</m:t>'],
]

/** Mammoth passes formulas over; as runs of text they are read. */
function convertFormulas(xml: string): string {
  if (!xml.includes('<m:oMath')) return xml
  return xml
    .replace(/<m:oMathParaPr>[\s\S]*?<\/m:oMathParaPr>|<\/?m:oMathPara>/g, '')
    .replace(/<m:oMath(?:\s[^>]*)?>([\s\S]*?)<\/m:oMath>/g, (_, formula: string) => {
      const signed = SIGNS.reduce((text, [mark, sign]) => text.replace(mark, sign), formula)
      const text = [...signed.matchAll(/<m:t(?:\s[^>]*)?>([^<]*)<\/m:t>/g)]
        .map(([, written]) => written)
        .join('')
      return `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
    })
}

/** The pictures in the text of a Word file, in order, each once. */
async function listDocxPictures(archive: ZipArchive): Promise<readonly Picture[]> {
  const main = archive.entryNames.find(name => MAIN_PART.test(name)) ?? ''
  const targets = await mapPictureTargets(archive, main)
  const xml = targets.size > 0 ? ((await archive.read(main))?.toString('utf8') ?? '') : ''
  const parts = [...xml.matchAll(PICTURE)].map(([, drawn, older]) =>
    targets.get(drawn ?? older ?? ''),
  )
  return findPictures(archive, new Set(parts.filter(part => part !== undefined)))
}

/** The parts that hold pictures, by the ids of their relations. */
async function mapPictureTargets(
  archive: ZipArchive,
  main: string,
): Promise<ReadonlyMap<string, string>> {
  const xml =
    (await archive.read(`word/_rels/${posix.basename(main)}.rels`))?.toString('utf8') ?? ''
  const targets = new Map<string, string>()
  for (const [element] of xml.matchAll(RELATIONSHIP)) {
    const value = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1]
    const id = value('Id')
    const type = value('Type')
    const target = value('Target')
    if (!id || !target || !type?.endsWith('/image') || value('TargetMode') === 'External') continue
    targets.set(id, target.startsWith('/') ? target.slice(1) : posix.join('word', target))
  }
  return targets
}
