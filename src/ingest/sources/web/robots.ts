const PRODUCT = 'passim'

/** RFC 9309 requires at least 500 KiB. */
export const MAX_ROBOTS_BYTES = 512 * 1024

/** Bounded, so that a site cannot stall a crawl. */
const MAX_DELAY_MS = 30_000

type Rule = {
  readonly allow: boolean
  readonly length: number
  readonly matches: (target: string) => boolean
}

/**
 * Rules of RFC 9309 for this product, else for all. robots-parser is not used: a differently
 * escaped URL evades it.
 */
export class Robots {
  readonly #rules: readonly Rule[]
  readonly delayMs: number
  readonly sitemaps: readonly string[]

  constructor(text: string) {
    const lines = text.split(/\r\n?|\n/).map(parseField)
    const group = findGroup(lines, PRODUCT) ?? findGroup(lines, '*') ?? []
    this.#rules = group.flatMap(([name, value]) => parseRule(name, value))
    const seconds = Number(group.find(([name]) => name === 'crawl-delay')?.[1] ?? 0)
    this.delayMs = seconds > 0 ? Math.min(seconds * 1000, MAX_DELAY_MS) : 0
    this.sitemaps = lines.flatMap(([name, value]) => (name === 'sitemap' && value ? [value] : []))
  }

  /** The longest matching rule decides; in a tie, the one that allows. */
  allows({ pathname, search }: URL): boolean {
    const target = normalize(pathname + search)
    const matching = this.#rules.filter(rule => rule.matches(target))
    const [best] = matching.toSorted(
      (a, b) => b.length - a.length || Number(b.allow) - Number(a.allow),
    )
    return best?.allow ?? true
  }
}

type Field = readonly [name: string, value: string]

function parseField(line: string): Field {
  const [name = '', ...value] = line.replace(/#.*/, '').split(':')
  return [name.trim().toLowerCase(), value.join(':').trim()]
}

function findGroup(fields: readonly Field[], product: string): readonly Field[] | undefined {
  const group: Field[] = []
  let isNamed = false
  let isOurs = false
  let wasAgent = false
  for (const field of fields) {
    const isAgent = field[0] === 'user-agent'
    if (isAgent) {
      const fits = field[1].toLowerCase() === product
      isOurs = (wasAgent && isOurs) || fits
      isNamed ||= fits
    } else if (isOurs) group.push(field)
    if (field[0] !== '') wasAgent = isAgent
  }
  return isNamed ? group : undefined
}

/** An empty Disallow forbids nothing. */
function parseRule(name: string, value: string): Rule[] {
  if ((name !== 'allow' && name !== 'disallow') || value === '') return []
  const path = normalize(value)
  return [{ allow: name === 'allow', length: path.length, matches: createMatcher(path) }]
}

/** Escapes only what needs it, in capitals (RFC 9309, 2.2.2), so that rules and URLs compare. */
function normalize(path: string): string {
  const escaped = path.replace(/[^\x21-\x7e]/gu, character =>
    [...Buffer.from(character)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  )
  return escaped.replace(/%[0-9a-f]{2}/gi, written => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : written.toUpperCase()
  })
}

/** `*` stands for anything, a final `$` for the end. A RegExp of many stars would take for ever. */
function createMatcher(path: string): (target: string) => boolean {
  const isAnchored = path.endsWith('$')
  const [start = '', ...parts] = (isAnchored ? path.slice(0, -1) : path).split(/\*+/)
  const end = isAnchored ? parts.pop() : undefined
  return target => {
    if (!target.startsWith(start)) return false
    let index = start.length
    for (const part of parts) {
      const found = target.indexOf(part, index)
      if (found < 0) return false
      index = found + part.length
    }
    if (!isAnchored) return true
    return end === undefined
      ? target.length === index
      : target.length - end.length >= index && target.endsWith(end)
  }
}
