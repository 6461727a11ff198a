import { AppError } from '../errors.ts'

/** Of what is searched for, in UTF-16 units: its words are analysed at once, and those of 1 MB held everybody up for 2.4 s. */
const MAX_CHARS = 20_000

/** Throws `invalid_input` for what is too long to be searched for. */
export function requireShort(text: string, what: string): void {
  if (text.length <= MAX_CHARS) return
  throw new AppError(
    'invalid_input',
    `${what} has ${text.length} characters: at most ${MAX_CHARS} can be searched for.`,
  )
}
