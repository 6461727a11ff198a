import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import { TimeSlices } from '../../system/time-slices.ts'
import type { Language } from '../../text/language.ts'
import { findOwnDate } from './document-dates.ts'
import { detectKind, findKind, nameKind } from './document-kinds.ts'
import { getLanguageTag, nameLanguage } from './document-languages.ts'
import type { DocumentGroup } from './inventory-grammar.ts'

/** `attributes`: names of an attribute of the user, of which one is used. */
export type Grouping = DocumentGroup | { readonly attributes: readonly string[] }

export type NamedCollection = Pick<Collection, 'id' | 'name'>

export type DocumentCount = {
  /** Absent for documents without the property. */
  readonly value?: string
  readonly documents: number
}

/** Characters, so that an answer stays readable. */
const MAX_VALUE_CHARS = 100
/** Groups in a sentence, as many as documents in an answer. */
const MAX_GROUPS = 50

const LIST_SEPARATOR = { authors: /[;；、]/u, tags: /[,;，；、]/u } as const
const ATTRIBUTES = { authors: ['author', '作者'], tags: ['tag', '标签'] } as const

export async function countByGroup(
  documents: readonly Document[],
  grouping: Grouping,
  collections: readonly NamedCollection[],
): Promise<readonly DocumentCount[]> {
  const slices = new TimeSlices()
  const listValues = createReader(documents, grouping, collections)
  const counts = new Map<string | undefined, number>()
  for (const document of documents) {
    if (slices.isOver) await slices.next()
    const values = new Set(listValues(document).map(shortenValue).filter(Boolean))
    for (const value of values.size > 0 ? values : [undefined])
      counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([value, count]) => ({ ...(value !== undefined && { value }), documents: count }))
}

type ValueReader = (document: Document) => readonly (string | undefined)[]

function createReader(
  documents: readonly Document[],
  grouping: Grouping,
  collections: readonly NamedCollection[],
): ValueReader {
  if (typeof grouping === 'object')
    return ({ attributes }) => listAttribute(attributes, grouping.attributes)
  const listOwn = (group: 'authors' | 'tags', { attributes }: Document, text = '') => {
    const stated = listAttribute(attributes, ATTRIBUTES[group])
    return stated.length > 0 ? stated : text.split(LIST_SEPARATOR[group])
  }
  if (grouping === 'folders') return createFolderReader(documents)
  const names = new Map(collections.map(({ id, name }) => [id, name]))
  const readers: Readonly<Record<Exclude<DocumentGroup, 'folders'>, ValueReader>> = {
    kinds: document => [detectKind(document)],
    languages: document => [getLanguageTag(document)],
    years: document => [findOwnDate(document)?.formatted.slice(0, 4)],
    authors: document => listOwn('authors', document, document.metadata.author),
    tags: document => listOwn('tags', document, document.metadata.keywords),
    collections: ({ collectionId }) => [names.get(collectionId)],
  }
  return readers[grouping]
}

function createFolderReader(documents: readonly Document[]): ValueReader {
  const splitPath = ({ source }: Document) => source.split(/[/\\]/u).slice(0, -1)
  const paths = documents.map(splitPath)
  const [first = []] = paths
  const other = first.findIndex((part, depth) => paths.some(path => path[depth] !== part))
  const shared = other < 0 ? first.length : other
  return document => {
    const path = splitPath(document)
    return [path.slice(shared).join('/') || path.at(-1)]
  }
}

function listAttribute(
  attributes: Document['attributes'],
  names: readonly string[],
): readonly string[] {
  const wanted = new Set(names.map(foldName))
  return Object.entries(attributes)
    .filter(([name]) => wanted.has(foldName(name)))
    .map(([, value]) => String(value))
}

function foldName(name: string): string {
  return name.toLowerCase().replaceAll('_', ' ').replace(/s$/u, '')
}

function shortenValue(value = ''): string {
  return value.replace(/\s+/gu, ' ').trim().slice(0, MAX_VALUE_CHARS)
}

