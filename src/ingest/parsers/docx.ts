import { AppError } from '../../errors.ts'
import { isoDate } from '../iso-date.ts'
import type { Metadata, Parser, ParserEvent, ParserInput } from '../parser.ts'
import { ZipArchive } from '../zip.ts'
import { blockEvents } from './block-events.ts'
import { styleMap } from './docx-styles.ts'
import { htmlBlocks } from './html-blocks.ts'
import { parseDom } from './html-dom.ts'

/** Word files: mammoth makes them HTML, and the HTML walk does the rest. */
export const docxParser: Parser = {
  id: 'docx@1',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  parse: parseDocx,
}

/** Mammoth links a note back to its place by this arrow. */
const NOTE_BACKLINK = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g

async function* parseDocx(input: ParserInput, signal?: AbortSignal): AsyncIterable<ParserEvent> {
  signal?.throwIfAborted()
  const { styles, metadata } = await inspect(input, signal)
  const html = await toHtml(input, styles)
  signal?.throwIfAborted()
  yield { type: 'metadata', metadata }
  yield* blockEvents(htmlBlocks(await parseDom(html.replace(NOTE_BACKLINK, ''))), input.name, signal)
}

/** Everything that must be known before the container is handed to a library that inflates it whole. */
async function inspect(input: ParserInput, signal?: AbortSignal): Promise<{ styles: string[]; metadata: Metadata }> {
  const archive = await ZipArchive.open(input.path, input.name)
  try {
    archive.refuseBombs()
    await archive.verify(signal)
    const styles = (await archive.read('word/styles.xml'))?.toString('utf8') ?? ''
    const properties = (await archive.read('docProps/core.xml'))?.toString('utf8') ?? ''
    return { styles: styleMap(styles), metadata: readProperties(properties) }
  } finally {
    archive.close()
  }
}

async function toHtml(input: ParserInput, styles: string[]): Promise<string> {
  const { default: mammoth } = await import('mammoth')
  const withoutImages = mammoth.images.imgElement(async () => ({ src: '' }))
  try {
    const { value } = await mammoth.convertToHtml(
      { path: input.path },
      { styleMap: styles, convertImage: withoutImages },
    )
    return value
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('corrupt', `Cannot read ${input.name}: it is no sound Word file (${reason}).`, { cause: error })
  }
}

function readProperties(xml: string): Metadata {
  return {
    title: property(xml, 'dc:title'),
    author: property(xml, 'dc:creator'),
    language: property(xml, 'dc:language'),
    created: isoDate(property(xml, 'dcterms:created')),
    modified: isoDate(property(xml, 'dcterms:modified')),
  }
}

const XML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function property(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}\\b[^>]*>([^<]*)</${name}>`).exec(xml)?.[1]?.trim()
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => XML_ENTITIES[entity]!) || undefined
}
