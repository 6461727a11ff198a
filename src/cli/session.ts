import type { OpenOptions } from '../app/open-parts.ts'
import type { Passim } from '../app.ts'
import { toFailure } from '../errors.ts'
import { counted, type GlobalOptions, Output } from './output.ts'

/** Where the store is and what it is set to, from the options that every command has. */
export function openOptions({ home, config }: GlobalOptions): OpenOptions {
  return { ...(home && { home }), ...(config && { configFile: config }) }
}

/** Aborts on Ctrl-C or SIGTERM, so that what is under way ends cleanly; a second Ctrl-C ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

/** Says how many documents wait to be indexed, which cannot be found yet. */
export function tellPending(passim: Passim, collections: readonly string[] | undefined, output: Output): void {
  const pending = passim.collections.pending(passim.scope.collections(collections))
  if (pending === 0) return
  output.message(`${counted(pending, 'document')} cannot be found yet: passim index goes on, passim jobs shows them.`)
}

/** Open the store for the time of `use`. */
export async function withPassim<Result>(
  options: GlobalOptions,
  use: (passim: Passim, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = interruption()
  const { open } = await import('../app.ts') // not for help, nor for a wrong option
  const tell = (message: string, error: unknown) =>
    new Output(options).message(`${message} ${toFailure(error).message}`)
  const passim = await open({ ...openOptions(options), onBackgroundError: tell })
  try {
    return await use(passim, signal)
  } finally {
    await passim.close()
  }
}
