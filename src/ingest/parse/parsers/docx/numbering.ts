import { formatBeforeItem, formatListNumber, type Numbering } from '../office/list-numbers.ts'
import { type DocxStyles, outlineLevel, readListStyle } from './styles.ts'

/** Numbering of one level of a list, and its indent in twentieths of a point. */
type Level = {
  readonly start: number
  /** Undefined of bullets; of `none` only what stands around the number is shown. */
  readonly by: Numbering | 'none' | undefined
  /** Pattern such as `%1.%2`, with the numbers of this and upper levels; the bullet of a bullet list. */
  readonly shown: string
  /** Its upper levels are shown in digits, whatever they count by. */
  readonly isLegal: boolean
  readonly indent: number
  /** It starts anew only behind a paragraph of one of the first so many levels; undefined where any upper one will do. */
  readonly restartsBelow: number | undefined
}

/** Use of a list's levels (`w:num`). It continues the count of other uses unless it restarts; its own levels override theirs. */
type ListUse = {
  readonly listId: string
  readonly starts: ReadonlyMap<number, number>
  readonly levels: ReadonlyMap<number, Level>
}

type List = {
  readonly levels: ReadonlyMap<number, Level>
  /** Levels that paragraphs of a style have, by its id. */
  readonly byStyle: ReadonlyMap<string, number>
  /** The style whose list it is. */
  readonly styleLink?: string | undefined
}

/** The lists of a Word file, and their uses by the ids that paragraphs have. */
export type Numberings = {
  readonly lists: ReadonlyMap<string, List>
  readonly uses: ReadonlyMap<string, ListUse>
}

/** `w:numFmt`, where it is not decimal. */
const FORMATS = new Map<string, Numbering>([
  ['lowerLetter', 'a'],
  ['upperLetter', 'A'],
  ['lowerRoman', 'i'],
  ['upperRoman', 'I'],
  ['decimalZero', '01'],
  ['ordinal', '1st'],
  ['chineseLegalSimplified', '壹'],
  ['ideographTraditional', '甲'],
  ['ideographZodiac', '子'],
  ...['decimalEnclosedCircle', 'decimalEnclosedCircleChinese'].map(name => [name, '①'] as const),
  ...[
    'chineseCounting',
    'chineseCountingThousand',
    'japaneseCounting',
    'taiwaneseCountingThousand',
  ].map(name => [name, '一'] as const),
])
/** Maximum depth of a list, a limit of mammoth. */
const MAX_DEPTH = 4
/** A use of a list that is nothing but bullets. */
const BULLETS = 'bullets'
const LEVELS = 9
const LEVEL = /^[0-8]$/
const LEVELS_IN = /<w:lvl\b[^>]*w:ilvl="(\d)"[^>]*(?<!\/)>([\s\S]*?)<\/w:lvl>/g
const CONTAINER_OR_PARAGRAPH =
  /<(\/?)(w:tbl|mc:Choice)\b[^>]*(?<!\/)>|<w:p(?:\s[^>]*)?>(?:\s*<w:pPr>([\s\S]*?)<\/w:pPr>)?/g
const CHANGED_PROPERTIES = /<w:pPrChange\b[^>]*(?<!\/)>[\s\S]*?<\/w:pPrChange>/g

/** The lists that `word/numbering.xml` defines. */
export function readNumbering(xml: string): Numberings {
  const lists = [
    ...xml.matchAll(
      /<w:abstractNum\b[^>]*w:abstractNumId="([^"]*)"[^>]*(?<!\/)>([\s\S]*?)<\/w:abstractNum>/g,
    ),
  ]
  const uses = [...xml.matchAll(/<w:num\b[^>]*w:numId="([^"]*)"[^>]*(?<!\/)>([\s\S]*?)<\/w:num>/g)]
  return {
    lists: new Map(lists.map(([, id = '', content = '']) => [id, parseList(content)])),
    uses: new Map(uses.map(([, id = '', content = '']) => [id, parseListUse(content)])),
  }
}

function parseList(xml: string): List {
  const levels = [...xml.matchAll(LEVELS_IN)]
  return {
    levels: parseLevels(levels),
    byStyle: new Map(
      levels.map(([, level, content = '']) => [findValue(content, 'pStyle') ?? '', Number(level)]),
    ),
    styleLink: findValue(xml, 'numStyleLink'),
  }
}

