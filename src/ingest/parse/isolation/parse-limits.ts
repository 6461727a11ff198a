import { type LocalizableMessage, localizable, type Sentence } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { formatBytes } from '../../../system/byte-sizes.ts'
import { readResidentBytes } from '../../../system/living-process.ts'
import { DEFAULT_PAGE_TIME_MS } from '../ocr/picture-budget.ts'
import { MAX_UNACKNOWLEDGED, type ParserMessage } from './parser-messages.ts'
import type { ProcessorUse } from './processor-use.ts'
import { type Passed, WorkClock } from './work-clock.ts'

export type ParseLimits = {
  /** Processor time; also the longest silence without work, or ten times as long for a disk. */
  readonly timeMs: number
  /** Added per MiB of the file. */
  readonly timePerMebibyteMs: number
  readonly memoryBytes: number
  /** Added once a picture is read: models, the drawn page, and WebAssembly. */
  readonly ocrMemoryBytes: number
  /** Output: texts in UTF-16 and their places. */
  readonly outputBytes: number
  /**
   * Added for OCR of one page, shared by all pictures of a file, and again for every 32 KiB of
   * it.
   */
  readonly ocrPageTimeMs: number
}

export const DEFAULT_PARSE_LIMITS: ParseLimits = {
  timeMs: 120_000,
  timePerMebibyteMs: 1_000,
  memoryBytes: 2 ** 29,
  ocrMemoryBytes: 2 ** 29,
  outputBytes: 2 ** 30,
  ocrPageTimeMs: DEFAULT_PAGE_TIME_MS,
}

/** Short, so that a file exceeds the limit only by what it allocates in between. */
const POLL_MS = 50

/** Bytes that allow one more page; parsers themselves end earlier, see PictureBudget. */
const PICTURE_BYTES = 32 * 1024

/** Counted in limits, so that slow and remote disks pass. */
const MAX_DISK_FACTOR = 10

export class LimitWatch {
  readonly #name: string
  readonly #limits: ParseLimits
  #overrun: AppError | undefined
  readonly #poll: NodeJS.Timeout
  readonly #clock: WorkClock
  readonly #time = { workedMs: 0, idleMs: 0, diskMs: 0 }
  #unacknowledged = 0
  #outputBytes = 0
  #isWorking = false
  #isTimed = false
  #hasOcr = false
  #ocr: { readonly page: number; workedMs: number; idleMs: number; diskMs: number } | undefined
  #pictureMs = 0
  readonly #maxPictureMs: number

