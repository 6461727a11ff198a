/** linkedom's own types need the browser's library. */
export type DomNode = {
  readonly nodeType: number
  readonly nodeValue: string | null
  readonly localName?: string
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
  readonly parentNode: DomNode | null
  getAttribute?(name: string): string | null
}

export type DomElement = DomNode & {
  readonly localName: string
  getAttribute(name: string): string | null
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1
}

export function* listChildElements(
  parent: DomNode,
  ...names: readonly string[]
): Iterable<DomElement> {
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if (isElement(node) && (names.length === 0 || names.includes(node.localName))) yield node
  }
}
