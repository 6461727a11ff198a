const HOW_TO =
  /\bhow\s+(?:do|does|to|can|could|should|must|would)\b|\b(?:steps?|procedures?|instructions)\b|如何|怎么(?!样)|怎样|步骤|流程/iu

/** A question for what is to be done, one thing after another. */
export function asksHowTo(question: string): boolean {
  return HOW_TO.test(question)
}
