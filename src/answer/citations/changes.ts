/** Verbs of change on a scale (Levin 1993, class 45.6), upward and downward. */
const UP =
  /\b(?:increas(?:e|es|ed|ing)|r[io]se[ns]?|rising|gr[eo]w(?:s|n|ing)?|climb(?:s|ed|ing)?|gain(?:s|ed)?|rais(?:e|es|ed|ing)|expand(?:s|ed)?|up from|higher)\b|增[长加多高大]|上[升涨调]|提[高升]|升高|上浮/iu
const DOWN =
  /\b(?:decreas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|f[ae]ll(?:s|en|ing)?|drop(?:s|ped|ping)?|reduc(?:e|es|ed|ing)|shr[iau]nk?(?:s|ing)?|lower(?:s|ed|ing)?|los(?:e|es|t|ing)|down from)\b|减[少小低]|下[降跌调滑]|降低|缩[小减]|下浮/iu

export function readDirection(text: string): 'up' | 'down' | undefined {
  const [isUp, isDown] = [UP.test(text), DOWN.test(text)]
  return isUp === isDown ? undefined : isUp ? 'up' : 'down'
}

/** Includes negative numbers in words. */
export function isNegativeChange(text: string): boolean {
  return DOWN.test(text) || /\b(?:minus|negative)\b|负/iu.test(text)
}
