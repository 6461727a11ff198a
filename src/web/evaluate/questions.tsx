import { signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { AskedQuestion } from '../../app/evaluation/settings-comparison.ts'
import { saveAs } from '../documents/stored-document.ts'
import { Icon } from '../icons.tsx'
import { t } from '../preferences.ts'
import { Problem, type Told, toldOf } from '../told.tsx'

const QUESTIONS = 'passim.questions'
const EMPTY: Question = { question: '', document: '', words: '' }

/** In `sessionStorage`, as the key is: they may tell what stands in documents. */
const questions = signal<readonly Question[]>(stored())

function stored(): readonly Question[] {
  const kept = sessionStorage.getItem(QUESTIONS)
  return kept ? (JSON.parse(kept) as readonly Question[]) : [EMPTY] // only this file writes it
}

function keep(changed: readonly Question[]): void {
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
    keep(
      questions.value.map((question, index) =>
        index === at ? { ...question, ...part } : question,
      ),
    )
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
      <QuestionActions />
    </div>
  )
}

/** To write another one, and to take all of them to a file and back. */
function QuestionActions() {
  const field = useRef<HTMLInputElement>(null)
  const problem = useSignal<Told | undefined>(undefined)
  const isWritten = written().length > 0
  const open = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    problem.value = undefined
    try {
      if (file) keep(added(await questionsIn(file)))
    } catch (error) {
      problem.value = toldOf(error)
    }
    input.value = ''
  }
  return (
    <>
      <p class="question-actions">
        <button type="button" class="secondary" onClick={() => keep([...questions.value, EMPTY])}>
          <Icon name="plus" />
          {t().evaluate.add}
        </button>
        <button type="button" class="quiet-button" onClick={() => field.current?.click()}>
          <Icon name="upload" />
          <span>{t().evaluate.fromFile}</span>
        </button>
        <button
          type="button"
          class="quiet-button"
          disabled={!isWritten}
          onClick={() =>
            saveAs(
              new Blob([fileOf(questions.value.filter(one => one.question.trim()))]),
              FILE_NAME,
            )
          }
        >
          <Icon name="download" />
          <span>{t().evaluate.toFile}</span>
        </button>
        <input
          ref={field}
          class="unseen"
          type="file"
          accept=".jsonl,.json,.tsv,.txt"
          tabIndex={-1}
          aria-hidden="true"
          onChange={event => void open(event.currentTarget)}
        />
      </p>
      <p class="quiet small">{t().evaluate.fileHint}</p>
      <Problem told={problem.value} />
    </>
  )
}

/** After those that are there already, each once. Throws where it would be too many. */
function added(more: readonly Question[]): readonly Question[] {
  const kept = questions.value.filter(one => one.question.trim() !== '')
  const all = [...new Map([...kept, ...more].map(one => [JSON.stringify(one), one])).values()]
  if (all.length > MAX_QUESTIONS) throw new Error(t().evaluate.tooMany(MAX_QUESTIONS))
  return all
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
      <button
        type="button"
        class="plain"
        aria-label={`${t().remove}: ${question.question}`}
        onClick={remove}
      >
        <Icon name="remove" />
      </button>
    </li>
  )
}

/** A question as it is being written: every field is there, perhaps empty. */
type Question = { readonly question: string; readonly document: string; readonly words: string }

/** As many as the service measures at once. */
const MAX_QUESTIONS = 500

/** What a file of them may have. */
const MAX_BYTES = 2_000_000

const FILE_NAME = 'questions.jsonl'

/** One question a line, as JSON; empty fields are left out. */
function fileOf(questions: readonly Question[]): string {
  const lines = questions.map(one =>
    Object.fromEntries(Object.entries(one).filter(([, value]) => value !== '')),
  )
  return lines.map(line => `${JSON.stringify(line)}\n`).join('')
}

/** As `fileOf` writes them, or with tabs between the fields, as spreadsheets do. Throws a sentence that names the line. */
async function questionsIn(file: Blob): Promise<readonly Question[]> {
  if (file.size > MAX_BYTES) throw new Error(t().evaluate.tooMany(MAX_QUESTIONS))
  const lines = (await file.text()).split(/\r?\n/)
  const found = lines.flatMap((line, at) =>
    line.trim() === '' ? [] : [questionOf(line.trim(), at + 1)],
  )
  if (found.length === 0) throw new Error(t().evaluate.noneInFile)
  if (found.length > MAX_QUESTIONS) throw new Error(t().evaluate.tooMany(MAX_QUESTIONS))
  return found
}

function questionOf(line: string, number: number): Question {
  const {
    question,
    document = '',
    words = '',
  } = line.startsWith('{') ? fieldsOf(line) : columnsOf(line)
  const values = [question, document, words].map(value =>
    typeof value === 'string' ? value.trim() : undefined,
  )
  const [asked, wanted, expected] = values
  if (!asked || wanted === undefined || expected === undefined)
    throw new Error(t().evaluate.badLine(number))
  return { question: asked, document: wanted, words: expected }
}

type Fields = { readonly question?: unknown; readonly document?: unknown; readonly words?: unknown }

/** None where it is no JSON, which the missing question then says. */
function fieldsOf(line: string): Fields {
  try {
    return JSON.parse(line) as Fields // looked at field by field
  } catch {
    return {}
  }
}

function columnsOf(line: string): Fields {
  const [question, document, words] = line.split('\t')
  return { question, document, words }
}
