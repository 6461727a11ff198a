/** A question longer than this is no label. */
const MAX_QUESTION = 240

const ASKS = /[?？]["'”’」』）)*]*\s*$/u
const LABELLED_QUESTION = /^\s*(?:Q|Question|问|问题)\s*\d*\s*[:：.](?=\s*\S)/iu
/** Marks an answer: `A:`, `答：`. */
export const LABELLED_ANSWER = /^\s*(?:A|Answer|答|回答|答案)\s*\d*\s*[:：.](?=\s*\S)/iu

/** A line that asks, and so is answered by what stands under it: `How is it stored?`, `Q: ...`, `问：...`. */
export function isQuestionLine(line: string): boolean {
  return line.length <= MAX_QUESTION && (ASKS.test(line) || LABELLED_QUESTION.test(line)) && !LABELLED_ANSWER.test(line)
}
