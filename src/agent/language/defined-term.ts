import { bareQuestion } from './bare-question.ts'

/** Ways to ask what a word means. */
const ASKS: readonly RegExp[] = [
  /^what(?:['’]s|\s+(?:is|are))\s+(?:meant\s+by\s+)?(?:the\s+(?:meaning|definition)\s+of\s+)?(?:an?\s+|the\s+)?["“'‘]?(?<term>[\p{L}\p{N}][\p{L}\p{N} ./-]{0,40}?)["”'’]?$/iu,
  /^what\s+does\s+(?:the\s+(?:term|word)\s+)?["“'‘]?(?<term>[\p{L}\p{N}][\p{L}\p{N} ./-]{0,40}?)["”'’]?\s+(?:mean|stand\s+for|refer\s+to)$/iu,
  /^(?:请问)?(?:什么是|什么叫|何谓|何为)["“「]?(?<term>[^，。"”」]{1,20}?)["”」]?$/u,
  /^["“「]?(?<term>[^，。的"”」]{1,20}?)["”」]?(?:是什么意思|指的?是什么|是什么|是指什么|的(?:定义|含义|意思)是什么)$/u,
]

/** The word that a question asks the meaning of, as `plain` writes it; undefined where it asks for something else. */
export function definedTerm(question: string): string | undefined {
  const bare = bareQuestion(question)
  if (bare === undefined) return undefined
  const term = ASKS.map(form => bare.match(form)?.groups?.term).find(Boolean)
  return term === undefined ? undefined : plain(term)
}

/** What stands after a word where a sentence defines it. */
const DEFINES =
  /^\s*(?:[(（][^)）]{1,40}[)）]\s*)?(?:[:：]|[—–]|\s-\s|\b(?:(?:is|are)(?!\s+(?:not|\w+ed (?:at|by|for|from|in|on|to|until|with))\b)|means?|refers? to|stands? for)\b|，?(?:是指|指的?是|指(?![定导示出派])|即(?![将使便可])|是(?!否)))/iu

/** A text that begins by saying what a term is. */
export function beginsWithDefinition(text: string, term: string): boolean {
  const start = text.trimStart().replace(/^["“'‘「]/u, '')
  if (!plain(start.slice(0, term.length * 2 + 2)).startsWith(term)) return false
  for (let end = 1; end <= Math.min(start.length, term.length * 2 + 2); end++)
    if (plain(start.slice(0, end)) === term && DEFINES.test(start.slice(end).replace(/^["”'’」]/u, ''))) return true
  return false
}

/** A term without what is written in many ways: case, plural, marks, spaces. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=[a-z]{3})s$/, '')
}
