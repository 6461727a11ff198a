import { emitUnwrittenAnswer } from '../agent/groundings/unwritten-answer.ts'
import { detectReplyLanguage } from '../agent/messages/reply-language.ts'
import { AgentRun } from '../agent/run.ts'
import type { Language } from '../text/language.ts'

/** Closed classes of formulas. The first class here that a message contains gives the reply. */
const FORMULAS = [
  {
    pattern:
      /^(?:bye|goodbye|bye bye|see you(?: later| soon)?|good night|take care|have a (?:good|nice|great) (?:day|evening|night|weekend))$|^(?:再见|拜拜|晚安|回头见|下次见)[啦了]?$/iu,
    reply: { en: 'Goodbye.', zh: '再见！' },
  },
  {
    pattern:
      /^(?:(?:ok|okay|great|perfect|good) )?(?:thanks|thank you|thx|cheers|many thanks|much appreciated)(?: (?:a lot|so much|very much|again|all|everyone))?(?: for (?:(?:your|the|that|this)(?: (?:help|answer|answers|support|information))?|everything))?$|^(?:谢谢|多谢|感谢|非常感谢|十分感谢|谢了|辛苦)(?:你|您|你们|大家)?(?:了|啦|的(?:帮助|回答|解答))?$/iu,
    reply: { en: 'You are welcome.', zh: '不客气。' },
  },
  {
    pattern:
      /^(?:how are you(?: doing)?(?: today)?|how is it going)$|^(?:你好吗|最近好吗|在吗|在不在)$/iu,
    reply: {
      en: 'Ready to help. What would you like to know from the documents?',
      zh: '在的。想从文档中了解什么？',
    },
  },
  {
    pattern:
      /^(?:(?:so |and )?(?:who|what) are you(?: exactly)?|what is your name|what can you do(?: for me)?|how can you help(?: me)?|(?:can|could) you help(?: me)?|what do you do)$|^(?:你|您)(?:是谁|是什么|叫什么(?:名字)?|能做什么|会做什么|可以做什么|能帮我什么|有什么用)[呢啊呀]?$|^(?:你|您)?(?:能|可以)帮(?:帮|助)?我(?:一下)?吗$/iu,
    reply: {
      en: 'I am Passim. I answer questions from your documents, and cite the passage of each answer.',
      zh: '我是 Passim，根据您的文档回答问题，并注明每个答案的出处。',
    },
  },
  {
    pattern:
      /^(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening|day))(?: (?:there|all|everyone|everybody|again))?$|^(?:你好|您好|大家好|嗨|哈喽|早|早上好|早安|上午好|中午好|下午好|晚上好)[啊呀]?$/iu,
    reply: {
      en: 'Hello. What would you like to know from the documents?',
      zh: '你好！想从文档中了解什么？',
    },
  },
  {
    pattern:
      /^(?:ok|okay|great|good|perfect|fine|alright|all right|got it|i see|understood|that helps|that helped|that is clear|very helpful)$|^(?:好的?|行|嗯|明白|明白了|知道了|懂了|了解了?|收到|没问题)$/iu,
    reply: { en: 'Good. Ask more whenever you like.', zh: '好的，有问题随时可以再问。' },
  },
] as const satisfies readonly {
  readonly pattern: RegExp
  readonly reply: Readonly<Record<Language, string>>
}[]

const MAX_FORMULAS = 4

/** Answers messages that only greet, thank, agree or say goodbye. */
export function findCourtesy(message: string): string | undefined {
  const parts = message
    .normalize('NFKC')
    .split(/[.,!?;~。！？，、～\n]+/u)
    .map(part => part.replace(/\s+/gu, ' ').trim())
    .filter(part => part !== '')
  if (parts.length === 0 || parts.length > MAX_FORMULAS) return undefined
  const isFormula = (part: string) => FORMULAS.some(({ pattern }) => pattern.test(part))
  if (!parts.every(isFormula)) return undefined
  const formula = FORMULAS.find(({ pattern }) => parts.some(part => pattern.test(part)))
  return formula?.reply[detectReplyLanguage(message)]
}

export function runCourtesy(question: string, text: string): AgentRun {
  return new AgentRun(emitUnwrittenAnswer({ question, text }))
}
