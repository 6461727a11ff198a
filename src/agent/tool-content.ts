import { type ContentItem, ITEM_TYPES } from './content-item.ts'

/** What a tool answers with where text is not enough: texts and pictures, in order. */
export type ToolContent = { readonly content: readonly ContentItem[] }

/** Told by its form alone, so that it may come from a cache: a list of content items and nothing else. */
export function isToolContent(result: unknown): result is ToolContent {
  if (typeof result !== 'object' || result === null || Object.keys(result).join() !== 'content')
    return false
  const { content } = result as { readonly content: unknown } // it has that key alone
  return Array.isArray(content) && content.length > 0 && content.every(isItem)
}

/** Its texts, for who cannot show pictures. */
export function contentText({ content }: ToolContent): string {
  const texts = content.flatMap(item => ('text' in item ? [item.text] : []))
  return texts.join('\n')
}

function isItem(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  const keys: readonly string[] = Object.keys(item)
  return keys.length === 1 && ITEM_TYPES.some(type => type === keys[0])
}
