import type { OpenOptions } from '../app/open-search.ts'
import type { SearchOnly } from '../app/search-only.ts'
import { listPendingWarnings } from '../app/searching/pending.ts'
import type { Passim } from '../app.ts'
import { toFailure } from '../errors.ts'
import type { UnfinishedCount } from '../ingest/store/catalog/document-counts.ts'
import { type GlobalOptions, Output } from './output.ts'
import { printableJson } from './printable.ts'

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

/** Says how many documents wait to be indexed, which cannot be found yet, or by words alone. */
export function tellPending(pending: UnfinishedCount, output: Output): void {
  for (const { message } of listPendingWarnings(pending)) output.message(message)
}

/** Open the store for the time of `use`; one is made where there is none. */
export async function withPassim<Result>(
  options: GlobalOptions,
  use: (passim: Passim, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return await withStore(options, { onNewStore: tellNewStore(options) }, use)
}

/** As `withPassim`, for what only makes sense where there is a store. */
export async function withExisting<Result>(
  options: GlobalOptions,
  use: (passim: Passim, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return await withStore(options, { mustExist: true }, use)
}

/** As `withExisting`, where nothing but searching is wanted. */
export async function withSearch<Result>(
  options: GlobalOptions,
  use: (store: SearchOnly, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = interruption()
  const { openToSearch } = await import('../app/search-only.ts')
  const store = await openToSearch({ ...openOptions(options), mustExist: true })
  try {
    return await use(store, signal)
  } finally {
    await store.close()
  }
}

/** Says that there was no store: who expected one may have named another folder, or its disk is away. */
export function tellNewStore(options: GlobalOptions): (home: string) => void {
  return home => new Output(options).message(`Created a new store in ${home}.`)
}

/** As `withPassim`, for who has files to be parsed at once: what parses them starts while the rest is loaded. */
export async function withParser<Result>(
  options: GlobalOptions,
  use: (passim: Passim, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const [{ openParserProcesses: parserProcesses }, { loadSettings }] = await Promise.all([
    import('../app/indexing/parser-processes.ts'),
    import('../config.ts'),
  ])
  const processes = parserProcesses(await loadSettings(openOptions(options)))
  processes.warm()
  try {
    return await withStore(
      options,
      { onNewStore: tellNewStore(options), parserProcesses: processes },
      use,
    )
  } finally {
    await processes.close() // of a store that could not be opened
  }
}

async function withStore<Result>(
  options: GlobalOptions,
  storeOptions: Pick<OpenOptions, 'mustExist' | 'onNewStore' | 'parserProcesses'>,
  use: (passim: Passim, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = interruption()
  const { open } = await import('../app.ts') // not for help, nor for a wrong option
  const tell = (message: string, error: unknown) =>
    new Output(options).message(`${message} ${toFailure(error).message}`)
  const passim = await open({ ...openOptions(options), ...storeOptions, onBackgroundError: tell })
  try {
    return await use(passim, signal)
  } finally {
    await passim.close()
  }
}

/** One JSON object a line, on stderr: results go to stdout. */
export function logLine(entry: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${printableJson({ time: new Date().toISOString(), ...entry })}\n`)
}
