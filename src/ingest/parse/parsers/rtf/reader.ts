import { localizable } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import type { Block } from '../../../block.ts'
import { createDamagedError, type Metadata } from '../../parser.ts'
import { hasWords, type SkippedKind, type SkippedText } from '../../skipped-text.ts'
import { readEquationField } from '../office/equation-field.ts'
import { hasMoreThanPageNumber } from '../page-furniture.ts'
import { decodeBytes } from './charsets.ts'
import { RtfFlow } from './flow.ts'
import { RtfHeader } from './header.ts'
import type { RtfToken } from './tokens.ts'

type Group = {
  readonly destination: Destination
  readonly name: string
  readonly font?: number
  /** Characters after `\u` that stand in for it. */
  readonly fallbacks: number
  readonly hidden?: SkippedKind
  readonly flow?: RtfFlow
  /** Instruction of a field, and the count of texts before its result. */
  readonly field?: { readonly instruction: string; readonly texts: number }
}

/** Depth of groups. No writer nests deeper. Protects the stack. */
const MAX_DEPTH = 2_000

const FURNITURE = new Set(
  'header headerl headerr headerf footer footerl footerr footerf'.split(' '),
)
const ASIDES = new Set(['footnote', 'annotation', 'shptxt', 'dptxbxtext', ...FURNITURE])

export class RtfReader {
  readonly #name: string
  readonly #header = new RtfHeader()
  readonly #main = new RtfFlow(style => this.#header.getHeadingLevel(style))
  readonly #groups: Group[] = []
  #group: Group = { destination: 'text', name: '', fallbacks: 1 }
  /** Headers and footers, which sections repeat. */
  readonly #furniture = new Map<string, Block>()
  readonly #skipped: SkippedText
  #isGroupStart = false
  #isOptional = false
  #bytes = ''
  #skip = 0
  #collected = ''
  #property = ''
  #author = ''
  #texts = 0

  constructor(name: string, skipped: SkippedText) {
    this.#name = name
    this.#skipped = skipped
  }

  get metadata(): Metadata {
    return this.#header.metadata
  }

  read(token: RtfToken): void {
    if (token.type === 'bytes') this.#readBytes(token.bytes)
    else if (token.type === 'open') this.#open()
    else if (token.type === 'close') this.#close()
    else this.#readWord(token.name, token.value)
    this.#isGroupStart = token.type === 'open'
  }

  takeBlocks(): readonly Block[] {
    return this.#main.takeBlocks()
  }

  end(): readonly Block[] {
    if (this.#groups.length > 0) throw createDamagedError(this.#name, 'it is cut off')
    return [...this.#main.end(), ...this.#furniture.values()]
  }

  #open(): void {
    this.#flushBytes()
    if (this.#groups.length >= MAX_DEPTH) {
      throw new AppError(
        'too_large',
        localizable`Refused ${this.#name}: it nests deeper than ${MAX_DEPTH} groups.`,
      )
    }
    this.#groups.push(this.#group)
    this.#group = { ...this.#group, flow: undefined, field: undefined }
    this.#isOptional = false
    this.#skip = 0
  }

  #close(): void {
    this.#flushBytes()
    const closed = this.#group
    const outer = this.#groups.pop()
    if (!outer) return
    if (closed.destination === 'styles' && this.#collected)
      this.#header.nameStyle(this.#takeCollected().replace(/;$/, ''))
    const instruction = closed.destination === 'instruction' ? this.#collected : ''
    if (closed.field?.texts === this.#texts)
      this.#flow.write(readEquationField(closed.field.instruction, this.#skipped))
    if (outer.destination !== closed.destination) this.#endDestination(closed)
    this.#group = outer
    if (instruction && outer.destination !== 'instruction')
      this.#group = { ...outer, field: { instruction, texts: this.#texts } }
    if (closed.flow) this.#endAside(closed.name, closed.flow.end())
    this.#skip = 0
  }

  #endAside(name: string, blocks: readonly Block[]): void {
    if (!FURNITURE.has(name)) this.#flow.addAside(blocks)
    else
      for (const block of blocks)
        if (hasMoreThanPageNumber(block.text)) this.#furniture.set(block.text, block)
  }

  #endDestination({ destination, name }: Group): void {
    if (destination === 'fact') this.#endFact(name)
    if (destination === 'date') this.#header.endDate(name)
    if (destination === 'marker') this.#flow.mark(this.#takeCollected())
    this.#collected = ''
  }

