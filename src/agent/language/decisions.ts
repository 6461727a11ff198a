const YES_OR_NO =
  /^(?:is|are|was|were|do|does|did|can|could|may|must|should|shall|will|has|have)\b|[吗么]\s*[?？]?$|是否|能否|可否/iu

const ASKS_OR_TELLS =
  /[?？]|\b(?:what|which|who|whom|whose|when|where|why|how)\b|^\s*(?:please\s+)?(?:list|show|find|give|tell|name|compare|explain|describe|define|summari[sz]e)\b|什么|多少|多[久长大高重远]|哪|谁|几[个天年月次位]|怎|如何|何时|为何|^(?:请|列|找|比较|对比|总结|概括|介绍|解释)/iu
const STATES =
  /\S\s+(?:is|are|was|were|has|have|had|can|cannot|may|must|shall|should|will|does|did|costs?|takes?|took|begins?|began|starts?|ends?|lasts?|weighs?|carries|covers?|needs?)\s+\S|\S(?:是|为|有|须|应当|可以|不得|必须|不能|能够|需要)\S/iu

/** A question for yes or no, or a statement that is put where a question is: what decides it may say otherwise. */
export function isToDecide(question: string): boolean {
  const text = question.trim()
  return YES_OR_NO.test(text) || (STATES.test(text) && !ASKS_OR_TELLS.test(text))
}

/** More words, or Han characters, are no keywords. */
const MAX_WORDS = 5
const MAX_HAN = 8

/** Words without a question or a statement: what is said of them is looked for. */
export function isKeywords(question: string): boolean {
  const text = question.trim()
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const words = text.split(/\s+/).length
  return words <= MAX_WORDS && han <= MAX_HAN && !ASKS_OR_TELLS.test(text) && !isToDecide(text)
}
