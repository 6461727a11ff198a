import { type Message, textContent } from '../message.ts'

/** What the others said is said to a member by people; its own words, calls and results are its own. */
export function heardBy(member: string, messages: readonly Message[]): readonly Message[] {
  const own = messages.filter(({ role, name }) => role === 'assistant' && name === member)
  const calls = new Set(own.flatMap(({ functionCall, functionId }) => (functionCall ? [functionId] : [])))
  return messages.flatMap((message): readonly Message[] => {
    const { role, name, functionCall, functionId } = message
    if (role === 'function') return calls.has(functionId) ? [message] : []
    if (role !== 'assistant' || name === member || name === undefined) return [message]
    return functionCall ? [] : [{ role: 'user', content: `${name}: ${textContent(message)}` }]
  })
}
