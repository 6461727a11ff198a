/** Origin of the thoughts of a message: they are sent back in their own form, to their own server. */
export type ReasoningOrigin = {
  /** Digest of the server's URL and the model's name. Nobody else is sent the thoughts. */
  readonly server: string
  /** Fields that contained them as text, as `reasoning_content`. */
  readonly fields: readonly string[]
  /** Pieces that the server gave besides (`reasoning_details`), some of which only it can read. */
  readonly details?: readonly unknown[]
  /** The server's own field of a call (`extra_content`), as Gemini's signature of a thought. */
  readonly seal?: unknown
}
