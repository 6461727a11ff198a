import type { Document } from '../../ingest/catalog/document.ts'
import type { AskRequest } from '../answer.ts'
import { isHeld, type Terms } from '../language/terms.ts'
import type { Evidence } from './evidence.ts'
import type { Rankings } from './evidence-finder.ts'
import { tidied } from './named-document.ts'
import { withoutNames } from './overview-question.ts'

const COMPARES =
  /\b(?:compare[ds]?|comparison|differ(?:s|ences?|ent)?|versus|vs\.?)\b|相比|比较|对比|区别|差异|差别|不同|分别|各(?:自|是)?/giu
const ALL =
  /\b(?:list|name|enumerate|show|find)\b.{0,20}\b(?:all|every|each)\b|\bwhat are all\b|(?:列出|列举|找出|给出).{0,8}(?:所有|全部|每)|(?:所有|全部)的?.{0,20}(?:有哪些|是哪些|是什么|列)/iu

const BETWEEN = /^\s*what (?:is|are) the differences?\s+(?:between|in|of)\s+/iu

/** More documents than this are not compared one by one. */
const MAX_COMPARED = 4

/** One of the things that are compared: what to call it, what to look for, and where, if that is one document. */
export type Compared = { readonly label: string; readonly text: string; readonly documentId?: string }

/** What a question compares, document by document or thing by thing; nothing when it does not compare. */
export function comparedIn({ question, documents }: Pick<AskRequest, 'question' | 'documents'>): readonly Compared[] {
  if (question.search(COMPARES) < 0) return []
  const all = documents()
  const named = all.filter(document => withoutNames(question, document) !== question)
  if (named.length >= 2 && named.length <= MAX_COMPARED) return byDocument(question, named)
  const called = named.length < 2 ? namedByWords(question, all) : []
  if (called.length < 2 || called.length > MAX_COMPARED) return byThing(question, named)
  return byDocument(called.reduce(withoutWordsOf, question), called)
}

function byDocument(question: string, documents: readonly Document[]): readonly Compared[] {
  const bare = documents.reduce((text, document) => withoutNames(text, document), question)
  const text = tidied(bare.replace(BETWEEN, '').replace(COMPARES, ' '))
  return documents.map(({ id, name }) => ({ label: name, text: text || question, documentId: id }))
}

/** Documents that are called by a word of their name that no other has: `the lease` of `lease-2023.pdf`. */
function namedByWords(question: string, documents: readonly Document[]): readonly Document[] {
  const words = documents.map(wordsOf)
  const isOwn = (word: string, at: number) => words.every((others, other) => other === at || !others.has(word))
  return documents.filter(
    (_, at) => [...words[at]!].some(word => wordPattern(word).test(question) && isOwn(word, at)), // one each
  )
}

function withoutWordsOf(question: string, document: Document): string {
  return [...wordsOf(document)].reduce((text, word) => text.replace(wordPattern(word), ' '), question)
}

const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })

function wordsOf({ name, title }: Document): ReadonlySet<string> {
  const names = `${name.replace(/\.[^.]+$/, '')} ${title}`.toLowerCase().replaceAll('_', ' ')
  const segments = [...SEGMENTER.segment(names)]
  const words = segments.filter(part => part.isWordLike).map(part => part.segment)
  return new Set(words.filter(word => (/\p{Script=Han}/u.test(word) ? word.length > 1 : /^\p{L}{4,}$/u.test(word))))
}

/** The words of names hold nothing but letters. */
function wordPattern(word: string): RegExp {
  return /\p{Script=Han}/u.test(word) ? new RegExp(word, 'u') : new RegExp(`\\b${word}s?\\b`, 'iu')
}

/** The two things of a comparison, in the ways to put it. Bounded, so that no question takes long to read. */
const TWO_THINGS: readonly RegExp[] = [
  /\bdifferences?\s+between\s+(?<one>.{2,80}?)\s+and\s+(?<other>.{2,80}?)[?.!]*$/iu,
  /\bcompare\s+(?<one>.{2,80}?)\s+(?:and|with|to|against|versus|vs\.?)\s+(?<other>.{2,80}?)[?.!]*$/iu,
  /\bhow\s+(?:do|does|is|are)\s+(?<one>.{2,80}?)\s+(?:differ|different)\s+from\s+(?<other>.{2,80}?)[?.!]*$/iu,
  /\bhow\s+(?:do|does)\s+(?<one>.{2,80}?)\s+and\s+(?<other>.{2,80}?)\s+differ\b/iu,
  /^(?<one>.{2,80}?)\s+(?:versus|vs\.?)\s+(?<other>.{2,80}?)[?.!]*$/iu,
  /^(?:请)?(?:比较|对比)(?:一下)?(?<one>.{2,40}?)(?:[和与跟及]|(?<![合相共如等协])同)(?<other>.{2,40}?)[。？?]*$/u,
  /^(?<one>.{2,40}?)(?:[和与跟及]|(?<![合相共如等协])同)(?<other>.{2,40}?)(?:之间)?(?:的)?(?:有(?:什么|何|哪些)?|的)?(?:区别|差异|差别|不同)/u,
]

/** Of a thing that is a document, what is asked is looked for in that one. */
function byThing(question: string, documents: readonly Document[]): readonly Compared[] {
  const found = TWO_THINGS.map(pattern => question.trim().match(pattern)?.groups).find(Boolean)
  const { one = '', other = '' } = found ?? {}
  if (one === '' || other === '') return []
  const things = [
    { label: one.trim(), text: withTail(one.trim(), other.trim()) },
    { label: other.trim(), text: withHead(one.trim(), other.trim()) },
  ]
  return things.map(thing => {
    const document = documents.find(each => withoutNames(thing.text, each) !== thing.text)
    const text = document && tidied(withoutNames(thing.text, document))
    return document && text ? { label: document.name, text, documentId: document.id } : thing
  })
}

/** What tells of a thing names it, or its passage or document does; another document that is compared speaks for itself alone. */
export function aboutThing(
  evidence: Rankings,
  { label, documentId }: Compared,
  compared: readonly Compared[],
  terms: Terms,
): Rankings {
  if (documentId) return evidence
  const others = new Set(compared.map(one => one.documentId))
  const points = terms.pointsOf(label)
  const names = ({ unit: { text, columns = [], passage }, isAcross }: Evidence) => {
    if (isAcross || points.length === 0) return true
    const there = terms.of([text, ...columns, passage.title, passage.name, ...passage.headings].join('\n'))
    return points.some(point => isHeld(point, there))
  }
  return evidence.map(ranking => ranking.filter(one => !others.has(one.unit.passage.documentId) && names(one)))
}

/** `年假和病假的天数` asks for the days of both. */
function withTail(one: string, other: string): string {
  const tail = other.includes('的') && !one.includes('的') ? other.slice(other.indexOf('的')) : ''
  return one + tail
}

/** `the notice periods of the lease and the contract` asks for those of both. */
function withHead(one: string, other: string): string {
  const head = one.match(/^.*?\s(?:of|for|in|under|at|on)\s/i)?.[0] ?? ''
  return /\s(?:of|for|in|under|at|on)\s/i.test(other) ? other : head + other
}

const ASKING =
  /^\s*(?:please\s+)?(?:list|name|enumerate|show|find)(?:\s+me)?\s+|\b(?:all|every|each)(?:\s+(?:of\s+)?the)?\b|列出|列举|找出|给出|所有|全部/giu

/** What everything is asked of in a question that asks for all of a kind; undefined for every other question. */
export function everythingIn(question: string): string | undefined {
  return ALL.test(question) ? question.replace(ASKING, ' ').trim() || question : undefined
}
