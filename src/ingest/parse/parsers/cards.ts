import type { Block } from '../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { SkippedText } from '../skipped-text.ts'
import { toBlockEvents } from './block-events.ts'
import { DecodedText, readTextLines } from './decoded-text.ts'

/** A longer line is a picture. */
const MAX_LINE_CHARS = 60_000
/** The rest begins another block. Protects memory. */
const MAX_ENTRY_CHARS = 60_000

const TITLES = new Set(['SUMMARY', 'FN'])
/** Properties for programs. */
const FOR_PROGRAMS =
  /^(?:BEGIN|END|VERSION|PRODID|UID|DTSTAMP|SEQUENCE|CALSCALE|METHOD|REV|TRANSP|CLASS|TZ.*)$/
/** Name and description of a calendar, as all programs state them. */
const CALENDAR_FACTS: Readonly<Record<string, string>> = {
  'X-WR-CALNAME': 'SUMMARY',
  'X-WR-CALDESC': 'DESCRIPTION',
}
/** Extensions without a word: switches and names. Keys have a digit and no blank. */
const WORDLESS = /^(?:[\d.,:;+-]*|true|false|[A-Z_-]*)$/i
const QUOTED_PRINTABLE = /;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i
const PICTURES = /^(?:PHOTO|LOGO|SOUND|KEY)$/
const LABELS: Readonly<Record<string, string>> = {
  DTSTART: 'Start',
  DTEND: 'End',
  RRULE: 'Repeats',
  ORG: 'Organization',
  TEL: 'Telephone',
  ADR: 'Address',
  BDAY: 'Birthday',
  EMAIL: 'E-mail',
}

/**
 * Reads calendars (RFC 5545) and address cards (RFC 6350): a heading and a paragraph per event,
 * task or person.
 */
export const cardsParser: Parser = {
  id: 'cards@5',
  mediaTypes: ['text/calendar', 'text/vcard'],
  parse: parseCards,
}

async function* parseCards(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const decoded = await DecodedText.open(input)
  yield { type: 'metadata', metadata: { charset: decoded.charset } }
  const skipped = new SkippedText()
  const lines = unfold(readTextLines(decoded.readPieces(signal), MAX_LINE_CHARS))
  yield* toBlockEvents(readEntries(lines, skipped), input.name, signal)
  yield* skipped.listWarnings()
  yield* decoded.listWarnings()
}

/** Joins lines after a blank, or after `=` in quoted-printable vCard 2.1. */
async function* unfold(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let line = ''
  for await (const next of lines) {
    const isFull = line.length >= MAX_LINE_CHARS
    if (/^[ \t]/.test(next) && !isFull) line += next.slice(1)
    else if (!isFull && line.endsWith('=') && QUOTED_PRINTABLE.test(line))
      line = line.slice(0, -1) + next
    else {
      yield line
      line = next
    }
  }
  yield line
}

async function* readEntries(
  lines: AsyncIterable<string>,
  skipped: SkippedText,
): AsyncGenerator<Block> {
  let entry = new Entry()
  for await (const line of lines) {
    if (/^(?:BEGIN|END):/i.test(line) || entry.isFull) {
      yield* entry.toBlocks()
      entry = new Entry()
    }
    const stated = parseProperty(line)
    if (!stated || FOR_PROGRAMS.test(stated.name)) continue
    const property = { ...stated, name: CALENDAR_FACTS[stated.name] ?? stated.name }
    if (!countSkipped(property, skipped)) entry.add(property)
  }
  yield* entry.toBlocks()
}

function countSkipped({ name, value, isFile }: Property, skipped: SkippedText): boolean {
  const isExtension = name.startsWith('X-')
  const isPicture = PICTURES.test(name)
  if (isFile) skipped.add('embedded objects')
  if (isPicture) skipped.add('pictures')
  const isKey = /\d/.test(value) && !/\s/.test(value)
  if (isExtension && !isKey && !WORDLESS.test(value)) skipped.add('extension fields')
  return isExtension || isPicture || isFile
}

type Property = {
  readonly name: string
  readonly value: string
  readonly isFile: boolean
}

/** Name of a person or a conference, or an address as it is written on a letter. */
const SHOWN_NAME = /;(?:CN|LABEL)=(?:"([^"]*)"|([^;:]*))/i

class Entry {
  #title = ''
  /** Parts of a name. */
  #name = ''
  readonly #lines: string[] = []
  #characters = 0

  get isFull(): boolean {
    return this.#characters > MAX_ENTRY_CHARS
  }

  add({ name, value }: Property): void {
    if (value === '') return
    this.#characters += value.length
    if (name === 'N') this.#name = value
    else if (TITLES.has(name) && !this.#title) this.#title = value.replace(/\s+/g, ' ')
    else this.#lines.push(`${LABELS[name] ?? toLabel(name)}: ${formatDate(value)}`)
  }

  *toBlocks(): Iterable<Block> {
    const hasMore = this.#name.split(', ').some(part => !this.#title.includes(part))
    if (!this.#title) this.#title = this.#name
    else if (hasMore) this.#lines.unshift(`Name: ${this.#name}`)
    if (this.#title) yield { kind: 'heading', level: 2, text: this.#title }
    if (this.#lines.length > 0) yield { kind: 'paragraph', text: this.#lines.join('\n') }
  }
}

function toLabel(name: string): string {
  return name.charAt(0) + name.slice(1).toLowerCase().replaceAll('-', ' ')
}

/** `20240501T080000Z` as `2024-05-01 08:00 UTC`. */
function formatDate(value: string): string {
  return value.replace(
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})\d{2}(Z?))?$/,
    (_, year, month, day, hour, minute, zone) =>
      `${year}-${month}-${day}${hour ? ` ${hour}:${minute}` : ''}${zone ? ' UTC' : ''}`,
  )
}

/** Quoted parameters of `group.NAME;PARAMETER=value` may contain colons. */
function parseProperty(line: string): Property | undefined {
  const match = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/s.exec(line)
  if (!match) return undefined
  const [, name = '', parameters = '', written = ''] = match
  const isQuoted = /QUOTED-PRINTABLE/i.test(parameters)
  const value = (isQuoted ? decodeQuotedPrintable(written) : written)
    .replace(/\\n/gi, '\n')
    .replace(/\\([,;\\])/g, '$1')
    .replace(/^(?:mailto|tel):/i, '')
  const isStructured = /^(?:N|ADR|ORG)$/i.test(name)
  const text = isStructured ? value.split(';').filter(Boolean).join(', ') : value
  const [, quoted, plain] = SHOWN_NAME.exec(parameters) ?? []
  const displayName = (quoted ?? plain ?? '').replace(/\\n|\^n/gi, ' ').trim()
  const isFile = /^ATTACH$/i.test(name) && /BASE64/i.test(parameters)
  const parts = displayName && !text.includes(displayName) ? [displayName, text] : [text]
  return { name: name.toUpperCase(), value: parts.join(', ').trim(), isFile }
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text.replace(/=([\dA-F]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
