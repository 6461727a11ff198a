/** `cmn` and `zho` become `zh`; undefined for what is no tag: programs write names of languages, or nothing sensible. */
export function canonicalTag(tag: string | undefined): string | undefined {
  const written = tag?.trim().replaceAll('_', '-') ?? ''
  if (!/^[a-z]{2,3}(-|$)/i.test(written)) return undefined
  try {
    return Intl.getCanonicalLocales(written)[0]
  } catch {
    return undefined
  }
}
