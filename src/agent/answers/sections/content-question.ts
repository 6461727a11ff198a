/** Ways to ask what a part of a document says, whatever that is. */
const CONTENT: readonly RegExp[] = [
  /\bwhat (?:has |have |was |were |is |are |)(?:been )?(?:changed|new|updated|different)\b|\bwhat['’]?s (?:new|changed|different)\b|\bwhat changes\b/giu,
  /\bwhat (?:does|do|did)\b(?=.{0,80}\b(?:say|state|cover|contain|provide|regulate|stipulate|require|introduce|bring|include)s?\b)/giu,
  /\b(?:say|state|cover|contain|provide|regulate|stipulate|introduce|bring|include)s?(?: about)?(?=\W*$)/giu,
  /\bwhat (?:is|are|was|were) (?:in|said in|stated in|written in)\b|\b(?:contents?|text|wording|changes|updates|changelog|release notes) (?:of|in|for)\b/giu,
  /^(?:show|quote|read|give|tell)(?: me)?\b/giu,
  /(?:的)?(?:具体|主要|全部)?(?:内容|原文|条文|规定)(?:是什么|有哪些|是|为)?|(?:是|有|作)?(?:怎么|如何|什么|哪些)?(?:规定|说|写|讲|改|更新|变化|改动|变更|改进)(?:了|的)?(?:什么|哪些|啥)?(?:内容|规定|变化|更新|改动)?|有什么(?:新|变化|更新)/gu,
]

/** So is asked for what has a number; of a word it asks for what it means. */
const IS = /\b(?:what|which) (?:is|are)\b|是什么|是啥/giu

/** What is left of a question that asks what a part says, without the words that ask it; undefined for every other question. */
export function contentAsked(question: string, isNumbered: boolean): string | undefined {
  const patterns = isNumbered ? [...CONTENT, IS] : CONTENT
  const rest = patterns.reduce((text, pattern) => text.replace(pattern, ' '), question)
  return rest === question ? undefined : rest
}