function parseLevels(levels: readonly RegExpExecArray[]): ReadonlyMap<number, Level> {
  return new Map(levels.map(([, level, content = '']) => [Number(level), parseLevel(content)]))
}

function parseLevel(xml: string): Level {
  const format = findValue(xml, 'numFmt') ?? 'decimal'
  const restart = findValue(xml, 'lvlRestart')
  return {
    start: Number(/^\d{1,9}/.exec(findValue(xml, 'start') ?? '')?.[0] ?? 1),
    by: format === 'bullet' ? undefined : format === 'none' ? format : (FORMATS.get(format) ?? '1'),
    shown: findValue(xml, 'lvlText') ?? '',
    isLegal: /<w:isLgl\b(?![^>]*"(?:0|false)")/.test(xml),
    indent: findIndent(xml) ?? 0,
    restartsBelow: LEVEL.test(restart ?? '') ? Number(restart) : undefined,
  }
}

function parseListUse(xml: string): ListUse {
  const overrides = xml.matchAll(
    /<w:lvlOverride\b[^>]*w:ilvl="(\d)"[^>]*>\s*<w:startOverride\b[^>]*w:val="(\d+)"/g,
  )
  return {
    listId: findValue(xml, 'abstractNumId') ?? '',
    starts: new Map([...overrides].map(([, level, start]) => [Number(level), Number(start)])),
    levels: parseLevels([...xml.matchAll(LEVELS_IN)]),
  }
}

function findValue(xml: string, element: string): string | undefined {
  return new RegExp(`<w:${element}\\b[^>]*w:val="([^"]*)"`).exec(xml)?.[1]
}

function findIndent(xml: string): number | undefined {
  const left = /<w:ind\b[^>]*w:(?:left|start)="(-?\d+)"/.exec(xml)?.[1]
  return left === undefined ? undefined : Number(left)
}

