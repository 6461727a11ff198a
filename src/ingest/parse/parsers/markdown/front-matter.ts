import { parse, YAMLParseError } from 'yaml'
import { toIsoDate } from '../../../../text/iso-date.ts'
import type { Metadata } from '../../parser.ts'
import { hasProse } from '../../skipped-text.ts'

type Fields = ReadonlyMap<string, string>

/** Documented by Jekyll, Hugo, Pandoc, Docusaurus and Obsidian. */
const KNOWN_FIELDS = new Set(
  `title subtitle author authors date created updated modified lastmod lang language description summary abstract tags keywords
  categories category layout permalink slug draft published aliases weight id type version status`.split(
    /\s+/u,
  ),
)
const READ_FIELDS =
  /^(?:title|authors?|subject|keywords|tags|categor(?:y|ies)|date|created|updated|modified|lastmod|lang|language)$/
const FIELD = /^(?<name>\p{L}[\p{L}\p{N} _.-]{0,40}?)[ \t]*:(?:[ \t]+(?<value>.*))?$/u
const BELONGS_ABOVE = /^(?:\s|- |-$|#|$)/u

export function splitFrontMatter(section: string): {
  readonly body: string
  readonly metadata: Metadata
  readonly unread: number
} {
  const match = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*\n/.exec(section)
  const fields = match && readFields(match[1] ?? '')
  if (!match || !fields || ![...fields.keys()].some(name => KNOWN_FIELDS.has(name)))
    return { body: section, metadata: {}, unread: 0 }
  const topics = ['keywords', 'tags', 'categories', 'category'].flatMap(
    name => fields.get(name) ?? [],
  )
  const metadata = {
    title: fields.get('title'),
    author: fields.get('author') ?? fields.get('authors'),
    subject: fields.get('subject'),
    keywords: topics.join(', ') || undefined,
    created: toIsoDate(fields.get('date') ?? fields.get('created')),
    modified: toIsoDate(fields.get('updated') ?? fields.get('modified') ?? fields.get('lastmod')),
    language: fields.get('lang') ?? fields.get('language'),
  }
  const unread = [...fields].filter(([name, text]) => !READ_FIELDS.test(name) && hasProse(text))
  return { body: section.slice(match[0].length), metadata, unread: unread.length }
}

/** Accepts more than YAML, as real front matter does. */
function readFields(source: string): Fields | undefined {
  const parsed = parseYaml(source)
  if (parsed === undefined) return readLines(source)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  return new Map(Object.entries(parsed).flatMap(([name, value]) => toField(name, toText(value))))
}

function toField(name: string, text: string | undefined): readonly (readonly [string, string])[] {
  return text === undefined ? [] : [[name.toLowerCase(), text]]
}

function toText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.flatMap(item => toText(item) ?? []).join(', ') || undefined
  if (typeof value === 'object' && value !== null)
    return 'name' in value ? toText(value.name) : undefined
  return value === null || value === undefined ? undefined : String(value)
}

/** Keeps the first value of a repeated field. */
function readLines(source: string): Fields | undefined {
  const fields = new Map<string, string[]>()
  let values: string[] | undefined
  for (const line of source.split('\n')) {
    const field = FIELD.exec(line)?.groups
    if (field?.name) {
      values = [stripQuotes(field.value ?? '')]
      const name = field.name.toLowerCase()
      if (!fields.has(name)) fields.set(name, values)
    } else if (!BELONGS_ABOVE.test(line)) return undefined
    else if (/^\s*- /u.test(line)) values?.push(stripQuotes(line.replace(/^\s*- /u, '')))
  }
  return new Map(
    [...fields].flatMap(([name, texts]) =>
      toField(name, texts.filter(Boolean).join(', ') || undefined),
    ),
  )
}

function stripQuotes(value: string): string {
  const text = value.trim()
  const list = /^\[(.*)\]$/u.exec(text)?.[1]
  if (list !== undefined) return list.split(',').map(stripQuotes).filter(Boolean).join(', ')
  return /^(["'])(.*)\1$/u.exec(text)?.[2] ?? text
}

function parseYaml(source: string): unknown {
  try {
    return parse(source, { maxAliasCount: 10, logLevel: 'error' })
  } catch (error) {
    // ReferenceError: an alias that leads nowhere, or expands to too much.
    if (error instanceof YAMLParseError || error instanceof ReferenceError) return undefined
    throw error
  }
}
