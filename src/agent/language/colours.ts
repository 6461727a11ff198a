/** Colours that one would not call by each other's name, in both languages. */
const COLOURS: readonly (readonly [string, RegExp])[] = [
  ['red', /\bred\b|红(?=[色灯光牌线区灰])/iu],
  ['amber', /\b(?:amber|orange|yellow)\b|[橙黄琥](?=[色灯光牌线区珀])/iu],
  ['green', /\bgreen\b|绿(?=[色灯光牌线区])/iu],
  ['blue', /\bblue\b|蓝(?=[色灯光牌线区])/iu],
  ['purple', /\b(?:purple|violet|pink)\b|[紫粉](?=[色灯光牌线区])/iu],
  ['white', /\bwhite\b|白(?=[色灯光牌线区])/iu],
  ['black', /\b(?:black|gr[ae]y)\b|[黑灰](?=[色灯光牌线区])/iu],
]

/** The colours that a text names; those that are near to each other count as one. */
export function coloursIn(text: string): ReadonlySet<string> {
  return new Set(COLOURS.flatMap(([colour, form]) => (form.test(text) ? [colour] : [])))
}
