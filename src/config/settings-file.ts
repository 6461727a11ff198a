import { readFile } from 'node:fs/promises'
import { LineCounter, parseDocument } from 'yaml'
import { localizable } from '../errors/localizable.ts'
import { AppError, getReason } from '../errors.ts'

/** Reads YAML or JSON. Errors name the place only, because lines contain keys. */
export async function readSettingsFile(file: string): Promise<unknown> {
  const lineCounter = new LineCounter()
  const document = parseDocument(await readText(file), { prettyErrors: false, lineCounter })
  const [problem] = document.errors
  if (problem) {
    const { line, col } = lineCounter.linePos(problem.pos[0])
    throw createYamlError(file, `line ${line}, column ${col} (${problem.code})`)
  }
  try {
    return document.toJS()
  } catch {
    throw createYamlError(file, 'one of its aliases (*name)') // its own message quotes the alias
  }
}

function createYamlError(file: string, place: string): AppError {
  return new AppError(
    'invalid_input',
    localizable`Cannot read the settings file ${file}: it is not valid YAML at ${place}.`,
  )
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new AppError(
      'invalid_input',
      localizable`Cannot read the settings file ${file}: ${getReason(error)}.`,
      { cause: error },
    )
  }
}