/** `%` stands for the value, and for the number of groups, `@` for the attribute. */
type GroupWords = {
  readonly none: string
  readonly value: string
  readonly groups: string
  readonly group: string
}

const ENGLISH_WORDS: Readonly<Record<DocumentGroup, GroupWords>> = {
  kinds: { none: 'other', value: '%', group: 'of % kind', groups: 'of % kinds' },
  languages: { none: 'unknown', value: '%', group: 'in % language', groups: 'in % languages' },
  folders: {
    none: 'in no folder',
    value: 'in “%”',
    group: 'in % folder',
    groups: 'in % folders',
  },
  years: { none: 'without a date', value: 'from %', group: 'from % year', groups: 'from % years' },
  authors: {
    none: 'without an author',
    value: 'by %',
    group: 'by % author',
    groups: 'by % authors',
  },
  tags: { none: 'without a tag', value: 'tagged “%”', group: 'with % tag', groups: 'with % tags' },
  collections: {
    none: 'in no collection',
    value: 'in “%”',
    group: 'in % searched collection',
    groups: 'in % searched collections',
  },
}

const CHINESE_WORDS: Readonly<Record<DocumentGroup, Omit<GroupWords, 'group'>>> = {
  kinds: { none: '其他', value: '%', groups: '% 种格式' },
  languages: { none: '语言不明', value: '%', groups: '% 种语言' },
  folders: { none: '不在文件夹中的', value: '文件夹“%”', groups: '% 个文件夹' },
  years: { none: '没有日期的', value: '%年', groups: '% 个年份' },
  authors: { none: '没有作者的', value: '作者“%”', groups: '% 位作者' },
  tags: { none: '没有标签的', value: '标签“%”', groups: '% 个标签' },
  collections: { none: '不在文档集中的', value: '文档集“%”', groups: '% 个检索到的文档集' },
}

const ATTRIBUTE_WORDS: Readonly<Record<Language, GroupWords>> = {
  en: {
    none: 'without “@”',
    value: 'with “@” %',
    group: 'with % value of “@”',
    groups: 'with % values of “@”',
  },
  zh: { none: '没有“@”的', value: '@“%”', group: '% 种“@”', groups: '% 种“@”' },
}

function findWords(grouping: Grouping, language: Language): GroupWords {
  if (typeof grouping === 'object') return ATTRIBUTE_WORDS[language]
  if (language === 'en') return ENGLISH_WORDS[grouping]
  const words = CHINESE_WORDS[grouping]
  return { ...words, group: words.groups }
}

function nameValue(value: string, grouping: Grouping, language: Language): string {
  const kind = grouping === 'kinds' ? findKind(value) : undefined
  if (kind) return nameKind(kind, language)
  return grouping === 'languages' ? nameLanguage(value, language) : value
}

/** `groups` states how many there are; it is empty if there are none. */
export function describeCounts(
  language: Language,
  counts: readonly DocumentCount[],
  grouping: Grouping,
): { readonly groups: string; readonly list: string } {
  const isChinese = language === 'zh'
  const words = findWords(grouping, language)
  const attribute = typeof grouping === 'object' ? (grouping.attributes[0] ?? '') : ''
  const fill = (pattern: string, value = '') =>
    pattern.replace(/[%@]/g, sign => (sign === '%' ? value : attribute))
  const named = counts.map(({ value, documents }) => {
    const name =
      value === undefined
        ? fill(words.none)
        : fill(words.value, nameValue(value, grouping, language))
    return isChinese ? `${name} ${documents} 份` : `${documents} ${name}`
  })
  const more = named.length - MAX_GROUPS
  const rest = isChinese ? `另有 ${more} 组` : `and ${more} more groups`
  const shown = [...named.slice(0, MAX_GROUPS), ...(more > 0 ? [rest] : [])]
  const groups = counts.filter(({ value }) => value !== undefined).length
  const pattern = groups === 1 ? words.group : words.groups
  return {
    groups: groups === 0 ? '' : fill(pattern, String(groups)),
    list: shown.join(isChinese ? '、' : ', '),
  }
}
