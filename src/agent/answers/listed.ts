import type { DocumentReader } from '../../ingest/catalog/document.ts'
import { mergeHits, type Passage } from '../../search/passages/context.ts'
import type { Hit } from '../../search/searcher.ts'
import type { AgentEvent } from '../answer.ts'
import { withoutListNouns } from '../language/cues.ts'
import { type ListedForm, listedForm } from '../language/listed-forms.ts'
import { isHeld, type Point, type Terms } from '../language/terms.ts'
import { type Unit, unitsOf } from '../language/units.ts'
import { EVERYTHING, type QuotedParts, withoutCopies } from './selection.ts'
import { askedRows } from './tables/asked-rows.ts'
import { quotedRows } from './tables/quoted-rows.ts'
import { type Table, tablesIn } from './tables/table.ts'

/** A line that names what it lists: `Present: Ruth, Sam`. */
const LABELLED = /^[^\p{L}\p{N}\n]*([\p{L}][^:：\n|]{0,39})[:：][^\S\n]*\S[^\n]*$/gmu

/** Where everything is asked for, so many hits are looked through, a page at a time. */
export const PAGE_HITS = 10
export const MAX_PAGES = 20

type Sources = { readonly reader: DocumentReader; readonly terms: Terms }
type Search = (limit: number) => Promise<readonly Hit[]>

/** What a list is made of, where its members tell themselves: by their form, or by standing in one table or line. */
export async function* listedMembers(
  text: string,
  search: Search,
  sources: Sources,
  signal?: AbortSignal,
): AsyncGenerator<AgentEvent, QuotedParts | undefined> {
  const form = listedForm(text)
  if (!form) return membersTogether(text, await search(PAGE_HITS), sources, signal)
  const found: Unit[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const hits = (await search((page + 1) * PAGE_HITS)).slice(page * PAGE_HITS)
    if (hits.length > 0) yield { type: 'retrieval', query: text, hits }
    const more = unitsOfForm(form, hits, sources.terms)
    if (more.length === 0) break
    found.push(...more)
  }
  const units = withoutCopies(found)
  const quotes = units.slice(0, EVERYTHING.quotes)
  return units.length > 0 ? { quotes, more: units.length - quotes.length } : undefined
}

/**
 * All members of what a question asks a list of, where one table or one line is that list: the rows that meet the
 * question, the table that has a column of the thing, or is called by it, or the line that names it. Undefined elsewhere.
 */
async function membersTogether(
  subject: string,
  hits: readonly Hit[],
  sources: Sources,
  signal?: AbortSignal,
): Promise<QuotedParts | undefined> {
  const rows = (await askedRows(`list all ${subject}`, hits, sources, signal)).answer()
  if (rows) return rows
  const { terms, reader } = sources
  const points = terms.pointsOf(withoutListNouns(subject))
  if (points.length === 0) return undefined
  const passages = mergeHits(hits)
  const tables = await tablesIn(passages, reader, signal)
  const graded = tables.map(table => ({ table, grade: gradeOf(table, points, terms) }))
  const best = Math.max(0, ...graded.map(({ grade }) => grade))
  if (best > 0) return quotedRows(graded.filter(({ grade }) => grade === best).flatMap(({ table }) => table.rows))
  const quotes = passages.flatMap(passage => labelledLines(passage, points, terms))
  return quotes.length > 0 ? { quotes, more: 0 } : undefined
}

/** Whether a table is one of the things: by a column, by its heading, by its document. */
function gradeOf({ passage, columns }: Table, points: readonly Point[], terms: Terms): number {
  const isSaid = (text: string) => {
    const said = terms.of(text)
    return points.every(point => isHeld(point, said))
  }
  if (columns.slice(0, 2).some(isSaid)) return 3
  if (isSaid(passage.headings.at(-1) ?? '')) return 2
  return isSaid([passage.title, passage.name].join('\n')) ? 1 : 0
}

/** Lines whose label is the thing, with no more words than it has. */
function labelledLines(passage: Passage, points: readonly Point[], terms: Terms) {
  return [...passage.text.matchAll(LABELLED)].flatMap(({ 0: line, 1: label = '', index }) => {
    const said = terms.of(label)
    const isThing = points.every(point => isHeld(point, said))
    const isAlone = terms.pointsOf(label).length <= points.length + 1
    return isThing && isAlone ? [{ passage, span: { start: index, end: index + line.length } }] : []
  })
}

/** The units of hits that have the form of what is listed, and speak, or stand in what speaks, of all else that is asked. */
function unitsOfForm({ tells, isCalled, rest }: ListedForm, hits: readonly Hit[], terms: Terms): readonly Unit[] {
  const points = terms.pointsOf(withoutListNouns(rest))
  return mergeHits(hits).flatMap(passage => {
    const head = [passage.title, passage.name, ...passage.headings].join('\n')
    return unitsOf(passage).filter(({ text, isLabel }, at, units) => {
      const above = units.slice(0, at).findLast(unit => unit.isLabel)?.text ?? passage.headings.at(-1) ?? ''
      const isUnder = /\d/.test(text) && !isLabel && isCalled(above)
      if (!tells.test(text) && !isUnder) return false
      const said = terms.of(`${head}\n${text}`)
      return points.every(point => isHeld(point, said))
    })
  })
}
