/** Replaces lone surrogates, which would end the engine's process. */
export function toStoredJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\ud[89a-f]/i.test(json)) return json
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? replaceHalfCharacters(part) : part,
  )
}

export function replaceHalfCharacters(text: string): string {
  return Buffer.from(text).toString()
}
