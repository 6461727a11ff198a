import { readFile } from 'node:fs/promises'
import { LineCounter, parseDocument } from 'yaml'
import { AppError, reasonOf } from '../errors.ts'

/** Reads YAML or JSON. Errors name the place only, because lines contain keys. */
export async function readSettingsFile(file: string): Promise<unknown> {
  const lineCounter = new LineCounter()
  const document = parseDocument(await readText(file), { prettyErrors: false, lineCounter })
  const [problem] = document.errors
  if (problem) {
    const { line, col } = lineCounter.linePos(problem.pos[0])
    throw noYaml(file, `line ${line}, column ${col} (${problem.code})`)
  }
  try {
    return document.toJS()
  } catch {
    throw noYaml(file, 'one of its aliases (*name)') // its own message quotes the alias
  }
}

function noYaml(file: string, place: string): AppError {
  return new AppError(
    'invalid_input',
    `Cannot read the settings file ${file}: it is no YAML at ${place}.`,
  )
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new AppError(
      'invalid_input',
      `Cannot read the settings file ${file}: ${reasonOf(error)}.`,
      { cause: error },
    )
  }
}
