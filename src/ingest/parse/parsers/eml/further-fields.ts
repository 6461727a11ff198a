import { hasProse, type SkippedText } from '../../skipped-text.ts'

type Field = { readonly key: string; readonly value: string }

/** Fields for people besides addresses, subject and date (RFC 5322, 3.6.5 and 3.6.6; RFC 1036). */
const READABLE_FIELDS =
  /^(?:comments|keywords|organi[sz]ation|on-behalf-of|companies|contacts|resent-(?:date|from|sender|to|cc|bcc))$/i
/** Bounds the encoded words of a field: the library takes the square of their number. */
const MAX_VALUE_CHARS = 4_096
/** Protects from mails of fields only. */
const MAX_FIELDS = 100

/** Reads what people wrote, and counts the extensions with prose. */
export async function readFurtherFields(
  fields: readonly Field[],
  skipped: SkippedText,
): Promise<Readonly<Record<string, string>>> {
  const { decodeWords } = await import('postal-mime')
  const values: Record<string, string> = {}
  const isRead = ({ key }: Field) => READABLE_FIELDS.test(key) || /^x-/i.test(key)
  for (const { key, value } of fields.filter(isRead).slice(0, MAX_FIELDS)) {
    const text = decodeWords(value.slice(0, MAX_VALUE_CHARS)).replace(/\s+/g, ' ').trim()
    const name = key.toLowerCase().replace(/(?:^|-)\w/g, letter => letter.toUpperCase())
    if (READABLE_FIELDS.test(key)) values[name] = values[name] ? `${values[name]}, ${text}` : text
    else if (hasProse(text)) skipped.add('extension fields')
  }
  return values
}

export function parseFields(head: string): readonly Field[] {
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ')
  return [...unfolded.matchAll(/^([\w-]+):[ \t]*(.*?)\s*$/gm)].map(([, key = '', value = '']) => ({
    key,
    value,
  }))
}
