import { mergeHits } from '../../search/passages/passage.ts'
import type { Hit } from '../../search/searcher.ts'
import { detectLanguage, type Language } from '../../text/language.ts'
import { isContained, type Term, type Terms } from '../../text/terms.ts'
import {
  findAnnouncements,
  isAnaphoric,
  isLeadIn,
  isListHeading,
  listStatementsAbove,
  type Statement,
  toStatements,
} from '../statements.ts'

export type Candidate = {
  readonly statement: Statement
  readonly language: Language
  /** Headings, label, antecedent, lead-in and column names. */
  readonly around: string
  readonly embedded: string
  /** Terms of the statement, its context, and the document's title and name. */
  readonly own: ReadonlySet<string>
  readonly context: ReadonlySet<string>
  readonly scope: ReadonlySet<string>
  /** 1 for the best hit, towards 0. */
  readonly rank: number
  /** Set by the table query. */
  readonly selectedBy?: 'order' | 'words'
}

/** Looks in statement, context and document name. */
export function isStated(term: Term, { own, context, scope }: Candidate): boolean {
  return [own, context, scope].some(there => isContained(term, there))
}

/** Sentences to an antecedent, so that context stays local. */
const MAX_BACK = 4
export function listCandidates(
  hits: readonly Hit[],
  terms: Pick<Terms, 'extract'>,
): readonly Candidate[] {
  return mergeHits(hits).flatMap(passage => {
    const statements = toStatements(passage)
    const scope = terms.extract([passage.title, passage.name].join('\n'))
    return statements.flatMap((statement, index): readonly Candidate[] => {
      if (isAnnouncement(statement, statements[index + 1])) return []
      const above = getAbove(statements, index)
      const around = [...new Set([...passage.headings, ...above, ...statement.columns])].join('\n')
      const head = above.at(0) ?? passage.headings.at(-1) ?? ''
      const embedded = [head, statement.columns.join(' '), statement.text]
        .filter(Boolean)
        .join('\n')
      const start = passage.charStart + statement.span.start
      const hasTerm = (hit: Hit) =>
        hit.documentId === passage.documentId && hit.charStart <= start && start < hit.charEnd
      const language = detectCandidateLanguage(around, statement)
      const words = { own: terms.extract(statement.text), context: terms.extract(around), scope }
      return [
        {
          statement,
          language,
          around,
          embedded,
          ...words,
          rank: findRank(hits, hasTerm),
        },
      ]
    })
  })
}

/** Gives rows without Chinese words their columns' language. */
export function detectCandidateLanguage(around: string, { text, columns }: Statement): Language {
  const sample = /\p{Script=Han}/u.test(text) || columns.length === 0 ? text : columns.join('\n')
  return detectLanguage(/\p{L}/u.test(sample) ? sample : around)
}

export function findRank(hits: readonly Hit[], holds: (hit: Hit) => boolean): number {
  const first = hits.findIndex(holds)
  return first < 0 ? 0 : 1 - first / hits.length
}

/** Labels and lead-ins answer nothing. */
function isAnnouncement(statement: Statement, next: Statement | undefined): boolean {
  return (
    statement.isHeading ||
    (statement.kind === 'sentence' &&
      next !== undefined &&
      next.kind !== 'list' &&
      (statement.isLabel || isLeadIn(statement) || isListHeading(statement)) &&
      !next.isLabel)
  )
}

/** Returns context in the passage, nearest first. */
function getAbove(statements: readonly Statement[], index: number): readonly string[] {
  const statement = statements[index]!
  if (statement.kind === 'list') return []
  const above = listStatementsAbove(statements, index)
  const before = isAnaphoric(statement) ? findAntecedent(statement, above) : above.at(-1)
  const neighbour =
    before?.block === statement.block && before.kind === 'sentence' ? [before.text] : []
  return [...findAnnouncements(statements, index), ...neighbour]
}

function findAntecedent(statement: Statement, above: readonly Statement[]): Statement | undefined {
  const block = above.slice(-MAX_BACK).filter(other => other.block === statement.block)
  return block.findLast(other => !isAnaphoric(other))
}
