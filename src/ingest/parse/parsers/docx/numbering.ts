import { formatListNumber, type Numbering } from '../office/list-numbers.ts'
import { findAttribute } from '../office/xml.ts'
import { findChild, findChildren, findDescendants, type XmlElement } from '../office/xml-tree.ts'
import {
  type DocxStyles,
  findHeadingLevel,
  findListStyle,
  isSwitchedOn,
  readValue,
} from './styles.ts'

type Level = {
  readonly start: number
  readonly by: Numbering | 'none' | undefined
  /** Pattern such as `%1.%2`, with the numbers of this and upper levels; or a bullet. */
  readonly pattern: string
  readonly isLegal: boolean
  readonly indent: number
  /** Levels after which it restarts; undefined for any upper one. */
  readonly restartsBelow: number | undefined
}

/** Use of a list (`w:num`). Continues the count of other uses unless it restarts. */
type ListUse = {
  readonly listId: string
  readonly starts: ReadonlyMap<number, number>
  readonly levels: ReadonlyMap<number, Level>
}

type List = {
  readonly levels: ReadonlyMap<number, Level>
  /** Levels of paragraph styles, by id. */
  readonly byStyle: ReadonlyMap<string, number>
  readonly styleLink?: string
}

type Numberings = {
  readonly lists: ReadonlyMap<string, List>
  readonly uses: ReadonlyMap<string, ListUse>
}

/** `w:numFmt` if not decimal. */
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
/** Levels of a list (ECMA-376, 17.9.3). */
const MAX_DEPTH = 9
const LEVEL = /^[0-8]$/

export function readNumbering(root: XmlElement | undefined): Numberings {
  const readById = <Value>(name: string, id: string, read: (element: XmlElement) => Value) =>
    new Map(
      findChildren(root, name).map(element => [
        findAttribute(element.attributes, id) ?? '',
        read(element),
      ]),
    )
  return {
    lists: readById('abstractNum', 'abstractNumId', readList),
    uses: readById('num', 'numId', readListUse),
  }
}

function readList(element: XmlElement): List {
  const levels = findChildren(element, 'lvl')
  return {
    levels: readLevels(levels),
    byStyle: new Map(
      levels.map(level => [readValue(level, 'pStyle') ?? '', readLevelNumber(level)]),
    ),
    styleLink: readValue(element, 'numStyleLink'),
  }
}

function readLevels(levels: readonly XmlElement[]): ReadonlyMap<number, Level> {
  const written = levels.filter(level => findChildren(level).length > 0)
  return new Map(written.map(level => [readLevelNumber(level), readLevel(level)]))
}

function readLevelNumber(element: XmlElement): number {
  return Number(findAttribute(element.attributes, 'ilvl') ?? 0)
}

function readLevel(element: XmlElement): Level {
  const [numberFormat] = findDescendants(element, 'numFmt')
  const format = findAttribute(numberFormat?.attributes ?? {}, 'val') ?? 'decimal'
  const restart = readValue(element, 'lvlRestart')
  return {
    start: Number(/^\d{1,9}/.exec(readValue(element, 'start') ?? '')?.[0] ?? 1),
    by: format === 'bullet' ? undefined : format === 'none' ? format : (FORMATS.get(format) ?? '1'),
    pattern: readValue(element, 'lvlText') ?? '',
    isLegal: isSwitchedOn(element, 'isLgl'),
    indent: readIndent(findChild(element, 'pPr')) ?? 0,
    restartsBelow: LEVEL.test(restart ?? '') ? Number(restart) : undefined,
  }
}

function readListUse(element: XmlElement): ListUse {
  const overrides = findChildren(element, 'lvlOverride')
  const starts = overrides.flatMap(override => {
    const start = readValue(override, 'startOverride')
    return start === undefined ? [] : [[readLevelNumber(override), Number(start)] as const]
  })
  return {
    listId: readValue(element, 'abstractNumId') ?? '',
    starts: new Map(starts),
    levels: readLevels(overrides.flatMap(override => findChildren(override, 'lvl'))),
  }
}

/** Returns twentieths of a point. */
function readIndent(properties: XmlElement | undefined): number | undefined {
  const { attributes } = findChild(properties, 'ind') ?? {}
  const left =
    attributes && (findAttribute(attributes, 'left') ?? findAttribute(attributes, 'start'))
  return left !== undefined && /^-?\d+$/.test(left) ? Number(left) : undefined
}

type Numbered = { readonly styles: DocxStyles; readonly numbering: Numberings }

export type ListItem = {
  readonly depth: number
  readonly number: string
  readonly isHeading: boolean
}

export class ListNumbers {
  readonly #numbered: Numbered
  readonly #counter = new ListCounter()
  readonly #nesting = new Nesting()

  constructor(numbered: Numbered) {
    this.#numbered = numbered
  }

  count(properties: XmlElement | undefined): ListItem | undefined {
    const place = findListPlace(properties, this.#numbered)
    const depth = this.#nesting.enter(place)
    return place && { depth, number: this.#counter.next(place), isHeading: place.isHeading }
  }
}

type ListPlace = {
  readonly numId: string
  readonly use: ListUse
  readonly levels: ReadonlyMap<number, Level>
  readonly level: number
  readonly indent: number
  readonly isHeading: boolean
}

function findListPlace(
  properties: XmlElement | undefined,
  { styles, numbering }: Numbered,
): ListPlace | undefined {
  const styleId = readValue(properties, 'pStyle')
  const own = findChild(properties, 'numPr')
  const styled = findListStyle(styleId, styles)
  const numId = readValue(own, 'numId') ?? styled?.style.numId ?? ''
  const use = findListUse(numId, { styles, numbering })
  const list = numbering.lists.get(use?.listId ?? '')
  if (!use || !list) return undefined
  const written =
    readValue(own, 'ilvl') ?? list.byStyle.get(styled?.id ?? '') ?? styled?.style.listLevel
  const level = LEVEL.test(`${written}`) ? Number(written) : 0
  const levels = use.levels.size > 0 ? new Map([...list.levels, ...use.levels]) : list.levels
  const indent = readIndent(properties) ?? levels.get(level)?.indent ?? 0
  const isHeading = findHeadingLevel(styleId, styles) !== undefined
  return { numId, use, levels, level, indent, isHeading }
}

function findListUse(numId: string, { styles, numbering }: Numbered): ListUse | undefined {
  const use = numbering.uses.get(numId)
  const link = numbering.lists.get(use?.listId ?? '')?.styleLink
  return link === undefined ? use : numbering.uses.get(styles.get(link)?.numId ?? '')
}

/** Counts as Word does. */
class ListCounter {
  readonly #counts = new Map<string, Map<number, number>>()
  readonly #used = new Set<string>()
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
    return own.pattern.replace(/%(\d)/g, (_, place: string) => {
      const upper = levels.get(Number(place) - 1)
      if (upper?.by === 'none') return ''
      return formatListNumber(
        counts.get(Number(place) - 1) ?? upper?.start ?? 1,
        (!own.isLegal && upper?.by) || '1',
      )
    })
  }
}

/** Nests by levels within a list, by indent between lists. */
class Nesting {
  #open: ListPlace[] = []

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
