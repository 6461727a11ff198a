/** Origin of the thoughts of a message, which are returned to their server in their original form. */
export type ReasoningOrigin = {
  /** Digest of the server's URL and the model's name. No other server gets the thoughts. */
  readonly server: string
  /** Fields that contained them as text, such as `reasoning_content`. */
  readonly fields: readonly string[]
  /** Whether a client sent the thoughts back. The fields are then the client's, and the server's are used once they are known. */
  readonly isFromClient?: true
  /** Structured pieces (`reasoning_details`), some of which only the server can read. */
  readonly details?: readonly unknown[]
  /** Server's own field of a call (`extra_content`), such as Gemini's signature of a thought. */
  readonly seal?: unknown
}
