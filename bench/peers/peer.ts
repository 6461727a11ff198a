import { basename } from 'node:path'
import { sentencesOf } from '../cite-check/document.ts'
import type { PeerAnswer, PeerCitation, PeerSentence } from '../cite-check/marking.ts'

export type RawAnswer = PeerAnswer & {
  /** The answer as it was given, for whoever wants to look. */
  readonly text: string
  /** Number of sentences that the system says its sources contradict. */
  readonly contradicted?: number
}

/** A system under test: it takes files once, then one question after the other. */
export interface Peer {
  readonly name: string
  prepare(files: readonly string[], signal: AbortSignal): Promise<void>
  answer(question: string, signal: AbortSignal): Promise<RawAnswer>
  close(): Promise<void>
}

/** The id of a document: its file's name without the ending. Systems put folders before it, or a hash behind it. */
export const documentOf = (file: string): string =>
  basename(file).replace(/\.(?:md|txt|html|csv|xlsx|docx|pptx|pdf|epub|eml)\b.*$/, '')

/** How models and programs say that nothing was found: a closed list, for systems that have no other sign of it. */
const REFUSALS =
  /\b(?:do(?:es)? not|don['’]t|doesn['’]t|cannot|can['’]t|could not|couldn['’]t|unable to|no) (?:[\w']+ ){0,4}?(?:say|state|mention|contain|provide|include|specify|find|answer|information|relevant|found)\b|not (?:mentioned|stated|specified|found|available)|没有(?:说明|提到|提及|找到|相关)|未(?:提及|提到|说明|找到|提供)|无法(?:回答|确定|找到)|找不到/i

/** A text that says that it found nothing; one that cites something has to say so in every sentence. */
export const isRefusal = (text: string, citations: number): boolean =>
  citations === 0
    ? text.trim() === '' || REFUSALS.test(text)
    : text
        .split('\n')
        .flatMap(sentencesOf)
        .every(says => REFUSALS.test(says))

/**
 * The sentences of an answer with their citations: a sentence has those whose markers stand in it or behind it; a marker at the
 * end of a paragraph is for the sentences before it that have none of their own.
 */
export function withMarkers(
  text: string,
  marker: RegExp,
  citationsOf: (marked: string) => readonly PeerCitation[],
): PeerSentence[] {
  return text.split(/\n{2,}/).flatMap(paragraph => {
    const sentences = paragraph.split('\n').flatMap(line => joinMarkers(sentencesOf(line), marker))
    let behind: readonly PeerCitation[] = []
    return sentences
      .toReversed()
      .map(sentence => {
        const own = [...sentence.matchAll(marker)].flatMap(match =>
          citationsOf(match[1] ?? match[0]),
        )
        if (own.length) behind = own
        return { text: sentence.replace(marker, '').trim(), citations: behind }
      })
      .toReversed()
      .filter(sentence => /[\p{L}\p{N}]/u.test(sentence.text) && !isRemark(sentence))
  })
}

/** What Passim says around its quotations. */
const AROUND =
  /^(?:In the documents' own words(?: \(Chinese\))?:|文档原文(?:（英文）)?：|\d+ more passages? w.*|另有 \d+ 处.*|“[^”]*” was read as “[^”]*”\.|问题中的“[^”]*”按“[^”]*”理解。|.*(?:The documents do not say\.|文档中没有说明。|nothing more than the quotations was found\.|没有找到更多内容。))$/

/** What a program says about its own answer claims nothing: that a part of the question found nothing, or how it was read. */
export const isRemark = ({ text, citations }: PeerSentence): boolean =>
  AROUND.test(text.trim()) || (citations.length === 0 && REFUSALS.test(text))

/** A marker behind the full stop belongs to the sentence before it. */
function joinMarkers(sentences: readonly string[], marker: RegExp): string[] {
  const joined: string[] = []
  for (const sentence of sentences) {
    const isMarker = !/[\p{L}\p{N}]/u.test(sentence.replace(marker, ''))
    if (isMarker && joined.length) joined.push(`${joined.pop()} ${sentence}`)
    else joined.push(sentence)
  }
  return joined
}

/** All sentences of a text cite the same: for systems that name their sources without saying for what. */
export const citedAlike = (text: string, citations: readonly PeerCitation[]): PeerSentence[] =>
  text
    .split('\n')
    .flatMap(sentencesOf)
    .map(sentence => ({ text: sentence, citations }))