  constructor(
    processId: number,
    name: string,
    {
      sizeBytes,
      use,
      ...limits
    }: ParseLimits & { readonly sizeBytes: number; readonly use?: ProcessorUse },
  ) {
    this.#name = name
    this.#maxPictureMs = limits.ocrPageTimeMs * (1 + sizeBytes / PICTURE_BYTES)
    this.#limits = {
      ...limits,
      timeMs: limits.timeMs + (limits.timePerMebibyteMs * sizeBytes) / 2 ** 20,
    }
    this.#clock = new WorkClock(processId, use)
    this.#poll = setInterval(() => this.#checkUse(readResidentBytes(processId)), POLL_MS)
  }

  /** Called once. */
  onOverrun = () => {}

  get overrun(): AppError | undefined {
    return this.#overrun
  }

  /** Call it for every message as it arrives. */
  receive(message: ParserMessage): void {
    if (message.type === 'use') {
      this.#clock.recordUsage(message.processorMs)
      this.#checkMemory(message.memoryBytes)
    }
    if (message.type !== 'events' && message.type !== 'done') return
    if (message.type === 'done') this.#isWorking = false
    Object.assign(this.#time, { idleMs: 0, diskMs: 0 })
    this.#countOutput(message.bytes)
    for (const event of message.events) {
      if (event.type !== 'ocr') continue
      this.#hasOcr ||= event.state !== 'skipped'
      this.#pictureMs += this.#ocr?.workedMs ?? 0
      this.#ocr =
        event.state === 'started'
          ? { page: event.page, workedMs: 0, idleMs: 0, diskMs: 0 }
          : undefined
    }
  }

  acceptEvents(): void {
    this.#unacknowledged--
  }

  stop(): void {
    clearInterval(this.#poll)
  }

  /** Call it when the child has the file. */
  start(): void {
    this.#isWorking = true
  }

  /** Starts with the first check, so that quick files do not pay for it. */
  #checkUse(memoryBytes: number | undefined): void {
    if (this.#isTimed && this.#isWorking) {
      this.#countTime(
        this.#clock.measurePassed({ isBlocked: this.#unacknowledged >= MAX_UNACKNOWLEDGED }),
      )
    } else if (this.#isWorking) {
      this.#clock.start()
      this.#isTimed = true
    }
    this.#checkMemory(memoryBytes ?? 0)
  }

  #countTime({ workedMs, idleMs, diskMs }: Passed): void {
    const { timeMs, ocrPageTimeMs } = this.#limits
    const time = this.#ocr ?? this.#time
    time.workedMs += workedMs
    time.idleMs += idleMs
    time.diskMs += diskMs
    if (this.#ocr) {
      this.#checkTime(
        this.#ocr,
        ocrPageTimeMs,
        'ocr.pageTimeMs',
        ` for the picture on page ${this.#ocr.page}`,
      )
      this.#checkPictures(this.#ocr.workedMs)
    } else this.#checkTime(this.#time, timeMs, 'parsing.timeMs')
  }

  #checkTime(
    { workedMs, idleMs, diskMs }: Passed,
    limitMs: number,
    setting: string,
    where = '',
  ): void {
    if (workedMs > limitMs) {
      this.#stop(
        createStoppedError(
          'timeout',
          this.#name,
          localizable`took longer than ${formatSeconds(limitMs)} of processor time${where}`,
          setting,
        ),
      )
    }
    if (idleMs > limitMs)
      this.#stop(
        createStoppedError(
          'timeout',
          this.#name,
          localizable`stood still for ${formatSeconds(limitMs)}${where}`,
          setting,
        ),
      )
    if (diskMs > limitMs * MAX_DISK_FACTOR)
      this.#stop(createDiskWaitError(this.#name, limitMs * MAX_DISK_FACTOR, setting, where))
  }

  #checkPictures(workedMs: number): void {
    if (this.#pictureMs + workedMs <= this.#maxPictureMs) return
    const what = localizable`took longer than ${formatSeconds(this.#maxPictureMs)} of processor time for all its pictures`
    this.#stop(createStoppedError('timeout', this.#name, what, 'ocr.pageTimeMs'))
  }

  #checkMemory(bytes: number): void {
    const { memoryBytes, ocrMemoryBytes } = this.#limits
    if (bytes <= memoryBytes + (this.#hasOcr ? ocrMemoryBytes : 0)) return
    this.#stop(
      this.#hasOcr
        ? createOcrMemoryError(this.#name, this.#limits)
        : createMemoryError(this.#name, this.#limits),
    )
  }

  #stop(overrun: AppError): void {
    if (this.#overrun) return
    this.#overrun = overrun
    this.onOverrun()
  }

  #countOutput(bytes: number): void {
    this.#unacknowledged++
    this.#outputBytes += bytes
    if (this.#outputBytes <= this.#limits.outputBytes) return
    const what = `produced more than ${formatBytes(this.#limits.outputBytes)} of text`
    this.#stop(createStoppedError('too_large', this.#name, what, 'parsing.outputBytes'))
  }
}

export function createMemoryError(name: string, { memoryBytes }: ParseLimits): AppError {
  return createStoppedError(
    'too_large',
    name,
    localizable`needed more than ${formatBytes(memoryBytes)} of memory`,
    'parsing.memoryBytes',
  )
}

export function createTimeError(name: string, limitMs: number): AppError {
  const what = localizable`took longer than ${formatSeconds(limitMs)} of processor time${''}`
  return createStoppedError('timeout', name, what, 'parsing.timeMs')
}

function createOcrMemoryError(
  name: string,
  { memoryBytes, ocrMemoryBytes }: ParseLimits,
): AppError {
  const what = localizable`needed more than ${formatBytes(memoryBytes + ocrMemoryBytes)} of memory with the pictures that are read in it`
  return createStoppedError('too_large', name, what, 'ocr.memoryBytes')
}

function createStoppedError(
  code: 'timeout' | 'too_large',
  name: string,
  what: Sentence,
  setting: string,
): AppError {
  const message = localizable`Reading ${name} ${what} and was stopped. Split the file, or raise the setting ${setting}.`
  return new AppError(code, message)
}

function createDiskWaitError(
  name: string,
  diskMs: number,
  setting: string,
  where: string,
): AppError {
  const what = localizable`waited ${formatSeconds(diskMs)} for the disk${where} and was stopped`
  return new AppError(
    'timeout',
    localizable`Reading ${name} ${what}. See whether the disk answers and try again, or raise the setting ${setting}.`,
  )
}

function formatSeconds(ms: number): LocalizableMessage {
  return localizable`${Math.round(ms / 100) / 10} s`
}
