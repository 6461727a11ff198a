/** XHTML allows any element to close itself, which HTML takes for a start tag. */
const SELF_CLOSED =
  /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b)([a-z][\w:-]*)((?:\s+[^<>]*?)?)\/>/gi
const XML_DECLARATION = /^\s*<\?xml\b[^>]*>/

export function convertXhtml(page: string): string {
  return page.replace(XML_DECLARATION, '').replace(SELF_CLOSED, '<$1$2></$1>')
}

export function hasXmlDeclaration(page: string): boolean {
  return XML_DECLARATION.test(page)
}
