import { readFile, stat } from 'node:fs/promises'
import { localizable } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { parseIsoDate } from '../../../../text/iso-date.ts'
import { decode } from '../../detection/charset.ts'
import { UnreadableMeter } from '../../detection/unreadable.ts'
import type { Metadata, Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { hasWords, SkippedText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { DeclaredCharsets } from '../declared-charsets.ts'
import { readHtmlBlocks } from './blocks.ts'
import { DomWalk, parseDom } from './dom.ts'
import type { DomElement, DomNode } from './dom-node.ts'
import { convertXhtml, hasXmlDeclaration } from './self-closed.ts'

/** Protects memory: a parsed page takes about twenty times its bytes. */
const MAX_BYTES = 50 * 1024 * 1024

/** The standard requires a declaration near the start. */
const DECLARATION_BYTES = 4096

const FURTHER_FACTS = ['description']

export const htmlParser: Parser = {
  id: 'html@18',
  mediaTypes: ['text/html', 'application/xhtml+xml'],
  parse: parseHtml,
}

async function* parseHtml(input: ParserInput, signal?: AbortSignal): AsyncIterable<ParserEvent> {
  signal?.throwIfAborted()
  const charsets = new DeclaredCharsets()
  const bytes = await readPage(input, signal)
  const { text, charset } = charsets.decode(bytes, findDeclaredCharset(bytes))
  const meter = new UnreadableMeter(charset)
  const page = meter.add(text)
  const isXml = input.mediaType === 'application/xhtml+xml' || hasXmlDeclaration(page)
  const root = await parseDom(isXml ? convertXhtml(page) : page)
  const skipped = new SkippedText()
  const facts = readFacts(root)
  yield { type: 'metadata', metadata: { ...toMetadata(facts), charset } }
  for (const name of FURTHER_FACTS)
    skipped.add('document properties', hasWords(facts.get(name) ?? '') ? 1 : 0)
  yield* toBlockEvents(readHtmlBlocks(root, skipped, 'text'), input.name, signal)
  yield* charsets.listWarnings()
  yield* meter.listWarnings()
  yield* skipped.listWarnings()
}

async function readPage(input: ParserInput, signal?: AbortSignal): Promise<Buffer> {
  const { size } = await stat(input.path)
  if (size === 0) throw new AppError('empty', localizable`${input.name} is empty: it has no bytes.`)
  if (size > MAX_BYTES) {
    throw new AppError(
      'too_large',
      localizable`${input.name} has ${size} bytes; a page may have ${MAX_BYTES}. Split it.`,
    )
  }
  return readFile(input.path, { signal })
}

export function decodePage(bytes: Buffer): { text: string; charset: string } {
  return decode(bytes, findDeclaredCharset(bytes))
}

export function findDeclaredCharset(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, DECLARATION_BYTES)
  const declared =
    /<meta[^>]*charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start) ??
    /<\?xml[^>]*encoding=["']([\w.-]+)/i.exec(start)
  return declared?.[1]
}

function readFacts(root: DomNode): ReadonlyMap<string, string> {
  const facts = new Map<string, string>()
  for (const step of new DomWalk().walkSteps(root))
    if (step.type === 'open') noteFact(facts, step.element)
  return facts
}

function toMetadata(facts: ReadonlyMap<string, string>): Metadata {
  return {
    title: facts.get('title') ?? facts.get('og:title') ?? facts.get('h1'),
    author: facts.get('author') ?? facts.get('dc.creator'),
    subject: facts.get('subject') ?? facts.get('dc.subject'),
    keywords: facts.get('keywords') ?? facts.get('news_keywords'),
    created: parseIsoDate(
      facts.get('article:published_time') ?? facts.get('date') ?? facts.get('dc.date'),
    ),
    modified: parseIsoDate(facts.get('article:modified_time') ?? facts.get('last-modified')),
    language: facts.get('lang') ?? facts.get('content-language'),
  }
}

function noteFact(facts: Map<string, string>, element: DomElement): void {
  const [key, value] = readFact(element)
  if (key && value && !facts.has(key)) facts.set(key, value)
}

function readFact(element: DomElement): readonly [string?, string?] {
  const getLowerAttribute = (name: string) => element.getAttribute(name)?.trim()
  switch (element.localName) {
    case 'html':
      return ['lang', getLowerAttribute('lang')]
    case 'title':
    case 'h1':
      return [element.localName, readOwnText(element)]
    case 'meta':
      return [
        (
          getLowerAttribute('name') ??
          getLowerAttribute('property') ??
          getLowerAttribute('http-equiv')
        )?.toLowerCase(),
        getLowerAttribute('content'),
      ]
    default:
      return []
  }
}

function readOwnText(element: DomElement): string | undefined {
  let text = ''
  for (const step of new DomWalk().walkSteps(element)) if (step.type === 'text') text += step.text
  return text.replace(/\s+/g, ' ').trim() || undefined
}
