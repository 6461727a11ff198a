import { withoutPolarity } from '../../text/polarity.ts'
import { anchorsIn } from './anchors.ts'
import type { Claim, ClaimReading } from './claims.ts'
import type { ReadStatement } from './read-statement.ts'

/** A number or content word of a text, in its order. */
type Token = { readonly key: string; readonly kind: string }

const NAME = 'name'
const WORD = 'word'

const WORDS = new Intl.Segmenter('zh', { granularity: 'word' })
const PASSIVE = /\bby\b|[被由]/u

/**
 * Two things of a statement stand in each other's place in the claim: `from 12 to 18` for `from 18 to 12`, the tenant notifies the
 * landlord. Other orders say the same otherwise.
 */
export function isExchanged(
  claim: Claim,
  { text, cells }: ReadStatement,
  reading: ClaimReading,
): 'numbers' | 'words' | undefined {
  if (cells) return undefined
  const [said, told] = [tokensOf(claim.text, reading), tokensOf(text, reading)]
  const common = said.filter(({ key }) => isOnce(key, said) && isOnce(key, told))
  const places = common.map(({ key }) => told.findIndex(other => other.key === key))
  const order = places.map(place => places.filter(other => other < place).length)
  const blocks = exchangedBlocks(order)
  if (!blocks) return undefined
  const moved = [...blocks.first, ...blocks.last].map(at => common[order.indexOf(at)]!) // an order is of all places
  const kinds = new Set(moved.map(({ kind }) => kind))
  const [kind = WORD] = kinds
  if (kinds.size > 1) return undefined
  if (kind !== WORD && kind !== NAME) return 'numbers'
  if (blocks.between === 0 || PASSIVE.test(claim.text) !== PASSIVE.test(text)) return undefined
  return kind === NAME ? 'numbers' : 'words'
}

/** The order is `0 … n` but for two runs that changed places, with what stands between them where it was. */
function exchangedBlocks(order: readonly number[]) {
  let start = 0
  while (order[start] === start) start++
  let end = order.length
  while (end > start && order[end - 1] === end - 1) end--
  const inner = order.slice(start, end).map(at => at - start)
  if (inner.length < 2) return undefined
  const [from, to] = [inner[0]!, inner.at(-1)! + 1] // it has two
  const range = (first: number, last: number) => Array.from({ length: last - first }, (_, at) => first + at)
  const last = range(from, inner.length)
  const first = range(0, to)
  if (to > from) return undefined
  const exchanged = [...last, ...range(to, from), ...first]
  if (exchanged.some((at, place) => inner[place] !== at)) return undefined
  return { first: first.map(at => at + start), last: last.map(at => at + start), between: from - to }
}

function isOnce(key: string, tokens: readonly Token[]): boolean {
  return tokens.filter(token => token.key === key).length === 1
}

function tokensOf(written: string, { terms }: ClaimReading): readonly Token[] {
  const text = withoutPolarity(written)
  const anchors = anchorsIn(text)
  const tokens: Token[] = []
  for (const { segment, index, isWordLike } of WORDS.segment(text)) {
    const anchor = anchors.find(({ span }) => span.start <= index && index < span.end)
    if (anchor?.span.start === index) tokens.push(anchor)
    if (anchor || !isWordLike) continue
    const key = terms
      .contentOf(segment)
      .map(term => term.text)
      .join('')
    if (key !== '') tokens.push({ key, kind: tokens.length > 0 && /^\p{Lu}/u.test(segment) ? NAME : WORD })
  }
  return tokens
}
