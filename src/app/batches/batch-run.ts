import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { toAppError } from '../../errors.ts'
import {
  type Batch,
  type Batches,
  type BatchFault,
  type BatchStatus,
  deleteResults,
  moveBatch,
  setFailedCount,
} from '../../ingest/store/catalog/batches.ts'
import type { Statements } from '../../ingest/store/catalog.ts'
import { addFile } from '../../ingest/store/contents/files.ts'
import type { StagedBytes } from '../../ingest/store/contents/staging.ts'
import { createId } from '../../system/digest.ts'
import type { FileAdmin } from '../documents/file-admin.ts'
import type { Store } from '../stores/store.ts'
import { type BatchLine, checkBatchFile, readBatchLines } from './batch-lines.ts'
import { readUsage } from './batch-usage.ts'

/** Default of `server.maxUploadBytes`: an output file is no larger than what one may upload. */
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024

/** Short, so that a cancellation in another process takes effect within a second. */
const LOOK_MS = 1_000

const OUTPUT_PURPOSE = 'batch_output'

export type LineAnswer = {
  readonly status: number
  readonly requestId: string
  readonly text: string
}

/** Answers a line with the rights of whoever created the batch. Throws if the service is closing. */
export type AnswerLine = (batch: Batch, line: BatchLine, signal: AbortSignal) => Promise<LineAnswer>

type BatchRunDeps = {
  readonly store: Pick<Store, 'catalog' | 'content'>
  readonly batches: Batches
  readonly files: Pick<FileAdmin, 'getPath'>
  readonly answer: AnswerLine
  readonly concurrency: number
}

/**
 * Takes a batch from any status to its end. Each result is stored before the next line starts, so
 * that another process can continue. Its caller holds the lease of the batch.
 */
export class BatchRun {
  readonly #deps: BatchRunDeps
  readonly #id: string
  readonly #signal: AbortSignal
  /** Aborts when the batch is cancelled or its time is over. */
  readonly #stopped = new AbortController()
  #bytes = 0

  constructor(id: string, deps: BatchRunDeps, signal: AbortSignal) {
    this.#id = id
    this.#deps = deps
    this.#signal = signal
  }

