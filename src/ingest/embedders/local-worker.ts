import { AppError } from '../../errors.ts'
import { Child, childEntry } from '../isolation/child.ts'
import type { WorkerAnswer } from './local-process.ts'

/** One text on its way to a vector. */
export class EmbeddingTask {
  readonly text: string
  readonly vector: Promise<Float32Array>
  /** Workers that died with it. */
  deaths = 0
  resolve!: (vector: Float32Array) => void
  reject!: (reason: unknown) => void

  constructor(text: string) {
    this.text = text
    this.vector = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}

/** A text that killed two workers is given up. */
const MAX_DEATHS = 2

type LocalWorkerOptions = {
  readonly args: readonly string[]
  readonly idleMs: number
  readonly onFree: () => void
  /** Gone, with a text that deserves another try. */
  readonly onEnd: (unfinished: EmbeddingTask | undefined) => void
}

/** Our end of one process that runs the model. Starts it at once; it takes a text while it still loads. */
export class LocalWorker {
  readonly #child: Child
  readonly #options: LocalWorkerOptions
  #task: EmbeddingTask | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(options: LocalWorkerOptions) {
    this.#options = options
    this.#child = new Child(childEntry('./local-process', import.meta.url), options.args)
    this.#child.events.on('message', (answer: WorkerAnswer) => this.#settle(answer))
    void this.#child.ended.then(() => this.#end())
  }

  get isFree(): boolean {
    return this.#task === undefined && this.#child.isAlive
  }

  get processId(): number {
    return this.#child.id
  }

  take(task: EmbeddingTask): void {
    clearTimeout(this.#idle)
    this.#task = task
    this.#child.setBusy(true)
    this.#child.send(task.text)
  }

  async close(reason: AppError): Promise<void> {
    this.#task?.reject(reason)
    this.#task = undefined
    await this.#child.kill()
  }

  #settle(answer: WorkerAnswer): void {
    const task = this.#task
    this.#task = undefined
    this.#child.setBusy(false)
    if (this.#options.idleMs > 0) this.#idle = setTimeout(() => this.#child.kill(), this.#options.idleMs).unref()
    if ('vector' in answer)
      task?.resolve(Float32Array.from(answer.vector)) // a copy: the message is a view of a larger buffer
    else task?.reject(new AppError('model_unavailable', `The embedding model failed: ${answer.failure.message}`))
    this.#options.onFree()
  }

  #end(): void {
    clearTimeout(this.#idle)
    const task = this.#task
    this.#task = undefined
    const isGivenUp = task !== undefined && ++task.deaths === MAX_DEATHS
    if (isGivenUp) task.reject(this.#gaveUp())
    this.#options.onEnd(isGivenUp ? undefined : task)
  }

  #gaveUp(): AppError {
    const { ending, lastWords } = this.#child
    const message = `The embedding model's process died twice on one text (${ending}). Check memory and the model's files.`
    return new AppError('model_unavailable', message, { cause: new Error(lastWords) })
  }
}
