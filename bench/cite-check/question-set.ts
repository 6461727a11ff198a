import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { bare, readSource, type SourceDocument, type Unit } from './document.ts'

export const KINDS = [
  'fact',
  'how-to',
  'list',
  'definition',
  'row',
  'comparison',
  'yes-no',
  'parts',
  'across',
] as const
type QuestionKind = (typeof KINDS)[number]

export type Half = 'development' | 'held-out'

export type ProofQuestion = {
  readonly id: string
  /** The two questions of a pair have the same number. */
  readonly pair: string
  readonly document: string
  readonly kind: QuestionKind
  readonly question: string
  readonly answerable: boolean
  /** In which way the documents nearly answer an unanswerable question. */
  readonly near?: string
  /** What a right answer says, each with its other spellings; `yes` and `no` stand for the turn of the evidence. */
  readonly facts: readonly (readonly string[])[]
  readonly evidence: readonly Unit[]
}

/** Two sentences of which one has been changed a little. */
export type ClaimPair = {
  readonly id: string
  readonly document: string
  readonly change: string
  readonly stated: string
  readonly changed: string
  readonly evidence: readonly Unit[]
}

export type QuestionSet = {
  readonly documents: ReadonlyMap<string, SourceDocument>
  readonly questions: readonly ProofQuestion[]
  readonly claims: readonly ClaimPair[]
}

/** Reads the whole set from its folder, and throws where it contradicts itself. */
export function readQuestionSet(folder: URL): QuestionSet {
  const ids = readdirSync(new URL('sources/', folder)).map(name => name.replace(/\.md$/, ''))
  const sources = ids
    .sort()
    .map(id => readSource(id, readFileSync(new URL(`sources/${id}.md`, folder), 'utf8')))
  const documents = new Map(sources.map(source => [source.id, source]))
  const linesOf = (path: string) => meaningfulLines(readFileSync(new URL(path, folder), 'utf8'))
  return {
    documents,
    questions: sources.flatMap(document =>
      readQuestions(document, linesOf(`questions/${document.id}.txt`)),
    ),
    claims: sources.flatMap(document => readClaims(document, linesOf(`claims/${document.id}.txt`))),
  }
}

/**
 * Which half a document is in: of the documents of a language in the order of the hashes of their ids, the first half
 * is for development. So the ids alone decide.
 */
export function halfOf(id: string, ids: readonly string[]): Half {
  const order = ids
    .filter(other => other.slice(0, 2) === id.slice(0, 2))
    .sort((a, b) => (hash(a) < hash(b) ? -1 : 1))
  return order.indexOf(id) < order.length / 2 ? 'development' : 'held-out'
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

const meaningfulLines = (text: string): string[] =>
  text.split('\n').filter(line => line.trim() && !line.startsWith('#'))

const fieldsOf = (line: string): string[] => line.split('::').map(field => field.trim())

/** A line `kind :: question :: facts :: evidence`, and below it `~ how near :: question`. */
export function readQuestions(document: SourceDocument, lines: readonly string[]): ProofQuestion[] {
  return lines.map((line, index) => {
    const pair = `${document.id}-${String(Math.floor(index / 2) + 1).padStart(2, '0')}`
    return index % 2 ? readUnanswerable(document, pair, line) : readAnswerable(document, pair, line)
  })
}

function readAnswerable(document: SourceDocument, pair: string, line: string): ProofQuestion {
  const [kind, question, facts, evidence] = fieldsOf(line)
  if (!isKind(kind) || !question || facts === undefined || !evidence)
    throw new Error(`${pair}: cannot read ${line}`)
  return {
    id: `${pair}a`,
    pair,
    document: document.id,
    kind,
    question,
    answerable: true,
    facts:
      facts === '-'
        ? []
        : facts.split(';').map(fact => fact.split(' = ').map(spelling => spelling.trim())),
    evidence: evidence.split(' // ').map(words => unitWith(document, words, pair)),
  }
}

function readUnanswerable(document: SourceDocument, pair: string, line: string): ProofQuestion {
  const [near, question] = fieldsOf(line)
  if (!near?.startsWith('~') || !question) throw new Error(`${pair}: cannot read ${line}`)
  const answerable = {
    id: `${pair}u`,
    pair,
    document: document.id,
    kind: 'fact',
    question,
    answerable: false,
  } as const
  return { ...answerable, near: near.slice(1).trim(), facts: [], evidence: [] }
}

const isKind = (kind: string | undefined): kind is QuestionKind =>
  KINDS.some(known => known === kind)

/** A line `+ true sentence :: evidence`, and below it `- change :: false sentence`. */
function readClaims(document: SourceDocument, lines: readonly string[]): ClaimPair[] {
  return lines.flatMap((line, index) => {
    if (index % 2) return []
    const id = `${document.id}-c${String(index / 2 + 1).padStart(2, '0')}`
    const [stated, evidence] = fieldsOf(line)
    const [change, changed] = fieldsOf(lines[index + 1] ?? '')
    if (!stated?.startsWith('+') || !evidence || !change?.startsWith('-') || !changed)
      throw new Error(`${id}: cannot read ${line}`)
    const units = evidence.split(' // ').map(words => unitWith(document, words, id))
    const sides = { stated: stated.slice(1).trim(), change: change.slice(1).trim(), changed }
    return [{ id, document: document.id, ...sides, evidence: units }]
  })
}

/** The one unit that has these words: evidence that stands nowhere, or in two places, is a fault of the data. */
function unitWith(document: SourceDocument, words: string, where: string): Unit {
  const wanted = bare(words)
  const units = document.units.filter(({ text }) => bare(text).includes(wanted))
  if (units.length !== 1)
    throw new Error(
      `${where}: ${units.length} sentences or rows of ${document.id} have "${words}".`,
    )
  return units[0]!
}
