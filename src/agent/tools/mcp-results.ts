import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { ContentItem } from '../message.ts'
import type { ToolContent } from '../tool.ts'

/** UTF-16 units of a result, so that it fits models' contexts. */
const MAX_ANSWER = 200_000

/** Base64 characters of all pictures of a result: 15 MiB. */
const MAX_PICTURES = 20 * 2 ** 20

export function toToolResult({
  content,
  structuredContent,
}: Pick<CallToolResult, 'content' | 'structuredContent'>): string | ToolContent {
  const items = content.map(toItem)
  if (items.some(item => 'image' in item)) return { content: limitItems(items) }
  const text = items.flatMap(item => ('text' in item ? [item.text] : [])).join('\n')
  return cutText(text || JSON.stringify(structuredContent ?? ''), MAX_ANSWER)
}

/** Types whose bytes are a text. */
const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)\b)/i

/** Keeps the addresses of resources, by which models name them. */
function toItem(part: ContentBlock): ContentItem {
  if (part.type === 'text') return { text: part.text }
  if (part.type === 'image') return { image: `data:${part.mimeType};base64,${part.data}` }
  if (part.type === 'audio') return { text: `[audio, ${part.mimeType}]` }
  if (part.type === 'resource_link')
    return { text: [`${part.name}: ${part.uri}`, part.description].filter(Boolean).join('\n') }
  const { resource } = part
  if ('text' in resource) return { text: `${resource.uri}\n${resource.text}` }
  const { mimeType = 'application/octet-stream', blob, uri } = resource
  if (TEXT_TYPE.test(mimeType))
    return { text: `${uri}\n${Buffer.from(blob, 'base64').toString('utf8')}` }
  return mimeType.startsWith('image/')
    ? { image: `data:${mimeType};base64,${blob}` }
    : { text: `[${uri}, ${mimeType}]` }
}

const LEFT_OUT = { text: '[A picture is left out, because it is too large.]' }

function limitItems(items: readonly ContentItem[]): readonly ContentItem[] {
  let charsLeft = MAX_ANSWER
  let base64Left = MAX_PICTURES
  return items.flatMap((item): ContentItem[] => {
    if ('image' in item) base64Left -= item.image.length
    const visibleItem = 'image' in item && base64Left < 0 ? LEFT_OUT : item
    if (!('text' in visibleItem)) return [visibleItem]
    if (charsLeft < 0) return []
    const text = cutText(visibleItem.text, charsLeft)
    charsLeft -= Math.max(1, visibleItem.text.length)
    return [{ text }]
  })
}

function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max)}\n[This answer is cut to ${MAX_ANSWER} characters: ask for less.]`
}
