import type { Span } from '../sentences.ts'

/** Addresses with queries; may contain brackets and end at a closing round one. */
const ADDRESS =
  /\b(?:[a-z][a-z\d+.-]{1,20}:\/\/|www\.)(?:[^\s<>"'`()\p{Script=Han}，。；、：！？（）【】「」『』“”]|\([^\s()]{0,300}\)){1,2000}/giu
const BEHIND_ADDRESS = /(?<=[\w/)])(?:\[[^\][\s]*\]?)+[.,;:!?]*$/

/** Leaves out trailing markers. */
export function findAddresses(text: string): readonly Span[] {
  return [...text.matchAll(ADDRESS)].map(({ index, 0: address }) => ({
    start: index,
    end: index + address.replace(BEHIND_ADDRESS, '').length,
  }))
}

const FOOTNOTE_DEFINITION = /^[ \t]{0,3}\[\^([^\]\s]{1,40})\]:/gm
const FOOTNOTE = /\[\^([^\]\s]{1,40})\]:?/g

export function findFootnotes(text: string): readonly Span[] {
  const defined = new Set([...text.matchAll(FOOTNOTE_DEFINITION)].map(([, label]) => label))
  if (defined.size === 0) return []
  return [...text.matchAll(FOOTNOTE)]
    .filter(([, label]) => defined.has(label))
    .map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
}

const INDENTED = /^(?: {4}|\t)/
const ITEM = /^\s*(?:[-*+•]|\d{1,9}[.)])\s/

/** Finds indented code after an empty line, outside of lists. */
export function findIndentedCode(text: string): readonly Span[] {
  const spans: Span[] = []
  let start = 0
  let isInList = false
  let mayStart = true
  for (const line of text.split('\n')) {
    const isEmpty = line.trim() === ''
    if (ITEM.test(line)) isInList = true
    else if (!isEmpty && mayStart && !/^\s/.test(line)) isInList = false
    const isCode: boolean = !isEmpty && mayStart && !isInList && INDENTED.test(line)
    if (isCode) spans.push({ start, end: start + line.length })
    mayStart = isEmpty || isCode
    start += line.length + 1
  }
  return spans
}
