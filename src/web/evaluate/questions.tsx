import { signal } from '@preact/signals'
import type { AskedQuestion } from '../../app/evaluation/settings-comparison.ts'
import { Icon } from '../icons.tsx'
import { t } from '../preferences.ts'

/** A question as it is being written: every field is there, perhaps empty. */
export type Question = Readonly<Record<keyof AskedQuestion, string>>

const QUESTIONS = 'passim.questions'
const EMPTY: Question = { question: '', document: '', words: '' }

/** In `sessionStorage`, as the key is: they may tell what stands in documents. */
export const questions = signal<readonly Question[]>(stored())

function stored(): readonly Question[] {
  const kept = sessionStorage.getItem(QUESTIONS)
  return kept ? (JSON.parse(kept) as readonly Question[]) : [EMPTY] // only this file writes it
}

export function keep(changed: readonly Question[]): void {
  questions.value = changed
  sessionStorage.setItem(QUESTIONS, JSON.stringify(changed))
}

/** Those that were written to the end, without what was left empty. */
export function written(): readonly AskedQuestion[] {
  return questions.value.flatMap(({ question, document, words }) =>
    question.trim() === ''
      ? []
      : [
          {
            question: question.trim(),
            ...(document.trim() && { document: document.trim() }),
            ...(words.trim() && { words: words.trim() }),
          },
        ],
  )
}

/** Questions of one's own, each with what should be found. */
export function OwnQuestionList({ names }: { readonly names: readonly string[] }) {
  const change = (at: number, part: Partial<Question>) => {
    keep(questions.value.map((question, index) => (index === at ? { ...question, ...part } : question)))
  }
  return (
    <div class="stack">
      <datalist id="document-names">
        {names.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ol class="own-questions">
        {questions.value.map((question, at) => (
          <QuestionFields
            key={at}
            question={question}
            change={part => change(at, part)}
            remove={() => keep(questions.value.filter((_, index) => index !== at))}
          />
        ))}
      </ol>
      <p>
        <button type="button" class="secondary" onClick={() => keep([...questions.value, EMPTY])}>
          <Icon name="plus" />
          {t().evaluate.add}
        </button>
      </p>
    </div>
  )
}

type FieldsProps = {
  readonly question: Question
  readonly change: (part: Partial<Question>) => void
  readonly remove: () => void
}

function QuestionFields({ question, change, remove }: FieldsProps) {
  const words = t().evaluate
  const labels = { question: words.question, document: words.document, words: words.expected }
  return (
    <li class="own-question">
      {(['question', 'document', 'words'] as const).map(field => (
        <input
          key={field}
          value={question[field]}
          aria-label={labels[field]}
          placeholder={labels[field]}
          maxLength={1000}
          dir="auto"
          {...(field === 'document' && { list: 'document-names' })}
          onInput={event => change({ [field]: event.currentTarget.value })}
        />
      ))}
      <button type="button" class="plain" aria-label={`${t().remove}: ${question.question}`} onClick={remove}>
        <Icon name="remove" />
      </button>
    </li>
  )
}
