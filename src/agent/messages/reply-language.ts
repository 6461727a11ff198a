import type { Language } from '../../text/language.ts'
import { type Message, textContent } from '../message.ts'

/** Characters of either end that decide, so that long texts stay cheap. */
const SAMPLE_CHARS = 10_000

/** Names in the documents' language. Bounded, because each character may start one. */
const NAMED =
  /“[^”]{0,300}”|"[^"]{0,300}"|‘[^’]{0,300}’|「[^」]{0,300}」|『[^』]{0,300}』|《[^》]{0,300}》|`[^`]{0,300}`|(?<![^\s，。？！、；：,?!])[^\s，。？！、；：,?!]{1,200}\.(?:pdf|docx?|xlsx?|pptx?|md|txt|html?|csv|tsv|json|epub|od[tsp]|rtf|eml|xml|ya?ml|srt|png|jpe?g)(?![a-z])/giu

/** English sentence around Chinese words. */
const ENGLISH_START =
  /^\W*(?:please\s+|so\s+|and\s+|can you\s+|could you\s+)?(?:what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|may|must|should|will|has|have|list|show|find|give|tell|compare|explain|describe|define|summari[sz]e|translate)\b/i
const ENGLISH_WORD =
  /\b(?:the|a|an|of|in|on|to|for|by|is|are|was|does|do|did|say|says|about|mean|means|and|or|with|from|all)\b/i
const CHINESE_QUESTION = /什么|多少|哪|怎|吗|呢|如何|几|谁|是否|能否/

/** Ignores names, quotations, kana and hangul. */
export function detectReplyLanguage(written: string): Language {
  const text =
    written.length <= 2 * SAMPLE_CHARS
      ? written
      : `${written.slice(0, SAMPLE_CHARS)} ${written.slice(-SAMPLE_CHARS)}`
  const own = text.replace(NAMED, ' ')
  const words = /[\p{Script=Han}\p{Script=Latin}]/u.test(own) ? own : text
  if (!/\p{Script=Han}/u.test(words)) return 'en'
  const start = words.match(ENGLISH_START)
  const isEnglish =
    start !== null &&
    ENGLISH_WORD.test(words.slice(start[0].length)) &&
    !CHINESE_QUESTION.test(words)
  return isEnglish ? 'en' : 'zh'
}

/** Follows Qwen-Agent: Chinese if users or instructions use a Han character. */
export function detectConversationLanguage(messages: readonly Message[]): Language {
  const spoken = messages.filter(({ role }) => role === 'user' || role === 'system')
  return spoken.some(message => /\p{Script=Han}/u.test(textContent(message))) ? 'zh' : 'en'
}
