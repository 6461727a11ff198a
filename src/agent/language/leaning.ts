import type { Unit } from './units.ts'

const LEANS_BACK =
  /^(?:it|its|this|these|that|those|they|their|he|she|such|however|therefore|thus|also|otherwise|in this case|for (?:this|that|the same) reason|the (?:latter|former|same))\b|^(?:其(?!他|它|中)|该|它|此|但|因此|所以|否则|同时|前款|上述|前者|后者)/i

/** A sentence that begins with a word that points back is understood only with the one before it. */
export function leansBack(sentence: string): boolean {
  return LEANS_BACK.test(sentence)
}

/** A sentence is leant on from so far. */
const REACH = 4

/** The sentence of its block that says what a unit speaks of, where the unit begins with a word that points back: the first before it that does not. */
export function antecedentOf(units: readonly Unit[], at: number): Unit | undefined {
  const unit = units[at]
  if (!unit || !leansBack(unit.text)) return undefined
  const before = units.slice(Math.max(0, at - REACH), at).filter(other => other.block === unit.block)
  return before.findLast(other => !leansBack(other.text))
}
