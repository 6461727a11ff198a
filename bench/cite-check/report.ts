import { advantageOf, type Figures, figuresOf } from './figures.ts'
import type { Interval } from './intervals.ts'
import type { MarkedAnswer } from './marking.ts'
import { KINDS, type ProofQuestion } from './question-set.ts'

/** What one system did with every question of a run. */
export type Marked = { readonly peer: string; readonly answers: readonly MarkedAnswer[] }

type Column = readonly [name: string, cell: (figures: Figures) => string]

const COLUMNS: readonly Column[] = [
  ['right', ({ right }) => percentage(right)],
  ['wrongly refused', ({ missed }) => percentage(missed)],
  ['rightly refused', ({ refused }) => percentage(refused)],
  ['wrong of the answers', ({ risk }) => `${per(risk.working.risk)} %`],
  ['facts covered', ({ coverage }) => `${per(coverage)} %`],
  ['evidence cited', ({ evidence }) => `${per(evidence)} %`],
]

const CITATIONS: readonly Column[] = [
  ['exist', ({ existence }) => percentage(existence)],
  ['of these with offsets', ({ withOffsets }) => String(withOffsets)],
  ['in the right section', ({ location }) => percentage(location)],
  [
    'right page',
    ({ pages }) => (pages.low === 0 && pages.high === 1 ? 'none stated' : percentage(pages)),
  ],
  ['citation recall', ({ citationRecall }) => percentage(citationRecall)],
  ['citation precision', ({ citationPrecision }) => percentage(citationPrecision)],
  [
    'weighted recall, precision',
    figures => `${per(figures.weightedRecall)}, ${per(figures.weightedPrecision)} %`,
  ],
  ['sentences not judged', ({ unjudged }) => String(unjudged)],
]

/** The tables of a run in Markdown, for all questions, for each language and for each kind. */
export function report(marked: readonly Marked[], questions: readonly ProofQuestion[]): string {
  const asked = new Map(questions.map(question => [question.id, question]))
  const only = (holds: (question: ProofQuestion) => boolean) =>
    marked.map(({ peer, answers }) => ({
      peer,
      answers: answers.filter(({ id }) => holds(asked.get(id)!)),
    }))
  return [
    table('Answers and refusals, both languages', marked, COLUMNS),
    table(
      'English documents',
      only(({ document }) => document.startsWith('en')),
      COLUMNS,
    ),
    table(
      'Chinese documents',
      only(({ document }) => document.startsWith('zh')),
      COLUMNS,
    ),
    table('Citations, both languages', marked, CITATIONS),
    kinds(marked, questions),
    advantages(marked, asked),
  ].join('\n\n')
}

const per = (share: number): string => (100 * share).toFixed(1)

const percentage = ({ value, low, high }: Interval): string =>
  `${per(value)} [${per(low)}, ${per(high)}] %`

function table(title: string, marked: readonly Marked[], columns: readonly Column[]): string {
  const rows = marked.map(({ peer, answers }) => {
    const figures = figuresOf(answers)
    return [peer, ...columns.map(([, cell]) => cell(figures))]
  })
  return markdownTable([title, ...columns.map(([name]) => name)], rows)
}

export const markdownTable = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string =>
  [header, header.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')

/** Of answerable questions, how many are right, by kind. */
function kinds(marked: readonly Marked[], questions: readonly ProofQuestion[]): string {
  const rows = marked.map(({ peer, answers }) => {
    const right = new Set(answers.filter(({ isRight }) => isRight).map(({ id }) => id))
    const counted = KINDS.map(kind => {
      const of = questions.filter(question => question.answerable && question.kind === kind)
      return `${of.filter(({ id }) => right.has(id)).length} of ${of.length}`
    })
    return [peer, ...counted]
  })
  return markdownTable(['Right, by kind', ...KINDS], rows)
}

/** How the first system does beside each other, on answerable and on unanswerable questions. */
function advantages(
  [first, ...others]: readonly Marked[],
  asked: ReadonlyMap<string, ProofQuestion>,
): string {
  if (!first || others.length === 0) return ''
  const documentOf = (id: string) => asked.get(id)!.document
  const rows = others.map(({ peer, answers }) => [
    peer,
    ...[true, false].map(answerable => {
      const of = (all: readonly MarkedAnswer[]) =>
        all.filter(answer => answer.answerable === answerable)
      return points(advantageOf(of(first.answers), of(answers), documentOf))
    }),
  ])
  return markdownTable(
    [`${first.peer}, in points more than`, 'right of answerable', 'refused of unanswerable'],
    rows,
  )
}

const points = ({ value, low, high }: Interval): string =>
  `${per(value)} [${per(low)}, ${per(high)}]`
