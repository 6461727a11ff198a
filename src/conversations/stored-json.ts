/** JSON as the catalog keeps it: half a character, which a client may send, is no UTF-8 and would end the engine's process. */
export function toStoredJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\ud[89a-f]/i.test(json)) return json
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? replaceHalfCharacters(part) : part,
  )
}

/** The text with what is half a character replaced. */
export function replaceHalfCharacters(text: string): string {
  return Buffer.from(text).toString()
}
