import { emitUnwrittenAnswer } from '../agent/groundings/unwritten-answer.ts'
import { detectReplyLanguage } from '../agent/language.ts'
import { AgentRun } from '../agent/run.ts'
import type { Language } from '../text/language.ts'

/** Greetings, thanks and farewells: closed classes of formulas that are a complete message. */
const FORMULAS = [
  {
    pattern:
      /^(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening|day))(?: (?:there|all|everyone|everybody|again))?$|^(?:你好|您好|大家好|嗨|哈喽|早上好|早安|上午好|下午好|晚上好)[啊呀]?$/iu,
    reply: {
      en: 'Hello. What would you like to know from the documents?',
      zh: '你好！想从文档中了解什么？',
    },
  },
  {
    pattern:
      /^(?:(?:ok|okay|great|good|perfect),? )?(?:thanks|thank you|thx|cheers|many thanks)(?: (?:a lot|so much|very much|again|all|everyone))?(?: for (?:your|the) (?:help|answer|answers|support))?$|^(?:好的?[，,]?)?(?:谢谢|多谢|感谢|非常感谢|十分感谢)(?:你|您|你们|大家)?(?:了|啦|的(?:帮助|回答))?$/iu,
    reply: { en: 'You are welcome.', zh: '不客气。' },
  },
  {
    pattern: /^(?:bye|goodbye|bye bye|see you(?: later)?|good night)$|^(?:再见|拜拜|晚安)$/iu,
    reply: { en: 'Goodbye.', zh: '再见。' },
  },
] as const satisfies readonly {
  readonly pattern: RegExp
  readonly reply: Readonly<Record<Language, string>>
}[]

/** Returns the reply to a message that only greets, thanks or says goodbye. */
export function findCourtesy(message: string): string | undefined {
  const bare = message
    .normalize('NFKC')
    .replace(/[\s.!?~。！？～,，]+$/u, '')
    .replace(/\s+/gu, ' ')
    .trim()
  const formula = FORMULAS.find(({ pattern }) => pattern.test(bare))
  return formula?.reply[detectReplyLanguage(message)]
}

/** Starts a run that replies to a courtesy. */
export function runCourtesy(question: string, text: string): AgentRun {
  return new AgentRun(emitUnwrittenAnswer({ question, text }))
}
