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
  const hasKind = OF_KINDS.has(template)
  const parted = sentence.format(value => `\0${translateValue(value, hasKind)}\0`, chinese)
  return parted.replace(JOINTS, ' ').replaceAll('\0', '')
}

/** Finds where a value meets its sentence: Chinese has a space beside Latin letters and digits. */
const JOINTS = /(?<=[\da-z])\0+(?=\p{Script=Han})|(?<=\p{Script=Han})\0+(?=[\da-z])/giu

/** Templates of skipped text. In others a single word is a name that the caller chose, such as `notes`. */
const OF_KINDS = new Set(['{0} {1}', '{0} {1} in 1 document', '{0} {1} in {2} documents'])

const WORD = /^[\w-]+$/

function translateValue(value: LocalizableMessage['values'][number], hasKind: boolean): string {
  if (Array.isArray(value)) return value.map(item => translateValue(item, false)).join('、')
  if (typeof value === 'string' && WORD.test(value) && !hasKind) return value
  if (value instanceof LocalizableMessage || typeof value === 'string')
    return translate(value) ?? `${value}`
  return `${value ?? ''}`
}
