import { z } from 'zod'

const idSchema = z.object({ id: z.union([z.string(), z.number()]) })
const questionSchema = z.object({ question: z.string() })

/** One line of a file of questions; without `question` where it holds none. */
export type QuestionLine = {
  readonly id: string | number
  readonly question?: string | undefined
  readonly line: string
}

/** The lines that hold anything. One without an id has its number in the file, as text where any line's id is text. */
export function questionLines(text: string): readonly QuestionLine[] {
  const filled = [...text.split('\n').entries()].filter(([, line]) => line.trim() !== '')
  const read = filled.map(([index, line]) => {
    const value = parseJson(line)
    const { question } = questionSchema.safeParse(value).data ?? {}
    return { number: index + 1, id: idSchema.safeParse(value).data?.id, question, line }
  })
  const isText = read.some(({ id }) => typeof id === 'string')
  return read.map(({ number, id = isText ? String(number) : number, question, line }) => ({ id, question, line }))
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
