/** Elements that HTML lets stand without an end; in XHTML any element may end itself, which HTML takes for a beginning. */
const SELF_CLOSED =
  /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b)([a-z][\w:-]*)((?:\s+[^<>]*?)?)\/>/gi
const XML_DECLARATION = /^\s*<\?xml\b[^>]*>/

/** Writes XHTML as HTML that means the same. */
export function convertXhtml(page: string): string {
  return page.replace(XML_DECLARATION, '').replace(SELF_CLOSED, '<$1$2></$1>')
}

/** Whether a page says that it is XML. */
export function hasXmlDeclaration(page: string): boolean {
  return XML_DECLARATION.test(page)
}
