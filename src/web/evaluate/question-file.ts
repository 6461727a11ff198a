import { t } from '../preferences.ts'

/** A question as it is being written: every field is there, perhaps empty. */
export type Question = { readonly question: string; readonly document: string; readonly words: string }

/** As many as the service measures at once. */
export const MAX_QUESTIONS = 500

/** What a file of them may have. */
const MAX_BYTES = 2_000_000

export const FILE_NAME = 'questions.jsonl'

/** One question a line, as JSON; empty fields are left out. */
export function fileOf(questions: readonly Question[]): string {
  const lines = questions.map(one => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== '')))
  return lines.map(line => `${JSON.stringify(line)}\n`).join('')
}

/** As `fileOf` writes them, or with tabs between the fields, as spreadsheets do. Throws a sentence that names the line. */
export async function questionsIn(file: Blob): Promise<readonly Question[]> {
  if (file.size > MAX_BYTES) throw new Error(t().evaluate.tooMany(MAX_QUESTIONS))
  const lines = (await file.text()).split(/\r?\n/)
  const found = lines.flatMap((line, at) => (line.trim() === '' ? [] : [questionOf(line.trim(), at + 1)]))
  if (found.length === 0) throw new Error(t().evaluate.noneInFile)
  if (found.length > MAX_QUESTIONS) throw new Error(t().evaluate.tooMany(MAX_QUESTIONS))
  return found
}

function questionOf(line: string, number: number): Question {
  const { question, document = '', words = '' } = line.startsWith('{') ? fieldsOf(line) : columnsOf(line)
  const values = [question, document, words].map(value => (typeof value === 'string' ? value.trim() : undefined))
  const [asked, wanted, expected] = values
  if (!asked || wanted === undefined || expected === undefined) throw new Error(t().evaluate.badLine(number))
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
