import { hasWords, type SkippedText } from '../skipped-text.ts'

/** Bounds the growth of a text by references. */
const MAX_ENTITY_CHARS = 1_000
const MAX_ENTITIES = 1_000
const COMMENT = /<!--(.*?)-->/gs
const ENTITY =
  /<!ENTITY\s+(?<parameter>%\s+)?(?<name>[^\s%"'<>&;]+)\s+(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<external>SYSTEM|PUBLIC)\s[^<>]*)\s*>/g
const DEFAULT_VALUE = /<!ATTLIST\s[^<>"']*(?:"([^"]*)"|'([^']*)')/g
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([^\s#&;]+));/g

const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/**
 * Returns the texts of the internal entities of a DTD (XML 1.0, 4.2.1) by their names. External
 * ones are empty and counted: nothing is opened.
 */
export function readEntities(doctype: string, skipped: SkippedText): ReadonlyMap<string, string> {
  const declarations = countUnread(doctype, skipped)
  const entities = new Map<string, string>()
  for (const { groups = {} } of declarations.matchAll(ENTITY)) {
    const { parameter, name = '', double, single, external } = groups
    if (external) skipped.add('linked files')
    const text = external ? '' : resolveReferences(double ?? single ?? '', entities)
    const isNew = !entities.has(name) && entities.size < MAX_ENTITIES
    if (!parameter && isNew && text !== undefined) entities.set(name, text)
  }
  return entities
}

/** Returns the DTD without its comments. */
function countUnread(doctype: string, skipped: SkippedText): string {
  for (const [, comment = ''] of doctype.matchAll(COMMENT))
    skipped.add('comments', hasWords(comment) ? 1 : 0)
  const declarations = doctype.replace(COMMENT, '')
  for (const [, double, single] of declarations.matchAll(DEFAULT_VALUE))
    skipped.add('attributes', hasWords(double ?? single ?? '') ? 1 : 0)
  return declarations
}

function resolveReferences(
  value: string,
  entities: ReadonlyMap<string, string>,
): string | undefined {
  if (value.length > MAX_ENTITY_CHARS) return undefined
  let isResolved = true
  const text = value.replace(REFERENCE, (_, decimal?: string, hex?: string, name = '') => {
    if (decimal) return toCharacter(Number(decimal))
    if (hex) return toCharacter(Number.parseInt(hex, 16))
    const referred = BUILT_IN.get(name) ?? entities.get(name)
    isResolved &&= referred !== undefined
    return referred ?? ''
  })
  const plain = text.replace(/<[^<>]*>/g, ' ')
  return isResolved && plain.length <= MAX_ENTITY_CHARS ? plain : undefined
}

function toCharacter(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
