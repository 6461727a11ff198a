/** Counts tokens as a model would. */
export interface TokenCounter {
  /** Name and version of the vocabulary; part of a chunker's id. */
  readonly id: string
  /** Number of tokens of the text alone, without special tokens. */
  count(text: string): number
}

/** A model's tokenizer: what its TokenCounter counts, and what the model is given. */
export interface Tokenizer {
  /** Number of tokens of the text alone, without special tokens. */
  count(text: string): number
  /** Ids for the model, special tokens included, cut to maxLength in all. */
  encode(text: string, maxLength: number): readonly number[]
}
