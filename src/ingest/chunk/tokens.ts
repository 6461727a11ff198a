export interface TokenCounter {
  /** Names the tokenizer; with another one, documents are chunked again. */
  readonly id: string
  /** Excludes special tokens. */
  count(text: string): number
}

export interface Tokenizer {
  count(text: string): number
  /** Returns ids for the model, special tokens included. */
  encode(text: string, maxLength: number): readonly number[]
}
