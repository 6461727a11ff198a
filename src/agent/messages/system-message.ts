import type { Language } from '../../text/language.ts'
import { type ContentItem, getItemValue, listMessageFiles, type Message } from '../message.ts'
import { labelSources, toLinkText } from './source-labels.ts'

type ModelMessageOptions = {
  readonly system: string
  readonly language: Language
}

export function writeModelMessages(
  messages: readonly Message[],
  { system, language }: ModelMessageOptions,
): readonly Message[] {
  return joinSystemMessages(
    messages.map(message => nameFiles(message, language)),
    system,
  )
}

function joinSystemMessages(messages: readonly Message[], system: string): readonly Message[] {
  const own = messages.filter(message => message.role === 'system')
  if (system === '' && own.length < 2) return messages
  const parts = own.map(({ content }) => content)
  const content = [system, ...parts].reduce(joinContents)
  return [
    { ...own[0], role: 'system', content },
    ...messages.filter(message => message.role !== 'system'),
  ]
}

type Content = Message['content']

function joinContents(before: Content, after: Content): Content {
  if (before === '') return after
  if (typeof before === 'string' && typeof after === 'string') return `${before}\n\n${after}`
  const toItems = (content: Content) =>
    typeof content === 'string' ? [{ text: content }] : content
  const gap: ContentItem[] =
    typeof before === 'string' ? [{ text: `${before}\n\n` }] : [...before, { text: '\n\n' }]
  return [...gap, ...toItems(after)]
}

const UPLOADED: Readonly<Record<Language, (names: string) => string>> = {
  zh: names => `（上传了 ${names}）`,
  en: names => `(Uploaded ${names}) `,
}

const FILE: Readonly<Record<Language, string>> = { zh: '文件', en: 'file' }

/** Names files, which a model cannot open. */
function nameFiles(message: Message, language: Language): Message {
  const files = listMessageFiles([message])
  if (files.length === 0 || typeof message.content === 'string') return message
  const labels = labelSources(files)
  const names = files.map(file => `[${FILE[language]}](${toLinkText(labels.get(file) ?? file)})`)
  const rest: readonly ContentItem[] = message.content.filter(
    item => !('file' in item && files.includes(getItemValue(item))),
  )
  const [first, ...others] = rest
  const notice = UPLOADED[language](names.join(' '))
  const content =
    first && 'text' in first
      ? [{ text: notice + first.text }, ...others]
      : [{ text: notice }, ...rest]
  return { ...message, content }
}