  #endFact(name: string): void {
    const text = this.#takeCollected()
    if (name === 'sn') this.#property = text
    else if (name === 'atnauthor') this.#author = text
    else if (name === 'sv') {
      const isRead = DESCRIPTIONS.has(this.#property) && hasWords(text)
      this.#skipped.add('text alternatives', isRead ? 1 : 0)
    } else if (!FURTHER_FACTS.includes(name)) this.#header.setFact(name, text)
    else if (hasWords(text)) this.#skipped.add('document properties')
  }

  #takeCollected(): string {
    const text = this.#collected.trim()
    this.#collected = ''
    return text
  }

  get #flow(): RtfFlow {
    return this.#group.flow ?? this.#groups.findLast(group => group.flow)?.flow ?? this.#main
  }

  #readBytes(bytes: string): void {
    const skipped = Math.min(this.#skip, bytes.length)
    this.#skip -= skipped
    this.#bytes += bytes.slice(skipped)
  }

  #flushBytes(): void {
    if (this.#bytes === '') return
    const bytes = this.#bytes
    this.#bytes = ''
    if (this.#group.destination !== 'nowhere')
      this.#write(decodeBytes(bytes, this.#header.getCodePage(this.#group.font)))
  }

  #write(text: string): void {
    const { destination, hidden } = this.#group
    if (hidden && (destination === 'text' || destination === 'instruction')) {
      if (text.trim() !== '') this.#skipped.add(hidden)
    } else if (destination === 'text') {
      if (text.trim() !== '') this.#texts++
      this.#flow.write(text)
    } else if (COLLECTED.has(destination)) this.#collected += text
  }

  #readWord(word: string, value: number | undefined): void {
    this.#flushBytes()
    if (this.#skip > 0 && word !== 'u') this.#skip--
    else if (word === '*') this.#isOptional = this.#isGroupStart
    else if (word === 'u') this.#readUnicode(value ?? 0)
    else if (!this.#enter(word)) this.#apply(word, value)
    if (word !== '*') this.#isOptional = false
  }

  #readUnicode(value: number): void {
    this.#write(String.fromCharCode(value & 0xffff))
    this.#skip = this.#group.fallbacks
  }

  /** A skipped group stays skipped, except for its `OPENABLE` parts. */
  #enter(word: string): boolean {
    const isInside = this.#group.destination !== 'nowhere' || OPENABLE[this.#group.name]?.has(word)
    if (ASIDES.has(word)) this.#enterAside(isInside ?? false, word)
    else if (word === 'ud' || DESTINATIONS[word])
      this.#enterDestination(isInside ? (DESTINATIONS[word] ?? 'text') : 'nowhere', word)
    else if (NOWHERE.has(word) || this.#isOptional) this.#enterDestination('nowhere', word)
    else return false
    return true
  }

  #enterDestination(destination: Destination, name: string): void {
    const kind = COUNTED[name]
    const isCopy = name === 'pict' && this.#group.name === 'nonshppict'
    if (kind && !isCopy) this.#skipped.add(kind)
    this.#collected = ''
    const isSealed =
      this.#group.destination === 'nowhere' &&
      destination === 'nowhere' &&
      !OPENABLE[this.#group.name]
    this.#group = { ...this.#group, destination, name: isSealed ? this.#group.name : name }
  }

  #enterAside(isInside: boolean, name: string): void {
    if (!isInside) return
    const flow = new RtfFlow(style => this.#header.getHeadingLevel(style))
    this.#group = { ...this.#group, destination: 'text', name, flow, hidden: undefined }
    if (name !== 'annotation') return
    flow.write(this.#author ? `Comment by ${this.#author}: ` : 'Comment: ')
    this.#author = ''
  }

  #apply(word: string, value: number | undefined): void {
    switch (word) {
      case 'uc':
        this.#group = { ...this.#group, fallbacks: Math.max(0, value ?? 1) }
        return
      case 'v':
        this.#group = { ...this.#group, hidden: value === 0 ? undefined : 'hidden elements' }
        return
      case 'deleted':
        this.#group = { ...this.#group, hidden: value === 0 ? undefined : 'deleted texts' }
        return
      case 'plain':
        this.#group = { ...this.#group, font: undefined, hidden: undefined }
        return
      default:
        this.#applyToDestination(this.#group.destination, word, value)
    }
  }

  #applyToDestination(destination: Destination, word: string, value: number | undefined): void {
    if (destination === 'fonts') this.#header.setFont(word, value)
    else if (destination === 'styles') this.#header.setStyle(word, value)
    else if (destination === 'date') this.#header.setDatePart(word, value)
    else if (word === 'f') this.#group = { ...this.#group, font: value ?? 0 }
    else if (CHARACTERS[word] !== undefined) this.#write(CHARACTERS[word])
    else if (destination === 'text')
      this.#applyToText(word === '\n' || word === '\r' ? 'par' : word, value)
  }

  #applyToText(word: string, value: number | undefined): void {
    this.#header.setDocument(word, value)
    this.#flow.applyControl(word, value)
  }
}

