/** The name that robots.txt files may call us by. */
const PRODUCT = 'passim'

/** RFC 9309 asks for at least so much of a file to be read. */
export const MAX_ROBOTS_BYTES = 512 * 1024

/** Politeness has an end: no site makes us wait longer between two pages. */
const MAX_DELAY_MS = 30_000

type Rule = {
  readonly allow: boolean
  readonly length: number
  readonly matches: (target: string) => boolean
}

/**
 * What a site asks of programs that read it (RFC 9309): the group that names us, else the one for all. Not by robots-parser,
 * which an address escaped in another way gets around.
 */
export class Robots {
  readonly #rules: readonly Rule[]
  /** Between two requests, in milliseconds. */
  readonly delayMs: number
  readonly sitemaps: readonly string[]

  constructor(text: string) {
    const lines = text.split(/\r\n?|\n/).map(fieldOf)
    const group = groupOf(lines, PRODUCT) ?? groupOf(lines, '*') ?? []
    this.#rules = group.flatMap(([name, value]) => ruleOf(name, value))
    const seconds = Number(group.find(([name]) => name === 'crawl-delay')?.[1] ?? 0)
    this.delayMs = seconds > 0 ? Math.min(seconds * 1000, MAX_DELAY_MS) : 0
    this.sitemaps = lines.flatMap(([name, value]) => (name === 'sitemap' && value ? [value] : []))
  }

  /** The longest rule that fits decides; of two as long, the one that allows. */
  allows({ pathname, search }: URL): boolean {
    const target = normalized(pathname + search)
    const matching = this.#rules.filter(rule => rule.matches(target))
    const [best] = matching.toSorted(
      (a, b) => b.length - a.length || Number(b.allow) - Number(a.allow),
    )
    return best?.allow ?? true
  }
}

type Field = readonly [name: string, value: string]

function fieldOf(line: string): Field {
  const [name = '', ...value] = line.replace(/#.*/, '').split(':')
  return [name.trim().toLowerCase(), value.join(':').trim()]
}

/** The fields of every group that names the product; undefined when none does. */
function groupOf(fields: readonly Field[], product: string): readonly Field[] | undefined {
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
function ruleOf(name: string, value: string): Rule[] {
  if ((name !== 'allow' && name !== 'disallow') || value === '') return []
  const path = normalized(value)
  return [{ allow: name === 'allow', length: path.length, matches: matcherOf(path) }]
}

/** Rules and addresses are compared in one spelling (RFC 9309, 2.2.2): only what needs an escape has one, in capitals. */
function normalized(path: string): string {
  const escaped = path.replace(/[^\x21-\x7e]/gu, character =>
    [...Buffer.from(character)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  )
  return escaped.replace(/%[0-9a-f]{2}/gi, written => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : written.toUpperCase()
  })
}

/** `*` stands for anything, a last `$` for the end. Not by a RegExp, which a path full of stars would keep busy for ever. */
function matcherOf(path: string): (target: string) => boolean {
  const isAnchored = path.endsWith('$')
  const [start = '', ...parts] = (isAnchored ? path.slice(0, -1) : path).split(/\*+/)
  const end = isAnchored ? parts.pop() : undefined
  return target => {
    if (!target.startsWith(start)) return false
    let at = start.length
    for (const part of parts) {
      const found = target.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    if (!isAnchored) return true
    return end === undefined
      ? target.length === at
      : target.length - end.length >= at && target.endsWith(end)
  }
}
