export interface TokenCounter {
  readonly id: string
  /** Counts the tokens of a text without special tokens. */
  count(text: string): number
}

/** Counts like its TokenCounter, and encodes for the model. */
export interface Tokenizer {
  count(text: string): number
  /** Returns ids for the model, special tokens included, at most `maxLength`. */
  encode(text: string, maxLength: number): readonly number[]
}
