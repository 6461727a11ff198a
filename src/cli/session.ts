import type { Command } from 'commander'
import type { OpenOptions } from '../app/open-search.ts'
import type { Passim } from '../app/passim.ts'
import type { SearchOnly } from '../app/search-only.ts'
import { findPendingWarnings } from '../app/searching/pending.ts'
import { AppError, formatWithAdvice, getReason, toAppError } from '../errors.ts'
import { formatCommandLine, getAllOptions } from './command.ts'
import { type GlobalOptions, Output } from './output.ts'
import { toPrintableJson } from './printable.ts'
import { getUserSentences } from './sentences/sentences.ts'
import type { Terminal, TerminalForms } from './terminal/forms.ts'

export function openOptions({ home, config }: GlobalOptions): OpenOptions {
  return { ...(home && { home }), ...(config && { configFile: config }) }
}

/** Commands whose service writes its own lines. */
const SERVICES: ReadonlySet<string> = new Set(['serve', 'work'])

export async function startAudit(command: Command): Promise<(isFailed: boolean) => Promise<void>> {
  const options = getAllOptions<{ readonly collection?: string | readonly string[] }>(command)
  const { loadSettings } = await import('../config.ts')
  const { home, server } = await loadSettings(openOptions(options))
  if (!server.audit) return async () => {}
  const { CommandAudit } = await import('../app/audit/command-audit.ts')
  const audit = new CommandAudit({
    home,
    settings: server.audit,
    name: formatCommandLine(command),
    arguments: command.args,
    collections: [options.collection ?? []].flat(),
    hasSearches: !SERVICES.has(command.name()),
    onError: (message, error) =>
      new Output(options).writeFailure(
        `${message} ${getUserSentences().describe(toAppError(error))}`,
      ),
  })
  return async isFailed => await audit.end(isFailed)
}

/** Aborts on Ctrl-C or SIGTERM; a second Ctrl-C exits at once. */
export function createInterruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

export async function reportPending(
  { scope }: Passim,
  names: readonly string[] | undefined,
  output: Output,
): Promise<void> {
  const collections = await scope.findCollections(names)
  const pending = await scope.countPending(collections)
  for (const warning of await findPendingWarnings(pending, collections, scope))
    output.writeMessage(output.sentences.describe(warning))
}

export async function withPassim<Result>(
  options: GlobalOptions,
  use: (passim: Passim, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return await withStore(options, { onNewStore: reportNewStore(options) }, use)
}

export async function withDiagnosedStore<Result>(
  options: GlobalOptions,
  use: (passim: Passim) => Promise<Result>,
): Promise<Result> {
  return await withStore(options, { onNewStore: reportNewStore(options) }, use, openToDiagnose)
}

export async function withExisting<Result>(
  options: GlobalOptions,
  use: (passim: Passim, signal: AbortSignal, terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  return await withStore(options, { mustExist: true }, use)
}

export async function withSearch<Result>(
  options: GlobalOptions,
  use: (store: SearchOnly, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = createInterruption()
  const { openToSearch } = await import('../app/search-only.ts')
  const store = await openToSearch({ ...openOptions(options), mustExist: true })
  try {
    return await use(store, signal)
  } finally {
    await store.close()
  }
}

export function reportNewStore(options: GlobalOptions): (home: string) => void {
  const output = new Output(options)
  return home => output.writeMessage(output.sentences.created(home))
}

export async function withParser<Result>(
  options: GlobalOptions,
  use: (passim: Passim, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const [{ openParserProcesses: parserProcesses }, { loadSettings }] = await Promise.all([
    import('../app/indexing/open-parser-processes.ts'),
    import('../config.ts'),
  ])
  const processes = parserProcesses(await loadSettings(openOptions(options)))
  processes.warm()
  try {
    return await withStore(
      options,
      { onNewStore: reportNewStore(options), parserProcesses: processes },
      use,
    )
  } finally {
    await processes.close() // closes processes of a store that failed to open
  }
}

async function openStore(options: OpenOptions): Promise<Passim> {
  const { open } = await import('../app.ts')
  return await open(options)
}

async function openToDiagnose(options: OpenOptions): Promise<Passim> {
  const [{ openWithSettings }, { loadSettings }] = await Promise.all([
    import('../app.ts'),
    import('../config.ts'),
  ])
  const settings = await loadSettings(options)
  return await openWithSettings(settings, { ...options, acceptsFailingStorage: true })
}

async function withStore<Result>(
  options: GlobalOptions,
  storeOptions: Partial<OpenOptions>,
  use: (passim: Passim, signal: AbortSignal, terminal: Terminal) => Promise<Result>,
  open = openStore,
): Promise<Result> {
  const signal = createInterruption()
  const terminal: Terminal = {}
  const elicit = createElicit(new Output(options), terminal)
  const reportError = (message: string, error: unknown) =>
    new Output(options).writeMessage(`${message} ${getUserSentences().describe(toAppError(error))}`)
  const allOptions = { ...openOptions(options), ...storeOptions, ...(elicit && { elicit }) }
  const passim = await open({ ...allOptions, onBackgroundError: reportError })
  try {
    return await use(passim, signal, terminal)
  } finally {
    await passim.close()
  }
}

function createElicit(output: Output, terminal: Terminal): OpenOptions['elicit'] {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  let forms: TerminalForms | undefined
  return async (form, signal) => {
    const { TerminalForms: Forms } = await import('./terminal/forms.ts')
    forms ??= new Forms(output, terminal)
    return await forms.fill(form, signal)
  }
}

export function describeError(error: unknown): string {
  return error instanceof AppError ? formatWithAdvice(error) : getReason(error)
}

export function logLine(entry: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${toPrintableJson({ time: new Date().toISOString(), ...entry })}\n`)
}
