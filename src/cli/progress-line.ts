import path from 'node:path'
import { widthOf } from '../text/line-width.ts'
import { oneLine } from './output.ts'
import { printable } from './printable.ts'

/** How far a run is, and what it works on. */
export type ProgressState = {
  readonly done: number
  /** Others that are found by their words already. */
  readonly byWords: number
  readonly total: number
  readonly secondsLeft: number | undefined
  readonly stage: string
  readonly source: string
}

/** What the bar takes of a line; the name of the file is worth more. */
const BAR = 10
const MIN_NAME = 16

/** One line, however long. */
export function progressText(state: ProgressState): string {
  return state.source === ''
    ? countsIn(state)
    : `${countsIn(state)}: ${printable(oneLine(state.source))}`
}

function countsIn({ done, byWords, total, secondsLeft, stage }: ProgressState): string {
  const words = byWords > 0 ? ` (${byWords} by words)` : ''
  return `${done}/${total} documents${words}, ${timeLeft(secondsLeft)} left, ${stage}`
}

/** One line of at most so many columns, with as much of the file's path as there is room for. */
export function progressLine(state: ProgressState, columns: number): string {
  const { done, total, source } = state
  const filled = Math.round((BAR * Math.min(done, total)) / Math.max(1, total))
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} `
  const counts = countsIn(state)
  if (source === '') return bar + counts
  const room = columns - widthOf(`${counts}: `)
  const hasBar = room - BAR - 1 >= MIN_NAME
  return `${hasBar ? bar : ''}${counts}: ${placeIn(printable(oneLine(source)), hasBar ? room - BAR - 1 : room)}`
}

/** The end of a path; of a name that is too long for it, both ends. */
function placeIn(source: string, room: number): string {
  if (widthOf(source) <= room) return source
  const name = path.basename(source)
  if (widthOf(name) + 2 <= room) return `…${lastOf(source, room - 1)}`
  const end = Math.floor((room - 1) / 2)
  return `${firstOf(name, room - 1 - end)}…${lastOf(name, end)}`
}

function firstOf(text: string, room: number): string {
  let taken = ''
  for (const character of text) {
    if (widthOf(taken + character) > room) break
    taken += character
  }
  return taken
}

function lastOf(text: string, room: number): string {
  return [...firstOf([...text].reverse().join(''), room)].reverse().join('')
}

/** In words; before anything is done it is not known. */
function timeLeft(seconds: number | undefined): string {
  if (seconds === undefined) return '?'
  const minutes = Math.round(seconds / 60)
  return minutes > 0 ? `${minutes} min` : `${Math.ceil(seconds)} s`
}