  /** Does nothing if another process has ended it since it was listed. */
  async run(): Promise<void> {
    if (!(await this.#deps.batches.listUnfinished()).includes(this.#id)) return
    const ended = new AbortController()
    const watching = this.#watch(AbortSignal.any([ended.signal, this.#signal]))
    try {
      const faults = await this.#answer()
      this.#signal.throwIfAborted()
      await this.#finish(faults)
    } finally {
      ended.abort()
      await watching
    }
  }

  stop(): void {
    this.#stopped.abort()
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const batch = await this.#deps.batches.get(this.#id).catch(() => undefined) // the run reports it
      if (batch && (batch.status === 'cancelling' || Date.now() >= batch.details.expiresAt))
        this.stop()
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #answer(): Promise<readonly BatchFault[]> {
    const { batches } = this.#deps
    const { status, details } = await batches.get(this.#id)
    if (status !== 'validating' && status !== 'in_progress') return []
    const path = await this.#findInput(details.inputFileId)
    if (typeof path !== 'string') return [path]
    if (status === 'validating') {
      const { total, model, faults } = await checkBatchFile(path, details.endpoint, this.#signal)
      if (faults.length > 0) return faults
      await batches.move(this.#id, ['validating'], 'in_progress', { total, model })
    }
    const batch = await batches.get(this.#id)
    if (batch.status === 'in_progress') await this.#answerLines(batch, path)
    return []
  }

  async #findInput(fileId: string): Promise<string | BatchFault> {
    try {
      return await this.#deps.files.getPath(fileId)
    } catch (error) {
      const { code, message } = toAppError(error)
      if (code !== 'not_found') throw error
      return { code, message, param: 'input_file_id' }
    }
  }

  async #answerLines(batch: Batch, path: string): Promise<void> {
    const done = await this.#deps.batches.listDoneLines(this.#id)
    this.#bytes = batch.bytes
    const failed = new AbortController()
    const signal = AbortSignal.any([this.#signal, this.#stopped.signal, failed.signal])
    const lines = readBatchLines(path, batch.details.endpoint)
    const answerNext = async () => {
      while (!signal.aborted) {
        const { value: line, done: isOver } = await lines.next()
        if (isOver) return
        if (!done.has(line.line)) await this.#answerLine(batch, line, signal)
      }
    }
    const ends = await Promise.allSettled(
      Array.from({ length: this.#deps.concurrency }, async () => {
        await answerNext().catch(error => {
          failed.abort(error)
          throw error
        })
      }),
    )
    await lines.return(undefined)
    this.#signal.throwIfAborted()
    if (this.#stopped.signal.aborted) return
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  /** Discards the answer of a line that was aborted: it is asked again, or not needed. */
  async #answerLine(batch: Batch, line: BatchLine, signal: AbortSignal): Promise<void> {
    const isFull = this.#bytes >= MAX_OUTPUT_BYTES
    const answer = isFull ? undefined : await this.#deps.answer(batch, line, signal)
    if (signal.aborted) return
    const text = answer ? encodeAnswer(line, answer) : encodeFailure(line, OUTPUT_FULL)
    const isError = answer === undefined || answer.status >= 400
    const usage = isError ? undefined : readUsage(answer.text)
    await this.#deps.batches.record(this.#id, { line: line.line, isError, text, usage })
    this.#bytes += Buffer.byteLength(text)
  }

  async #finish(faults: readonly BatchFault[]): Promise<void> {
    const { batches } = this.#deps
    const changes = faults.length > 0 ? { errors: faults } : {}
    await batches.move(this.#id, ['in_progress'], 'finalizing', changes)
    const batch = await batches.get(this.#id)
    const outcome = chooseOutcome(batch, faults)
    const expired = outcome === 'expired' ? await this.#readExpired(batch) : undefined
    const hasErrors = batch.failed > 0 || expired !== undefined
    const output = batch.completed > 0 ? batches.readResults(this.#id, false) : undefined
    const errors = hasErrors ? this.#readErrors(expired) : undefined
    await this.#writeStaged(output, async stagedOutput => {
      await this.#writeStaged(errors, async stagedErrors => {
        await this.#store(batch, outcome, { stagedOutput, stagedErrors, faults })
      })
    })
  }

  async #store(
    batch: Batch,
    outcome: BatchStatus,
    { stagedOutput, stagedErrors, faults }: Staged,
  ): Promise<void> {
    const { id, status, details, completed } = batch
    await this.#deps.store.catalog.transaction(async inside => {
      const outputFileId = await this.#addFile(inside, stagedOutput, `${id}_output.jsonl`, details)
      const errorFileId = await this.#addFile(inside, stagedErrors, `${id}_error.jsonl`, details)
      const changes = { outputFileId, errorFileId, ...(faults.length > 0 && { errors: faults }) }
      await moveBatch(inside, id, { from: [status], to: outcome, changes })
      if (outcome === 'expired') await setFailedCount(inside, id, (details.total ?? 0) - completed)
      await deleteResults(inside, id)
    })
  }

  async #writeStaged(
    lines: AsyncIterable<string> | undefined,
    use: (staged: StagedBytes | undefined) => Promise<void>,
  ): Promise<void> {
    if (!lines) return await use(undefined)
    const { content } = this.#deps.store
    await content.stageStream(Readable.from(addNewlines(lines)), use, this.#signal)
  }

  async #addFile(
    inside: Statements,
    staged: StagedBytes | undefined,
    name: string,
    { outputLifetimeMs: lifetimeMs }: Batch['details'],
  ): Promise<string | undefined> {
    if (!staged) return undefined
    const { content } = this.#deps.store
    const file = { name, purpose: OUTPUT_PURPOSE, uploaded: true, lifetimeMs }
    const { id } = await addFile({ catalog: inside, content }, staged, file)
    content.flushRenames()
    return id
  }

  async #readExpired({ details }: Batch): Promise<AsyncIterable<string> | undefined> {
    const done = await this.#deps.batches.listDoneLines(this.#id)
    const path = await this.#findInput(details.inputFileId)
    return typeof path === 'string'
      ? encodeExpired(readBatchLines(path, details.endpoint), done)
      : undefined
  }

  async *#readErrors(expired: AsyncIterable<string> | undefined): AsyncGenerator<string> {
    yield* this.#deps.batches.readResults(this.#id, true)
    if (expired) yield* expired
  }
}

type Staged = {
  readonly stagedOutput: StagedBytes | undefined
  readonly stagedErrors: StagedBytes | undefined
  readonly faults: readonly BatchFault[]
}

function chooseOutcome(
  { status, completed, failed, details: { total = 0, errors } }: Batch,
  faults: readonly BatchFault[],
): BatchStatus {
  if (status === 'cancelling') return 'cancelled'
  if (faults.length > 0 || errors) return 'failed'
  return completed + failed < total ? 'expired' : 'completed'
}

const OUTPUT_FULL = {
  code: 'output_too_large',
  message: `The results of the batch have more than ${MAX_OUTPUT_BYTES} bytes. Send this request in another batch.`,
}

const EXPIRED = {
  code: 'batch_expired',
  message: 'This request could not be executed before the completion window expired.',
}

function encodeAnswer(
  { customId }: BatchLine,
  { status, requestId, text: body }: LineAnswer,
): string {
  const head = JSON.stringify({ id: createId('batch_req_'), custom_id: customId }).slice(0, -1)
  const response = JSON.stringify({ status_code: status, request_id: requestId }).slice(0, -1)
  return `${head},"response":${response},"body":${body}},"error":null}`
}

function encodeFailure({ customId }: BatchLine, error: object): string {
  return JSON.stringify({ id: createId('batch_req_'), custom_id: customId, response: null, error })
}

async function* encodeExpired(
  lines: AsyncIterable<BatchLine>,
  done: ReadonlySet<number>,
): AsyncGenerator<string> {
  for await (const line of lines) if (!done.has(line.line)) yield encodeFailure(line, EXPIRED)
}

async function* addNewlines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}
