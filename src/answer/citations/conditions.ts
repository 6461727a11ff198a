/**
 * Conditions, exceptions and open questions (Quirk et al. 1985, 15.5 and 15.33 to 15.36; 立法技术规范
 * 2009, on 的).
 */
const CONDITION =
  /\b(?:if|unless|whether|provided(?: that)?|(?:as|so) long as|on condition that|except(?:ing)?|with the exception of|other than|apart from)\b|如果|假如|要是|倘若|只要|只有|除非|除了?(?!外)|若(?!干)|是否|的情况下|的(?=[，,])/iu
/** English conditions may follow, unless a conjunction joins them to what comes next. */
const FOLLOWING = /^\s*(?!(?:and|but|or)\b)[^\p{Script=Han}]*$/iu
const PART_END =
  /[,;:](?=\s)|[，；：。！？]|(?<=\s)(?<!\b(?:and|but|or)\s)(?=(?:(?:and|but|or)\s)?(?:if|unless|whether|provided|except|with the exception|other than|apart from)\b)/giu

export function hasCondition(text: string): boolean {
  return CONDITION.test(text)
}

export function findConditions(sentence: string, offset: number): readonly string[] {
  const ends = [...sentence.matchAll(PART_END)].map(({ index, 0: { length } }) => index + length)
  return [0, ...ends].flatMap((start, index) => {
    const part = sentence.slice(start, ends[index] ?? sentence.length)
    const isApplied = start <= offset || FOLLOWING.test(part)
    return isApplied && hasCondition(part) ? [part] : []
  })
}

export function findMainPart(sentence: string, count: (part: string) => number): number {
  const ends = [...sentence.matchAll(PART_END)].map(({ index, 0: { length } }) => index + length)
  const parts = [0, ...ends].map((start, index) => {
    const text = sentence.slice(start, ends[index] ?? sentence.length)
    return { start, words: hasCondition(text) ? 0 : count(text) }
  })
  return parts.reduce((best, part) => (part.words > best.words ? part : best)).start
}
