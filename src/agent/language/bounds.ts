/** Words for one and the same limit: those that ask for it, those of them that stand in no answer, and those that tell it. */
type Bound = { readonly name: string; readonly asks: RegExp; readonly only?: RegExp; readonly tells: RegExp }

const BOUNDS: readonly Bound[] = [
  {
    name: 'most',
    asks: /\bat (?:the )?most\b|\bthe most (?:it|one|you|they|there|that)\b|\b(?:maximum|max|upper limit)\b|最多|至多|上限|封顶|顶多/iu,
    tells:
      /\bat (?:the )?most\b|\b(?:maximum|max|upper limit|up to|(?:no|not) more than|(?:not|never) exceed|limited to)\b|\b(?:not|cannot|never)(?: [\w-]+){1,6} (?:more|larger|longer|greater) than\b|最多|至多|最[高长大]|上限|封顶|不(?:得|能|可|应|会)?(?:超过|高于|大于|多于|超出)/iu,
  },
  {
    name: 'least',
    asks: /\bat (?:the )?least\b|\b(?:minimum|min|lower limit)\b|最少|至少|起码|下限/iu,
    tells:
      /\bat (?:the )?least\b|\b(?:minimum|lower limit|(?:no|not) (?:less|fewer) than)\b|\b(?:not|cannot|never)(?: [\w-]+){1,6} (?:less|fewer|smaller|shorter) than\b|最少|至少|最[低短小]|起码|下限|不(?:得|能|可|应|会)?(?:少于|低于|小于|短于)/iu,
  },
  {
    name: 'default',
    asks: /\bdefaults?\b|默认|缺省/iu,
    only: /\b(?:unless|if not) (?:otherwise )?(?:told|stated|said|specified|given|set)(?: otherwise)?\b|\b(?:if|when) (?:none|nothing) (?:is|was) (?:stated|said|specified|given|set)\b|(?:不|没有?|未)(?:写|填|指定|设置|给出)(?:的话|时)?/giu,
    tells:
      /\bdefaults?\b|\b(?:unless|if) (?:not |otherwise )?(?:specified|stated|given|set|omitted)\b|\bwhen omitted\b|默认|缺省|(?:不|没有?|未)(?:指定|设置|给出)/iu,
  },
]

/** The limits that a text tells, in whatever words. */
export function boundsTold(text: string): readonly string[] {
  return BOUNDS.filter(({ tells }) => tells.test(text)).map(({ name }) => name)
}

/** The limits that a question asks for, and it without the words that only ask. */
export function boundsAsked(question: string): { readonly bounds: readonly string[]; readonly rest: string } {
  const asked = BOUNDS.filter(({ asks, only }) => asks.test(question) || (only && question.search(only) >= 0))
  const rest = asked.reduce((text, { only }) => (only ? text.replace(only, ' ') : text), question)
  return { bounds: asked.map(({ name }) => name), rest }
}