const FURTHER_FACTS = 'manager company operator category comment doccomm staticval'.split(' ')
/** Properties of shapes and pictures with text that stands for them. */
const DESCRIPTIONS = new Set(['wzDescription', 'wzTooltip'])
const COUNTED: Readonly<Record<string, SkippedKind>> = {
  objdata: 'embedded objects',
  xe: 'index entries',
  tc: 'index entries',
  pict: 'pictures',
  moMath: 'formulas',
  docvar: 'variables',
  formfield: 'form controls',
}

type Destination =
  | 'text'
  | 'marker'
  | 'instruction'
  | 'fonts'
  | 'styles'
  | 'fact'
  | 'date'
  | 'nowhere'

const COLLECTED: ReadonlySet<Destination> = new Set(['marker', 'instruction', 'fact', 'styles'])

const DESTINATIONS: Readonly<Record<string, Destination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  title: 'fact',
  author: 'fact',
  atnauthor: 'fact',
  sn: 'fact',
  sv: 'fact',
  ...Object.fromEntries(FURTHER_FACTS.map(name => [name, 'fact' as const])),
  subject: 'fact',
  keywords: 'fact',
  creatim: 'date',
  revtim: 'date',
  listtext: 'marker',
  pntext: 'marker',
  fldinst: 'instruction',
}

/** Without text of the document, besides unknown ones marked `\*`. */
const NOWHERE = new Set(
  'colortbl info pict nonshppict ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn xe tc nonesttables shprslt upr shpinst do objdata'.split(
    ' ',
  ),
)

const OPENABLE: Readonly<Record<string, ReadonlySet<string>>> = {
  info: new Set([
    ...['title', 'author', 'subject', 'keywords', 'creatim', 'revtim'],
    ...FURTHER_FACTS,
  ]),
  shpinst: new Set(['shptxt', 'sn', 'sv']),
  shppict: new Set(),
  pict: new Set(),
  picprop: new Set(['sn', 'sv']),
  userprops: new Set(['staticval']),
  do: new Set(['dptxbxtext']),
  upr: new Set(['ud']),
}

export const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': '\u00a0',
  _: '-',
  '{': '{',
  '}': '}',
  '\\': '\\',
}
