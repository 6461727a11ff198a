/** A number as a text states it, in digits or in words, and where. */
export type StatedNumber = {
  /** The number itself, as `3500000` for `3.5 million`, and its digits as they stand, as `3.5`. */
  readonly value: string
  readonly digits: string
  readonly start: number
  readonly end: number
  /** A word like `one` or `一` that is seldom meant as a number: it may prove one, and asks for none. */
  readonly isIncidental?: boolean
}
