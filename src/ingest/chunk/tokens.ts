export interface TokenCounter {
  readonly id: string
  /** Excludes special tokens. */
  count(text: string): number
}

export interface Tokenizer {
  count(text: string): number
  /** Returns ids for the model, special tokens included. */
  encode(text: string, maxLength: number): readonly number[]
}
