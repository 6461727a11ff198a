/** A piece of a pattern: something to be printed as it is, or placeholders of numbers and dates. */
export type Token = { readonly literal: string } | { readonly code: string }

/** Quoted and escaped semicolons part nothing. */
export function splitSections(code: string): string[] {
  return code.match(/(?:"[^"]*"?|\\.|\[[^\]]*\]|[^;])+|(?<=;)(?=;|$)/gs) ?? ['General']
}

const TOKEN =
  /"([^"]*)"?|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|(\[(?:h+|m+|s+)\])|\[[^\]]*\]|(General|上午\/下午|am\/pm|a\/p|E[+-]|y+|m+|d+|h+|s+(?:\.0+)?|aaaa?|e+|[0#?]|[.,%/@])|(.)/gis

/** Quoted and escaped characters, currency signs and anything without a meaning are literals; colours and padding go. */
export function tokens(code: string): Token[] {
  return [...code.matchAll(TOKEN)].flatMap(([, quoted, escaped, currency, elapsed, placeholder, other]): Token[] => {
    const literal = quoted ?? escaped ?? currency ?? other
    if (literal !== undefined) return [{ literal }]
    const code = elapsed ?? placeholder
    return code === undefined ? [] : [{ code }]
  })
}