/** Tells mammoth only how deep lists are nested. Their numbers are written as text. */
export function writeNestingOnly({ uses }: Numberings): string {
  const levels = Array.from(
    { length: LEVELS },
    (_, level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="bullet"/></w:lvl>`,
  )
  const nums = [BULLETS, ...uses.keys()].map(
    id => `<w:num w:numId="${id}"><w:abstractNumId w:val="0"/></w:num>`,
  )
  const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  return `<w:numbering xmlns:w="${namespace}"><w:abstractNum w:abstractNumId="0">${levels.join('')}</w:abstractNum>${nums.join('')}</w:numbering>`
}

/** A part with the numbers that Word shows before paragraphs and headings as text, and lists nested as they are set in. Mammoth leaves out the choices. */
export function addListNumbers(xml: string, { styles, numbering }: Numbered): string {
  const counter = new ListCounter()
  const nesting = new Nesting()
  const open = { 'w:tbl': 0, 'mc:Choice': 0 }
  const whole = xml.replace(CHANGED_PROPERTIES, '')
  return whole.replace(
    CONTAINER_OR_PARAGRAPH,
    (start: string, slash, container: keyof typeof open, properties = '', at) => {
      if (container) open[container] += slash ? -1 : 1
      if (open['mc:Choice'] > 0) return start
      const place = /<w:del\b/.test(properties)
        ? undefined
        : findListPlace(properties, { styles, numbering })
      const depth = nesting.enter(place)
      if (!place) return start
      const number = counter.next(place)
      const isShown = open['w:tbl'] > 0 || hasText(whole, at + start.length)
      return writeParagraphStart(start, properties, { depth, number: isShown ? number : '' })
    },
  )
}

/** Writes the start of a paragraph in the form that mammoth reads. */
function writeParagraphStart(
  start: string,
  properties: string,
  { depth, number }: { depth: number; number: string },
): string {
  const others = properties.replace(/<w:numPr>[\s\S]*?<\/w:numPr>/, '')
  const list = `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${BULLETS}"/></w:numPr>`
  const run = number && `<w:r><w:t xml:space="preserve">${formatBeforeItem(number)}</w:t></w:r>`
  return `${start.slice(0, start.indexOf('>') + 1)}<w:pPr>${others}${list}</w:pPr>${run}`
}

type Numbered = { readonly styles: DocxStyles; readonly numbering: Numberings }

/** Place of a paragraph among lists. */
type ListPlace = {
  readonly numId: string
  readonly use: ListUse
  /** Levels of the list, with the changes of this use of it. */
  readonly levels: ReadonlyMap<number, Level>
  readonly level: number
  readonly indent: number
  readonly isHeading: boolean
}

/** Finds the list of a paragraph by its own properties, else by its style; undefined outside of lists. */
function findListPlace(properties: string, { styles, numbering }: Numbered): ListPlace | undefined {
  const styleId = findValue(properties, 'pStyle')
  const own = /<w:numPr>([\s\S]*?)<\/w:numPr>/.exec(properties)?.[1] ?? ''
  const styled = readListStyle(styleId, styles)
  const numId = findValue(own, 'numId') ?? styled?.style.numId ?? ''
  const use = useBehind(numId, { styles, numbering })
  const list = numbering.lists.get(use?.listId ?? '')
  if (!use || !list) return undefined
  const written =
    findValue(own, 'ilvl') ?? list.byStyle.get(styled?.id ?? '') ?? styled?.style.listLevel
  const level = LEVEL.test(`${written}`) ? Number(written) : 0
  const style = styles.get(styleId ?? '')
  const levels = use.levels.size > 0 ? new Map([...list.levels, ...use.levels]) : list.levels
  const indent = findIndent(properties) ?? levels.get(level)?.indent ?? 0
  return {
    numId,
    use,
    levels,
    level,
    indent,
    isHeading: style !== undefined && outlineLevel(style, styles) !== undefined,
  }
}

/** A list may be that of a style, which uses another. */
function useBehind(numId: string, { styles, numbering }: Numbered): ListUse | undefined {
  const use = numbering.uses.get(numId)
  const link = numbering.lists.get(use?.listId ?? '')?.styleLink
  return link === undefined ? use : numbering.uses.get(styles.get(link)?.numId ?? '')
}

/** A paragraph has words after its properties. */
function hasText(xml: string, from: number): boolean {
  const words = /<w:t[\s>]|<\/w:p>/g
  words.lastIndex = from
  return words.exec(xml)?.[0].startsWith('<w:t') ?? false
}

/** Counts the paragraphs of each list as Word does. */
class ListCounter {
  readonly #counts = new Map<string, Map<number, number>>()
  readonly #used = new Set<string>()
  /** Returns what Word shows before the next paragraph; empty for a bullet. */
  next({ numId, use, levels, level }: ListPlace): string {
    const counts = this.#counts.get(use.listId) ?? new Map<number, number>()
    this.#counts.set(use.listId, counts)
    const key = `${numId} ${level}`
    const start = this.#used.has(key) ? undefined : use.starts.get(level)
    this.#used.add(key)
    const before = counts.get(level)
    counts.set(
      level,
      start ?? (before === undefined ? (levels.get(level)?.start ?? 1) : before + 1),
    )
    for (const deeper of counts.keys())
      if (deeper > level && level < (levels.get(deeper)?.restartsBelow ?? deeper))
        counts.delete(deeper)
    const own = levels.get(level)
    if (!own?.by) return ''
    return own.shown.replace(/%(\d)/g, (_, place: string) => {
      const upper = levels.get(Number(place) - 1)
      if (upper?.by === 'none') return ''
      return formatListNumber(
        counts.get(Number(place) - 1) ?? upper?.start ?? 1,
        (!own.isLegal && upper?.by) || '1',
      )
    })
  }
}

/** Tracks the nesting of list items: by levels within a list, by indent between lists. */
class Nesting {
  #open: ListPlace[] = []

  /** Undefined where something else follows. */
  enter(item: ListPlace | undefined): number {
    if (!item || item.isHeading) {
      this.#open = []
      return 0
    }
    this.#open = this.#open.slice(0, this.#open.findLastIndex(other => isDeeper(item, other)) + 1)
    this.#open.push(item)
    return Math.min(MAX_DEPTH, this.#open.length - 1)
  }
}

function isDeeper(item: ListPlace, other: ListPlace): boolean {
  return item.use.listId === other.use.listId
    ? item.level > other.level
    : item.indent > other.indent
}
