import type { Term, Terms } from '../../text/terms.ts'

/** A question with one of its content words left out: what comes nearer to it than to the whole does not say that word. */
export type Omission = { readonly word: string; readonly text: string }

const WORD = /[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}'’.-]*/gu
const HAN = /\p{Script=Han}/u

/** One for each content word that is found in the text as it is written. */
export function omissionsOf(text: string, content: readonly Term[], terms: Terms): readonly Omission[] {
  const written = new Map<string, string>()
  for (const [form] of text.matchAll(WORD))
    for (const term of terms.of(form)) if (!written.has(term)) written.set(term, form)
  return [...new Set(content.map(({ word }) => word))].flatMap(word => {
    const form = HAN.test(word) ? word : (written.get(word) ?? '')
    if (form === '' || !text.includes(form)) return []
    return [{ word, text: text.replace(form, ' ').replace(/\s+/g, ' ').trim() }]
  })
}
