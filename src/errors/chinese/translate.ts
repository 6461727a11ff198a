import { LocalizableMessage, type Sentence } from '../localizable.ts'
import { zhConversationMessages } from './conversations.ts'
import { zhDocumentMessages } from './documents.ts'
import { zhPieces } from './pieces.ts'
import { zhRequestMessages } from './requests.ts'
import { zhServiceMessages } from './service.ts'
import { zhStoreMessages } from './store.ts'
import { zhUseMessages } from './use.ts'

export const ZH_MESSAGES: Readonly<Record<string, string>> = {
  ...zhConversationMessages,
  ...zhDocumentMessages,
  ...zhRequestMessages,
  ...zhServiceMessages,
  ...zhStoreMessages,
  ...zhUseMessages,
  ...zhPieces,
}

/** Returns a sentence in Chinese, or undefined if there is none. */
export function translate(sentence: Sentence): string | undefined {
  const template = sentence instanceof LocalizableMessage ? sentence.template : sentence
  const chinese = Object.hasOwn(ZH_MESSAGES, template) ? ZH_MESSAGES[template] : undefined
  if (chinese === undefined || !(sentence instanceof LocalizableMessage)) return chinese
  return sentence.format(translateValue, chinese)
}

function translateValue(value: LocalizableMessage['values'][number]): string {
  if (Array.isArray(value)) return value.map(translateValue).join('、')
  if (value instanceof LocalizableMessage || typeof value === 'string')
    return translate(value) ?? `${value}`
  return `${value ?? ''}`
}
