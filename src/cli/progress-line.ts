import path from 'node:path'
import { measureWidth } from '../text/line-width.ts'
import { joinLines } from './output.ts'
import { toPrintable } from './printable.ts'
import { en, type Sentences } from './sentences/en.ts'

export type IndexWords = Sentences['index']

export type ProgressState = {
  readonly done: number
  /** Searchable by keyword only. */
  readonly byWords: number
  readonly total: number
  readonly secondsLeft: number | undefined
  readonly stage: string
  readonly source: string
}

/** Columns of the bar, so that the name gets the rest. */
const BAR = 10
const MIN_NAME = 16

export function formatProgress(state: ProgressState, words: IndexWords): string {
  return state.source === ''
    ? formatCounts(state, words)
    : `${formatCounts(state, words)}: ${toPrintable(joinLines(state.source))}`
}

/** Names no total once it is reached, because more may be found and upkeep follows. */
function formatCounts(state: ProgressState, words: IndexWords): string {
  const { done, byWords, total, secondsLeft, stage } = state
  const searchable = byWords > 0 ? [words.byWords(byWords)] : []
  const counts = done < total ? words.done(done, total) : words.finishing(done)
  const remainingTime =
    done < total && secondsLeft !== undefined
      ? [words.remaining(formatTimeLeft(secondsLeft, words))]
      : []
  return [counts, ...searchable, ...remainingTime, stage].join(words.comma)
}

export function formatProgressLine(
  state: ProgressState,
  columns: number,
  words: IndexWords = en.index,
): string {
  const { done, total, source } = state
  const filled = Math.round((BAR * Math.min(done, total)) / Math.max(1, total))
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} `
  const counts = formatCounts(state, words)
  if (source === '') return bar + counts
  const room = columns - measureWidth(`${counts}: `)
  const hasBar = room - BAR - 1 >= MIN_NAME
  return `${hasBar ? bar : ''}${counts}: ${shortenPath(toPrintable(joinLines(source)), hasBar ? room - BAR - 1 : room)}`
}

function shortenPath(source: string, room: number): string {
  if (measureWidth(source) <= room) return source
  const name = path.basename(source)
  if (measureWidth(name) + 2 <= room) return `…${takeLast(source, room - 1)}`
  const end = Math.floor((room - 1) / 2)
  return `${takeFirst(name, room - 1 - end)}…${takeLast(name, end)}`
}

function takeFirst(text: string, room: number): string {
  let head = ''
  for (const character of text) {
    if (measureWidth(head + character) > room) break
    head += character
  }
  return head
}

function takeLast(text: string, room: number): string {
  return [...takeFirst([...text].reverse().join(''), room)].reverse().join('')
}

function formatTimeLeft(seconds: number, words: IndexWords): string {
  const minutes = Math.round(seconds / 60)
  return minutes > 0 ? words.minutes(minutes) : words.seconds(Math.ceil(seconds))
}

/** Fixed cost of a document as bytes, so that many small files are estimated well. */
const BYTES_PER_DOCUMENT = 16 * 1024

/** Time constant of the speed, so that one slow file is averaged and forgotten. */
const SMOOTHING_MS = 120_000

/** Delay of the first estimate, so that starting processes do not distort it. */
const SETTLING_MS = 3_000

/** Estimates by bytes, because files differ in size. */
export class TimeLeft {
  readonly #now: () => number
  readonly #sizes = new Map<string, number>()
  readonly #partly = new Map<string, number>()
  #remainingUnits = 0
  #counted = 0
  #startedAt: number
  #at: number
  #units = 0
  #ms = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#startedAt = this.#at = now()
  }

  noteFound(id: string, bytes: number): void {
    if (this.#sizes.size === 0) this.#startedAt = this.#at = this.#now()
    this.#remainingUnits += bytes + BYTES_PER_DOCUMENT - (this.#sizes.get(id) ?? 0)
    this.#sizes.set(id, bytes + BYTES_PER_DOCUMENT)
  }

  /** Takes the finished share, 0 to 1. */
  noteShare(id: string, share: number): void {
    const partly = (this.#sizes.get(id) ?? 0) * Math.min(1, share)
    const before = this.#partly.get(id) ?? 0
    if (partly <= before) return
    this.#partly.set(id, partly)
    this.#count(partly - before)
  }

  done(id: string): void {
    this.noteShare(id, 1)
    this.#sizes.delete(id)
    this.#partly.delete(id)
  }

  estimateSeconds(): number | undefined {
    const now = this.#now()
    if (this.#counted === 0 || now - this.#startedAt < SETTLING_MS) return undefined
    const { units, ms } = this.#computeSpeed(now)
    return (this.#remainingUnits * ms) / units / 1000
  }

  #count(units: number): void {
    const now = this.#now()
    const speed = this.#computeSpeed(now)
    this.#units = speed.units + units
    this.#ms = speed.ms
    this.#at = now
    this.#counted += units
    this.#remainingUnits -= units
  }

  /** Decays work and time equally. */
  #computeSpeed(now: number): { readonly units: number; readonly ms: number } {
    const passed = now - this.#at
    const weight = Math.exp(-passed / SMOOTHING_MS)
    return { units: this.#units * weight, ms: this.#ms * weight + passed }
  }
}
