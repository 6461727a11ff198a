/** Runs an example from the command line. */
import path from 'node:path'
import { AppError, type OpenOptions, open, type Passim } from '../src/index.ts'

type Example = {
  /** File of the example, `import.meta.filename`. */
  readonly file: string
  /** Names of the arguments, such as `FILE QUESTION`. */
  readonly usage: string
  readonly options?: OpenOptions
}

/** Opens a store for `main`, unless the file is imported. A failure is a sentence and exit code 1. */
export async function runExample(
  { file, usage, options = {} }: Example,
  main: (passim: Passim, args: readonly string[]) => Promise<void>,
): Promise<void> {
  const [, program, ...args] = process.argv
  if (program !== file) return
  process.exitCode = 1
  if (args.length < usage.split(' ').length) {
    console.error(`Usage: npx tsx examples/${path.basename(file)} ${usage}`)
    return
  }
  const passim = await open(options)
  try {
    await main(passim, args)
    process.exitCode = 0
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    console.error([error.message, error.advice].filter(Boolean).join(' '))
  } finally {
    await passim.close()
  }
}
