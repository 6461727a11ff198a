import { mergeHits } from '../../search/passages/passage.ts'
import type { Hit } from '../../search/searcher.ts'
import { detectLanguage, type Language } from '../../text/language.ts'
import { isHeld, type Term, type Terms } from '../../text/terms.ts'
import {
  findAnnouncements,
  introducesList,
  isAnaphoric,
  isListHeading,
  listStatementsAbove,
  type Statement,
  toStatements,
} from '../statements.ts'

/** A statement with what it is understood by. */
export type Candidate = {
  readonly statement: Statement
  readonly language: Language
  /** What it leans on: headings, the label above, the sentence before one that points back, what announces an item, column names. */
  readonly around: string
  /** What it is embedded as. */
  readonly embedded: string
  /** Terms of its own, of what it leans on, and of the document's title and name. */
  readonly own: ReadonlySet<string>
  readonly context: ReadonlySet<string>
  readonly scope: ReadonlySet<string>
  /** From 1, of the best hit, towards 0. */
  readonly rank: number
  /** How the question's query of its table returned the row: by an order or an exclusion, or by its words alone. */
  readonly selectedBy?: 'order' | 'words' | undefined
}

/** By the statement, by what it leans on, or by what its document is called. */
export function isSaidBy(term: Term, { own, context, scope }: Candidate): boolean {
  return [own, context, scope].some(there => isHeld(term, there))
}

/** Sentences after one that points back are understood with it; it is looked for so far. */
const MAX_BACK = 4
/** All statements of what was found. */
export function listCandidates(
  hits: readonly Hit[],
  terms: Pick<Terms, 'of'>,
): readonly Candidate[] {
  return mergeHits(hits).flatMap(passage => {
    const statements = toStatements(passage)
    const scope = terms.of([passage.title, passage.name].join('\n'))
    return statements.flatMap((statement, at): readonly Candidate[] => {
      if (isAnnouncement(statement, statements[at + 1])) return []
      const above = getAbove(statements, at)
      const around = [...new Set([...passage.headings, ...above, ...statement.columns])].join('\n')
      const head = above.at(0) ?? passage.headings.at(-1) ?? ''
      const embedded = [head, statement.columns.join(' '), statement.text]
        .filter(Boolean)
        .join('\n')
      const start = passage.charStart + statement.span.start
      const isIn = (hit: Hit) =>
        hit.documentId === passage.documentId && hit.charStart <= start && start < hit.charEnd
      const language = detectCandidateLanguage(around, statement)
      const known = { own: terms.of(statement.text), context: terms.of(around), scope }
      return [
        {
          statement,
          language,
          around,
          embedded,
          ...known,
          rank: rankIn(hits, isIn),
        },
      ]
    })
  })
}

/** A row without a Chinese word, as one of numbers and names of goods, is in the language of its columns. */
export function detectCandidateLanguage(around: string, { text, columns }: Statement): Language {
  const said = /\p{Script=Han}/u.test(text) || columns.length === 0 ? text : columns.join('\n')
  return detectLanguage(/\p{L}/u.test(said) ? said : around)
}

/** Of the best of the hits that hold something. */
export function rankIn(hits: readonly Hit[], holds: (hit: Hit) => boolean): number {
  const first = hits.findIndex(holds)
  return first < 0 ? 0 : 1 - first / hits.length
}

/** A label or a lead-in says what comes, and answers nothing by itself; the list that it begins is a statement of its own. */
function isAnnouncement(statement: Statement, next: Statement | undefined): boolean {
  return (
    statement.isHeading ||
    (statement.kind === 'sentence' &&
      next !== undefined &&
      next.kind !== 'list' &&
      (statement.isLabel || introducesList(statement) || isListHeading(statement)) &&
      !next.isLabel)
  )
}

/** What a statement is understood by, in the passage, nearest first: what announces it, its label, the sentence it points back to. */
function getAbove(statements: readonly Statement[], at: number): readonly string[] {
  const statement = statements[at]! // the caller's
  if (statement.kind === 'list') return []
  const above = listStatementsAbove(statements, at)
  const before = isAnaphoric(statement) ? findAntecedent(statement, above) : above.at(-1)
  const neighbour =
    before?.block === statement.block && before.kind === 'sentence' ? [before.text] : []
  return [...findAnnouncements(statements, at), ...neighbour]
}

function findAntecedent(statement: Statement, above: readonly Statement[]): Statement | undefined {
  const block = above.slice(-MAX_BACK).filter(other => other.block === statement.block)
  return block.findLast(other => !isAnaphoric(other))
}
