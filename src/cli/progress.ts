import { createRequire } from 'node:module'
import type cliProgress from 'cli-progress'
import type { IndexEvent } from '../app/index-documents.ts'
import type { Output } from './output.ts'

const REFRESHES_PER_SECOND = 5
const SAY_EVERY_MS = 5_000

/** How far an index run is: a bar on a terminal, a line per finished document elsewhere, nothing when quiet. */
export class IndexProgress {
  readonly #output: Output
  readonly #bar: cliProgress.SingleBar | undefined
  readonly #pages: PageProgress
  readonly #moved = new Set<string>()
  #queued = 0
  #done = 0

  constructor(output: Output) {
    this.#output = output
    this.#pages = new PageProgress(output)
    if (output.isQuiet || !process.stderr.isTTY) return
    const { SingleBar } = createRequire(import.meta.url)('cli-progress') as typeof cliProgress // its types
    this.#bar = new SingleBar({
      format: '{bar} {value}/{total} documents, {eta_formatted} left | {stage} {source}',
      stream: process.stderr,
      etaBuffer: 50,
      formatTime: timeLeft,
      clearOnComplete: true,
      fps: REFRESHES_PER_SECOND,
    })
  }

  show(event: IndexEvent): void {
    if (event.type === 'found') this.#found(event)
    if (event.type === 'progress') this.#working(event)
    if (event.type === 'done') this.#finished(event)
    if (event.type === 're-embed')
      this.#pages.show(event.done, event.total, `re-embedding, ${event.embedderId}`, event.stage)
  }

  waiting(holder: { readonly host: string; readonly pid: number }): void {
    this.#output.message(`Waiting for process ${holder.pid}, which is indexing this collection (Ctrl-C ends the wait).`)
  }

  stop(): void {
    this.#bar?.stop()
  }

  /** Pages of a scan take seconds each: whoever waits sees them pass. */
  #working(event: Extract<IndexEvent, { type: 'progress' }>): void {
    if (this.#bar) this.#bar.update(this.#done, { stage: stageOf(event), source: shorten(event.source) })
    else this.#pages.show(event.done, event.total, event.source, event.stage)
  }

  #found({ kind, documentId }: Extract<IndexEvent, { type: 'found' }>): void {
    if (kind === 'moved' && documentId) this.#moved.add(documentId)
    if (kind !== 'new' && kind !== 'changed' && kind !== 'waiting') return
    if (this.#queued++ === 0) this.#begin()
    this.#bar?.setTotal(this.#queued)
  }

  /** On a busy machine it takes seconds until the first file is read: whoever waits knows for what. */
  #begin(): void {
    if (this.#bar) this.#bar.start(1, 0, { stage: 'starting to read', source: '' })
    else this.#output.message('Found files to index; the processes that read them are started.')
  }

  #finished({ documentId, source, outcome }: Extract<IndexEvent, { type: 'done' }>): void {
    this.#done++
    if (this.#bar) this.#bar.update(this.#done)
    else this.#output.message(`${this.#moved.has(documentId) && outcome === 'replaced' ? 'moved' : outcome} ${source}`)
  }
}

/** As `embed 12/300`. */
function stageOf({ stage, done, total }: Extract<IndexEvent, { type: 'progress' }>): string {
  return `${stage} ${done}${total === undefined ? '' : `/${total}`}`
}

/** Says now and then how far a file is that takes long; most never take so long. */
export class PageProgress {
  readonly #output: Output
  #saidAt = performance.now()

  constructor(output: Output) {
    this.#output = output
  }

  show(done: number, total?: number, source?: string, stage = 'parse'): void {
    const now = performance.now()
    if (now - this.#saidAt < SAY_EVERY_MS) return
    this.#saidAt = now
    const unit = stage === 'parse' ? 'page' : stage
    this.#output.message(`${source ? `${source}: ` : ''}${unit} ${done}${total ? ` of ${total}` : ''}`)
  }
}

/** Says now and then how many of a number of things are done. */
export class StepProgress {
  readonly #output: Output
  readonly #thing: string
  #saidAt = performance.now()

  constructor(output: Output, thing: string) {
    this.#output = output
    this.#thing = thing
  }

  show(done: number, total: number): void {
    const now = performance.now()
    if (now - this.#saidAt < SAY_EVERY_MS) return
    this.#saidAt = now
    this.#output.message(`${this.#thing} ${done} of ${total}`)
  }
}

function shorten(source: string): string {
  return source.length > 40 ? `…${source.slice(-39)}` : source
}

/** In seconds; before anything is done it is not known, and cli-progress gives words or 0 for it. */
function timeLeft(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds <= 0) return '?'
  const minutes = Math.floor(seconds / 60)
  return minutes > 0 ? `${minutes} min` : `${Math.ceil(seconds)} s`
}
