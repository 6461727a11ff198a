import type { PlacedBlock } from '../../ingest/block.ts'
import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import { mergeHits, type Passage } from '../../search/passages/passage.ts'
import type { Evidence } from '../evidence/features.ts'
import type { Question } from '../question/question.ts'
import { asks, leadsOn, type Statement, spread, statementsOf } from '../statements.ts'

/** So many characters of the document are read before what was found, and behind it: a list begins and ends where no chunk does. */
const BEFORE = 1_200
const BEHIND = 2_400
/** An answer under a question in the document is quoted whole up to this length, in characters. */
const MAX_ANSWER = 1_000
/** And a list that a colon announces. */
const MAX_ANNOUNCED = 600
/** No list that is announced is longer. */
const MAX_ITEMS = 1_000

/**
 * The evidence with the statements that it belongs to: an item or a step with its whole list, where the question waits for one, and what
 * stands under a question in the document with that question. The document is read on where the hit ends.
 */
export async function withSurroundings(
  evidence: readonly Evidence[],
  { kind }: Question,
  reader: DocumentReader,
  signal?: AbortSignal,
): Promise<readonly Evidence[]> {
  const read = evidence.filter(
    ({ candidate: { statement } }) => statement.kind !== 'row' && statement.kind !== 'table',
  )
  const found = [...new Set(read.map(({ candidate }) => candidate.statement.passage))]
  const passages = mergeHits(
    await Promise.all(found.map(passage => widened(passage, reader, signal))),
  )
  const isListWanted = kind === 'list' || kind === 'steps'
  const wholes = evidence.map(async one => {
    const own = sameIn(passages, one.candidate.statement)
    if (!own) return one
    const whole =
      (isListWanted && wholeList(own)) || announcedList(own) || answerWithQuestion(own) || own
    const statement = leadsOn(whole) ? await withListBlocks(whole, reader, signal) : whole
    return { ...one, candidate: { ...one.candidate, statement } }
  })
  return await Promise.all(wholes)
}

/** With the list that stands behind it in the document: the items of Markdown and HTML have no marks in the parsed text. */
async function withListBlocks(
  statement: Statement,
  reader: DocumentReader,
  signal?: AbortSignal,
): Promise<Statement> {
  const { passage, span } = statement
  const items = await listBehind(passage.documentId, passage.charStart + span.end, reader, signal)
  const shown = items.filter(({ charEnd }) => charEnd <= passage.charEnd)
  const last = shown.at(-1)
  if (!last) return statement
  const whole = spread(statement, 'list', {
    start: span.start,
    end: last.charEnd - passage.charStart,
  })
  const left = items.length - shown.length
  return left > 0 ? { ...whole, left } : whole
}

/** The items that stand in a row from there on. */
async function listBehind(
  documentId: string,
  from: number,
  reader: DocumentReader,
  signal?: AbortSignal,
) {
  const items: PlacedBlock[] = []
  for await (const block of reader.blocks(documentId, signal)) {
    if (block.charStart < from) continue
    if (block.kind !== 'list' || items.length >= MAX_ITEMS) break
    items.push(block)
  }
  return items
}

/** Whole lines of the document around a passage. */
async function widened(passage: Passage, reader: DocumentReader, signal?: AbortSignal) {
  signal?.throwIfAborted()
  const { documentId, source, name, title, headings, charStart, charEnd } = passage
  const from = Math.max(0, charStart - BEFORE)
  const text = await reader.read(documentId, from, charEnd + BEHIND)
  const first = from === 0 ? 0 : text.slice(0, charStart - from).indexOf('\n') + 1
  const last = text.length < charEnd + BEHIND - from ? text.length : text.lastIndexOf('\n')
  const whole = text.slice(first, Math.max(last, charEnd - from))
  const place = { charStart: from + first, charEnd: from + first + whole.length, text: whole }
  return { documentId, source, name, title, headings, context: '', ...place }
}

/** The same statement in one of the wider passages; none in a document that was changed meanwhile. */
function sameIn(
  passages: readonly Passage[],
  { passage, span, kind, text }: Statement,
): Statement | undefined {
  const start = passage.charStart + span.start
  const wide = passages.find(
    other =>
      other.documentId === passage.documentId && other.charStart <= start && start < other.charEnd,
  )
  return (
    wide &&
    statementsOf(wide).find(
      other =>
        other.kind === kind &&
        wide.charStart + other.span.start === start &&
        (kind === 'list' || other.text === text),
    )
  )
}

/** The shortest list, or the steps, that it is one of, or that it announces. */
function wholeList(statement: Statement): Statement | undefined {
  if (!(statement.isItem || leadsOn(statement))) return undefined
  const { start, end } = statement.span
  const lists = statementsOf(statement.passage).filter(({ kind }) => kind === 'list')
  const holding = lists.filter(({ span }) => span.start <= start && end <= span.end)
  return holding.toSorted((a, b) => a.text.length - b.text.length)[0]
}

/** "Must not:" says what its items mean: a short list goes with it, whatever is asked. */
function announcedList(statement: Statement): Statement | undefined {
  const list = statement.isItem ? wholeList(statement) : undefined
  const lead = list && statementsOf(list.passage).find(({ span }) => span.start === list.span.start)
  return lead && leadsOn(lead) && list.text.length <= MAX_ANNOUNCED ? list : undefined
}

/** All that stands under a question in the document, with the question; under one inside a block, to the end of that. */
function answerWithQuestion(statement: Statement): Statement | undefined {
  const { passage, span } = statement
  const all = statementsOf(passage).filter(({ kind }) => kind !== 'list')
  const at = all.findLastIndex(other => other.isLabel && other.span.start < span.start)
  const label = all[at]
  if (!label || !asks(label)) return undefined
  const isInBlock = all[at + 1]?.block === label.block
  const next = all.findIndex(
    (other, place) => place > at && (isInBlock ? other.block !== label.block : other.isLabel),
  )
  const last = all[(next < 0 ? all.length : next) - 1]
  if (!last || last.span.end < span.end || last.span.end - label.span.start > MAX_ANSWER)
    return undefined
  return spread(statement, 'list', { start: label.span.start, end: last.span.end })
}
