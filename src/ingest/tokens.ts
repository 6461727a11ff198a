/** Counts tokens as a model would. */
export interface TokenCounter {
  /** Name and version of the vocabulary; part of a chunker's id. */
  readonly id: string
  /** Number of tokens of the text alone, without special tokens. */
  count(text: string): number
}
