import { createRequire } from 'node:module'
import type cliProgress from 'cli-progress'
import type { IndexEvent } from '../app/indexing/index-documents.ts'
import type { Failure } from '../errors.ts'
import type { Output } from './output.ts'
import {
  formatProgress,
  formatProgressLine,
  type IndexWords,
  type ProgressState,
  TimeLeft,
} from './progress-line.ts'
import type { Step } from './sentences/en-work.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { withSourceName } from './source-names.ts'

const REFRESHES_PER_SECOND = 5
const SAY_EVERY_MS = 5_000

export class IndexProgress {
  readonly #output: Output
  readonly #bar: cliProgress.SingleBar | undefined
  readonly #pages: PageProgress
  #printedAt = performance.now()
  readonly #timeLeft = new TimeLeft()
  #queued = 0
  #done = 0
  /** Searchable by keyword and unfinished. */
  readonly #byWords = new Set<string>()
  readonly #reported = new Set<string>()
  #stage: string
  #source = ''

  constructor(output: Output) {
    this.#output = output
    this.#pages = new PageProgress(output)
    this.#stage = output.sentences.work.starting
    if (!output.hasReader) return
    this.#bar = createBar(() =>
      formatProgressLine(this.#state(), process.stderr.columns, output.sentences.index),
    )
  }

  show(event: IndexEvent): void {
    if (event.type === 'found') this.#showFound(event)
    if (event.type === 'progress') this.#showWorking(event)
    if (event.type === 'searchable') this.#byWords.add(event.documentId)
    if (event.type === 'done') this.#showFinished(event)
    if (event.type === 're-embed')
      this.#pages.show(
        event.done,
        event.total,
        this.#output.sentences.work.reEmbedding(event.embedderId),
        event.stage,
      )
  }

  hasReported(source: string): boolean {
    return this.#reported.has(source)
  }

  showWaiting(holder: { readonly host: string; readonly pid: number }): void {
    this.#output.writeMessage(this.#output.sentences.index.waiting(holder.pid))
  }

  stop(): void {
    this.#bar?.stop()
  }

  #state(): ProgressState {
    const secondsLeft = this.#timeLeft.estimateSeconds()
    const counts = { done: this.#done, byWords: this.#byWords.size, total: this.#queued }
    return { ...counts, secondsLeft, stage: this.#stage, source: this.#source }
  }

  #showWorking(event: Extract<IndexEvent, { type: 'progress' }>): void {
    const { documentId, stage, done, total, source } = event
    if (stage === 'embed' && total) this.#timeLeft.noteShare(documentId, done / total)
    this.#stage = this.#output.sentences.work.stage(stage, done, total)
    this.#source = source
    this.#update()
  }

  #showFound({ kind, documentId, bytes = 0 }: Extract<IndexEvent, { type: 'found' }>): void {
    if (kind !== 'new' && kind !== 'changed' && kind !== 'waiting') return
    if (documentId) this.#timeLeft.noteFound(documentId, bytes)
    if (this.#queued++ === 0) this.#start()
    this.#bar?.setTotal(this.#queued)
  }

  /** Shows the start, because the first file may take seconds. */
  #start(): void {
    if (this.#bar) this.#bar.start(1, 0)
    else this.#output.writeMessage(this.#output.sentences.index.starting)
  }

  #showFinished({
    documentId,
    source,
    outcome,
    error,
  }: Extract<IndexEvent, { type: 'done' }>): void {
    this.#done++
    this.#queued = Math.max(this.#queued, this.#done) // attachments are found with their document
    this.#byWords.delete(documentId)
    this.#timeLeft.done(documentId)
    if (error && !this.#bar && !this.#output.isQuiet) {
      this.#output.writeMessage(formatFailure(outcome, source, error, this.#output.sentences.index))
      this.#reported.add(source)
    }
    this.#update()
  }

  /** Prints a line every few seconds, which suffices for a log. */
  #update(): void {
    this.#bar?.update(this.#done)
    const now = performance.now()
    if (this.#bar || now - this.#printedAt < SAY_EVERY_MS) return
    this.#printedAt = now
    this.#output.writeMessage(formatProgress(this.#state(), this.#output.sentences.index))
  }
}

/** Formats `failed: notes.txt is empty (empty)`. */
export function formatFailure(
  outcome: string,
  source: string,
  failure: Failure,
  words: IndexWords,
): string {
  return words.outcome(outcome, withSourceName(source, getUserSentences().failure(failure)))
}

export class PageProgress {
  readonly #output: Output
  #printedAt = performance.now()

  constructor(output: Output) {
    this.#output = output
  }

  show(done: number, total?: number, source?: string, step: Step = 'page'): void {
    const now = performance.now()
    if (now - this.#printedAt < SAY_EVERY_MS) return
    this.#printedAt = now
    const { named, work } = this.#output.sentences
    const formatted = work.step(step, done, total)
    this.#output.writeMessage(source ? named(source, formatted) : formatted)
  }
}

/** Writes to stderr, unless results go to the same terminal. */
export class CountProgress {
  readonly #bar: cliProgress.SingleBar | undefined

  constructor(output: Output, things: string, total: number) {
    if (!output.hasReader || process.stdout.isTTY) return
    const { comma, remaining } = output.sentences.index
    const format = `{bar} {value}/{total} ${things}${comma}${remaining('{eta_formatted}')}`
    this.#bar = createBar(format)
    this.#bar.start(total, 0)
  }

  showNext(): void {
    this.#bar?.increment()
  }

  stop(): void {
    this.#bar?.stop()
  }
}

function createBar(format: string | (() => string)): cliProgress.SingleBar {
  const { SingleBar }: typeof cliProgress = createRequire(import.meta.url)('cli-progress')
  return new SingleBar({
    format,
    stream: process.stderr,
    clearOnComplete: true,
    fps: REFRESHES_PER_SECOND,
  })
}

export class StepProgress {
  readonly #output: Output
  readonly #step: Step
  #printedAt = performance.now()

  constructor(output: Output, step: Step) {
    this.#output = output
    this.#step = step
  }

  show(done: number, total: number): void {
    const now = performance.now()
    if (now - this.#printedAt < SAY_EVERY_MS) return
    this.#printedAt = now
    this.#output.writeMessage(this.#output.sentences.work.step(this.#step, done, total))
  }
}
