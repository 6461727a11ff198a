/** Sound: where it is, or that with its length in seconds and its format. */
type Audio = string | { readonly url: string; readonly duration?: number; readonly format?: string }

/** One part of a message's content: exactly one key, which is its type. Media are URLs, paths or data URIs. */
export type ContentItem =
  | { readonly text: string }
  | { readonly image: string }
  | { readonly file: string }
  | { readonly audio: Audio }
  /** One film, or its frames. */
  | { readonly video: string | readonly string[] }

export const ITEM_TYPES = ['text', 'image', 'file', 'audio', 'video'] as const

/** Where the item is, or its text; the first frame of a film in frames. */
export function itemValue(item: ContentItem): string {
  if ('text' in item) return item.text
  if ('image' in item) return item.image
  if ('file' in item) return item.file
  if ('audio' in item) return typeof item.audio === 'string' ? item.audio : item.audio.url
  return typeof item.video === 'string' ? item.video : (item.video[0] ?? '')
}

/** Something to see or hear. A file is neither: it is read. */
export function isMedia(item: ContentItem): boolean {
  return 'image' in item || 'audio' in item || 'video' in item
}

/** Lower case, without the dot; '' for text and for what has none. Queries and fragments of URLs are no part of it. */
export function itemExtension(item: ContentItem): string {
  if ('text' in item) return ''
  const place = itemValue(item)
  if (place.startsWith('data:'))
    return /^data:[\w.+-]+\/([\w.+-]+)/.exec(place)?.[1]?.toLowerCase() ?? ''
  const bare = /^https?:/i.test(place) ? place.replace(/[?#].*$/, '') : place
  return /\.([^./\\]+)$/.exec(bare)?.[1]?.toLowerCase() ?? ''
}
