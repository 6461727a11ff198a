import { parse, YAMLParseError } from 'yaml'
import { isoDate } from '../../../text/iso-date.ts'
import type { Metadata } from '../../parser.ts'

/** YAML between `---` lines at the very start describes the document and is none of its text. */
export function splitFrontMatter(section: string): { readonly body: string; readonly metadata: Metadata } {
  const match = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*\n/.exec(section)
  const fields = match && readFields(match[1]!) // the pattern has it
  if (!match || !fields) return { body: section, metadata: {} }
  const metadata = {
    title: fields.get('title'),
    author: fields.get('author') ?? fields.get('authors'),
    created: isoDate(fields.get('date') ?? fields.get('created')),
    modified: isoDate(fields.get('updated') ?? fields.get('modified') ?? fields.get('lastmod')),
    language: fields.get('lang') ?? fields.get('language'),
  }
  return { body: section.slice(match[0].length), metadata }
}

/** Scalars by name, with lists joined; undefined if it is no YAML mapping. */
function readFields(source: string): ReadonlyMap<string, string> | undefined {
  const parsed = parseYaml(source)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  const entries = Object.entries(parsed).filter(([, value]) => value !== null && value !== undefined)
  return new Map(
    entries.map(([key, value]) => [key.toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value)]),
  )
}

/** Returns undefined for what is no YAML: two rules with prose between them look like front matter. */
function parseYaml(source: string): unknown {
  try {
    return parse(source, { maxAliasCount: 10, logLevel: 'error' })
  } catch (error) {
    // An alias that leads nowhere, or expands to too much, is a ReferenceError.
    if (error instanceof YAMLParseError || error instanceof ReferenceError) return undefined
    throw error
  }
}
