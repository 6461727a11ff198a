import type { Terms } from '../language/terms.ts'

const JOINTS =
  /[，,；;。？?]\s*(?:and\s+|以及|并且|并|又|还有)?|(?<!\s)\s+and\s+(?=(?:how|why|what|when|where|who|which|is|are|does|do|must|can)\b)|(?:以及|并且)/i
const ASKS =
  /什么|多少|几|谁|哪|如何|怎|为何|是否|能否|吗|多[久长大高]|\b(?:how|why|what|when|where|who|whom|whose|which|is|are|does|do|did|can|may|must|should)\b/i

/**
 * The questions in a question (`what is the limit, and why?`): each is looked for by itself, so that a sentence that
 * answers one does not keep away the one that answers the other. A part that names nothing borrows the words of the first.
 */
export function partsOf(question: string, terms: Terms): readonly string[] {
  const pieces = question.split(JOINTS).map(piece => piece.trim())
  const asking = pieces.filter(piece => piece !== '' && ASKS.test(piece))
  if (asking.length < 2) return [question]
  const first = asking[0]! // at least two
  return asking.map(part => (terms.pointsOf(part).length < 2 && part !== first ? `${first} ${part}` : part))
}
