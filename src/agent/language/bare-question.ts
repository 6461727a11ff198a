/** The form of a longer question, in characters, tells nothing. */
const MAX_FORM = 1000
const END = new Set(' ?？。.!！')

/** The question with single spaces and without the marks at its end; undefined where it is too long to have a form. */
export function bareQuestion(question: string): string | undefined {
  const spaced = question.trim().replace(/\s+/gu, ' ')
  let end = spaced.length
  while (end > 0 && END.has(spaced[end - 1]!)) end-- // within the text
  return end > MAX_FORM ? undefined : spaced.slice(0, end)
}
