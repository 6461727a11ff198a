import { splitSentences } from '../../text/sentences.ts'
import type { AgentEvent } from '../event.ts'
import { type ContentItem, ITEM_TYPES, type Message, textContent } from '../message.ts'
import { createFence } from '../messages/fence.ts'
import { collectResponse } from '../messages/model-response.ts'
import { listOpenCalls } from '../messages/open-calls.ts'
import type { ChatModel } from '../model.ts'
import type { AnyAgent } from './agent-tool.ts'

const SHOWN_MESSAGES = 20
const SHOWN_CHARS = 2_000

type Candidate = Pick<AnyAgent, 'name' | 'description'>

type Choice = {
  readonly model: ChatModel
  readonly lead: string
  readonly candidates: readonly Candidate[]
  readonly signal?: AbortSignal
}

export async function* askForSpeaker(
  messages: readonly Message[],
  { model, lead, candidates, signal }: Choice,
): AsyncGenerator<AgentEvent, string> {
  const list = candidates.map(({ name, description = '' }) => `- ${name}: ${description}`)
  const talk = messages
    .filter(({ role, functionCall }) => (role === 'user' || role === 'assistant') && !functionCall)
    .slice(-SHOWN_MESSAGES)
    .map(
      message => `${message.name ?? message.role}: ${renderContent(message).slice(0, SHOWN_CHARS)}`,
    )
    .join('\n')
  const fence = createFence(talk)
  const content = `Members:\n${list.join('\n')}\n\nThe talk:\n${fence}\n${talk}\n${fence}`
  const request = {
    messages: [
      { role: 'system', content: lead },
      { role: 'user', content },
    ],
    tools: [],
    toolChoice: 'none',
    config: { temperature: 0 },
  } as const
  const { messages: answer, usage } = await collectResponse(model, request, signal)
  if (usage) yield { type: 'usage', usage }
  return answer.map(renderContent).join('')
}

function renderContent({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.map(item => ('text' in item ? item.text : `[${getItemType(item)}]`)).join('\n')
}

function getItemType(item: ContentItem): string {
  return ITEM_TYPES.find(type => type in item) ?? 'text'
}

/** Finds the longest name, because a name may start another. */
export function findMentionedName(
  text: string,
  names: readonly string[],
  mark: '@' | '' = '',
): string | undefined {
  return names.toSorted((a, b) => b.length - a.length).find(name => text.includes(`${mark}${name}`))
}

export function findPausedMember(
  members: readonly AnyAgent[],
  messages: readonly Message[],
): AnyAgent | undefined {
  const [open] = listOpenCalls(messages)
  const caller =
    open &&
    messages.findLast(({ functionId, functionCall }) => functionCall && functionId === open.id)
  return members.find(({ name }) => name === caller?.name)
}

export function dropCallsOfOthers(
  member: string,
  messages: readonly Message[],
): readonly Message[] {
  const calls = new Set(
    messages.flatMap(({ functionCall, functionId, name }) =>
      functionCall && name === member ? [functionId] : [],
    ),
  )
  return messages.filter(({ role, name, functionCall, functionId }) => {
    if (role === 'function') return calls.has(functionId)
    return !functionCall || name === member || name === undefined
  })
}

/** Merges the turns of others, because many servers want roles to alternate. */
export function toMemberView(
  member: string,
  messages: readonly Message[],
  user = 'user',
): readonly Message[] {
  const view: Message[] = []
  let turns: Message[] = []
  const flush = () => {
    view.push(...mergeTurns(turns, user))
    turns = []
  }
  for (const message of dropCallsOfOthers(member, messages)) {
    const { role, name } = message
    const isOther = role === 'assistant' && name !== member && name !== undefined
    if (role === 'user' || isOther) turns.push(message)
    else {
      flush()
      view.push(message)
    }
  }
  flush()
  return view
}

/** Returns the talk for searches: no calls, no `@name`, questions of other members as a user's. */
export function toSpoken(
  member: string,
  messages: readonly Message[],
  names: readonly string[],
): readonly Message[] {
  const longestFirst = names.toSorted((a, b) => b.length - a.length)
  return messages
    .filter(({ role, functionCall }) => role !== 'function' && !functionCall)
    .map(message => {
      const content = mapTexts(message.content, text => removeMentions(text, longestFirst))
      const isOther = message.role === 'assistant' && message.name !== member
      const isQuestion = isOther && isOnlyQuestions(textContent({ content }))
      return { ...message, content, ...(isQuestion && { role: 'user' }) }
    })
}

function removeMentions(text: string, names: readonly string[]): string {
  const rest = names.reduce((left, name) => left.replaceAll(`@${name}`, ''), text)
  if (rest === text) return text
  return rest.replace(/^[\s,，:：、]+/u, '').trim() || text
}

function isOnlyQuestions(text: string): boolean {
  const sentences = splitSentences(text).map(({ start, end }) => text.slice(start, end).trim())
  return sentences.length > 0 && sentences.every(sentence => /[?？]$/u.test(sentence))
}

function mapTexts(content: Message['content'], map: (text: string) => string): Message['content'] {
  if (typeof content === 'string') return map(content)
  return content.map(item => ('text' in item ? { text: map(item.text) } : item))
}

function mergeTurns(turns: readonly Message[], user: string): readonly Message[] {
  const [first, ...others] = turns
  if (first?.role === 'user' && others.length === 0) return [first]
  const contents = turns.map(({ role, name, content }) =>
    prefixContent(`${name ?? (role === 'user' ? user : role)}: `, content),
  )
  if (!first) return []
  const isText = contents.every(content => typeof content === 'string')
  if (isText) return [{ role: 'user', content: contents.join('\n\n') }]
  return [
    {
      role: 'user',
      content: contents.flatMap((content): readonly ContentItem[] =>
        typeof content === 'string' ? [{ text: content }] : content,
      ),
    },
  ]
}

function prefixContent(prefix: string, content: Message['content']): Message['content'] {
  if (typeof content === 'string') return `${prefix}${content}`
  const [first, ...rest] = content
  return first && 'text' in first
    ? [{ text: `${prefix}${first.text}` }, ...rest]
    : [{ text: prefix }, ...content]
}
