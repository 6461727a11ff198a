import { createNumberForm, type Grammar, listClauses } from './grammar.ts'

/** English question forms, closed classes only (Quirk et al. 1985, chapter 11, 7.74, 16.31). */
const AUXILIARY =
  'is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had'
const YOU = '(?:i|we|you|one|they|he|she|people|someone|somebody|anyone|users?)'
const DOCUMENT =
  '(?:documents?|files?|papers?|pdf|texts?|reports?|books?|articles?|manuals?|guides?|pages?|contracts?|letters?|collections?)'
const THESE = `(?:(?:this|that|these|those|the|it|they|my|all|of) ){0,3}(?:${DOCUMENT}|this|that|these|it|them)?`
/** Subject of an overview other than "this document". */
const ABOUT = `(?:${THESE}|(?<about>.{1,80}?))`
const PLEASE = '(?:(?:please|kindly) )?(?:(?:can|could|would|will) you (?:please )?)?'
/** Pronouns need the conversation (Quirk et al. 1985, 6.15, 6.53 to 6.57). */
const NO_PROFORM =
  '(?!.*\\b(?:it|its|he|she|him|his|hers?|they|them|their|theirs|this|that|these|those|ones?|same|others?)\\b)'
/** Stands for the phrase before a preposition: "the one of", "those in". */
const PROFORM = '(?:the ones?|that|those)'
const OPENING = '(?:(?:and|but|or|so|then) )?(?:(?:what|how) about )?'
const LIST_NOUN = 'steps?|things?|items?|points?|kinds?|types?|sorts?|ways?|examples?|parts?|list'

export const ENGLISH: Grammar = {
  language: 'en',
  between:
    /[?？!！]+\s+|[?？]+|;\s+|,?\s+(?:and|but|or)\s+(?=(?:(?:for|by|from|in|at|to|with|on|until|since) )?(?:what|when|where|who|whom|whose|why|which|how)\b)|,\s*(?=(?:what|when|where|who|whom|whose|why|how)\b)|,?\s+and\s+(?=(?:is|are|does|do|can|must|may|should)\s+(?:it|they|this|that|the|there|i|we|you)\b)/giu,
  forms: [
    ...listClauses('overview', 'iu', [
      `(?:so )?(?:(?:what|which) (?:topics?|subjects?|themes?)|what)(?:'s|’s| is| are| does| do)? ${ABOUT} ?(?:is |are )?(?:all |mainly |mostly |generally )?(?:about|cover|contain|discuss|say|deal with)`,
      `what kind of ${DOCUMENT} (?:is|are) ${ABOUT}`,
      `${PLEASE}(?:summari[sz]e|sum up|describe|outline|tell me about|explain)(?: ${ABOUT})?(?: (?:briefly|for me|please))?`,
      `${PLEASE}(?:what(?:'s|’s| is| are) |give me |write |make |provide )?(?:an? |the )?(?:short |brief |quick |general )?(?:summary|overview|gist|outline|main points?|key points?)(?: of ${ABOUT})?`,
    ]),
    {
      pattern:
        /\b(?:please|kindly)\b|\b(?:can|could|would|will) you (?:please )?(?:tell|give|show|explain|say|let)(?: (?:me|us))?(?: know)?\b|\bi (?:would|'d|want|need|wish)(?: like)? to know\b|\b(?:tell|give|show|remind) (?:me|us)\b|\bdo you know\b/giu,
      isPolite: true,
    },
    {
      pattern:
        /\b(?:says?|said|stated|mention(?:s|ed)?|written)(?: (?:anything|something))? (?:about|on|regarding|concerning)\b/iu,
      kind: 'list',
    },
    {
      pattern:
        /\b(?:except(?: for)?|other than|apart from|besides|but not|excluding) (?<excluded>[^,?]{1,60})/iu,
      isPolite: true,
    },
    { pattern: new RegExp(`^(?:and |so |but )?(?:${AUXILIARY})\\b`, 'iu'), kind: 'fact' },
    {
      pattern:
        /\b(?:list|name|enumerate|show|find)\b(?: me)? (?:all|every|each)\b(?: of)?|\bwhat are all\b/iu,
      kind: 'list',
    },
    { pattern: /^(?:list|name|enumerate)\b/iu, kind: 'list' },
    {
      pattern:
        /\b(?:why|how come)\b|\b(?:for )?what (?:is|are|was|were) the reasons?(?: (?:for|that|why|behind))?\b|\bfor (?:what|which) reasons?\b/iu,
      kind: 'fact',
    },
    {
      pattern:
        /\bwhat (?:does|do|did) (?<keep>.{1,80}?) (?:mean|stand for|refer to)\b|\bwhat is meant by\b|\b(?:define|definition of|meaning of)\b/iu,
      kind: 'fact',
    },
    {
      pattern:
        /\bhow many\b(?= (?<asked>(?:[\p{L}-]+ ){0,2}?[\p{L}-]+))(?= .{0,200}\bin total\b)|\b(?:total number of|in total|altogether|sum of)\b|\b(?<keep>total)\b/iu,
      valueType: 'number',
    },
    { pattern: /\b(?:on average|average|mean)\b/iu, valueType: 'number' },
    {
      pattern: /\b(?:how many|(?:what (?:is|was) )?the number of)\b(?= (?<asked>[\p{L}-]+))/iu,
      valueType: 'number',
      dimensions: [],
      isCount: true,
    },
    createNumberForm(/\bhow (?:much time|long)\b/iu, 'time', 'length'),
    createNumberForm(
      /\bhow (?:soon|quickly|often|frequently|old)\b|\bhow many times\b/iu,
      'time',
      'count',
    ),
    createNumberForm(/\bhow (?:tall|high|deep|wide|thick|far|broad)\b/iu, 'length'),
    createNumberForm(/\bhow (?:heavy)\b/iu, 'mass'),
    createNumberForm(/\bhow (?:hot|cold|warm)\b/iu, 'temperature'),
    createNumberForm(/\bhow (?:fast)\b/iu, 'speed', 'time'),
    createNumberForm(/\bhow (?:big|large|loud|strong|bright)\b/iu),
    createNumberForm(
      /\bhow (?:expensive)\b|\bhow much (?:is|are|was|were|does|do|did|will|would|must|should) (?<keep>.{1,120}?) (?:cost|charged?|pay|paid|be)\b|\bhow much\b(?= (?:is|are|was|were)\b)/iu,
      'money',
    ),
    createNumberForm(/\bhow much\b/iu),
    {
      pattern:
        /\b(?:(?:from|by|until|since|at|on) )?(?:what|which) (?:day|date|month|year|week|quarter)s?\b|\b(?:by|until|since|from) when\b|^when\b|\bwhen (?:is|are|was|were|do|does|did|will|can|must|should|has|have)\b|\bwhat (?:is|was|are|were) the (?:date|deadline)\b/iu,
      valueType: 'other',
    },
    {
      pattern: /\b(?:at|from|until|by) what time\b|\bwhat (?:time|hours?)\b/iu,
      valueType: 'other',
    },
    { pattern: /\b(?:who|whom|whose|(?:what|which) (?:person|people))\b/iu, valueType: 'other' },
    {
      pattern: /\b(?:where|in (?:what|which) place|(?:at|in|to|on) which (?:place|address))\b/iu,
      valueType: 'other',
    },
    {
      pattern: new RegExp(
        `\\b(?:how (?:do|does|can|should|could|would|must|to)|what (?:do|does|must|should|can) ${YOU} (?:do|have to do|need to do))\\b(?: ${YOU}\\b)?(?: (?:to|for|if|when)\\b)?`,
        'iu',
      ),
      kind: 'steps',
    },
    {
      pattern:
        /^(?:what|who) (?:is|are|was|were) (?:an? )?(?<keep>(?!the\b|my\b|our\b|your\b|its\b|their\b|some\b|all\b)[\p{L}\p{N}'’"“”-]+(?: (?!of\b|for\b|in\b|to\b|on\b|at\b|the\b)[\p{L}\p{N}'’"“”-]+){0,3})(?=$|,)/iu,
      kind: 'fact',
    },
    {
      pattern: new RegExp(
        `\\b(?:what|which) (?:are|were) (?:the )?(?:(?:different|various|possible|main) )?(?:(?:${LIST_NOUN}) (?:of|for|to|in)\\b)?`,
        'iu',
      ),
      kind: 'list',
    },
    {
      pattern:
        /\b(?:which|what) (?<keep>(?!(?:is|was|does|has|do|did|are|were)\b)(?:[\p{L}-]+ ){0,2}[\p{L}-]+[^s\W]s)\b(?= (?:are|were|do|have|can|must|may|should|need|apply|belong|exist|count|in|of|for|to)\b|(?<![aiu]s) (?:does|did|was|has|had|will|would|shall)\b)/iu,
      kind: 'list',
    },
    { pattern: new RegExp(`\\b(?:what|which|how)(?:'s|’s)?(?: (?:${AUXILIARY}))?\\b`, 'iu') },
  ],
  roles: [
    /\? *(?:the |an? |any )?(?<asked>[\p{L}\p{N}'’-]+(?: [\p{L}\p{N}'’-]+){0,3}) (?:of|for) (?<subject>.{2,200})$/iu,
    /\? *(?<asked>[\p{L}-]+) (?:is|are|was|were|do|does|did|has|have|had|can|may|must|will|should) (?<subject>.{2,200})$/iu,
  ],
  orders: [
    {
      pattern: /\b(?:cheapest|least expensive|lowest[- ]priced)\b/iu,
      direction: 'least',
      dimension: 'money',
    },
    {
      pattern: /\b(?:most expensive|dearest|costliest|priciest)\b/iu,
      direction: 'most',
      dimension: 'money',
    },
    { pattern: /\b(?:earliest|oldest)\b/iu, direction: 'least', dimension: 'time' },
    {
      pattern: /\b(?:latest|newest|youngest|most recent)\b/iu,
      direction: 'most',
      dimension: 'time',
    },
    { pattern: /\blightest\b/iu, direction: 'least', dimension: 'mass' },
    { pattern: /\bheaviest\b/iu, direction: 'most', dimension: 'mass' },
    {
      pattern: /\b(?:shortest|narrowest|nearest|closest|shallowest|thinnest)\b/iu,
      direction: 'least',
    },
    {
      pattern: /\b(?:longest|tallest|deepest|widest|furthest|farthest|thickest)\b/iu,
      direction: 'most',
    },
    {
      pattern:
        /\b(?:lowest|smallest|fewest|least|slowest|minimum|weakest|coldest)\b(?! (?:one|two|once)\b)/iu,
      direction: 'least',
    },
    {
      pattern:
        /\b(?:highest|largest|biggest|greatest|most|fastest|maximum|top|strongest|hottest|warmest)\b(?! of\b)/iu,
      direction: 'most',
    },
  ],
  fragments: [
    new RegExp(`^${OPENING}${PROFORM} ${NO_PROFORM}(?<of>(?:of|in|for|from|at|on|with) .+)$`, 'iu'),
    new RegExp(`^(?:(?:and|but|or|so|then) )?(?:what|how) about ${NO_PROFORM}(?<of>.+)$`, 'iu'),
    new RegExp(`^(?:and|but|or|then) ${NO_PROFORM}(?<of>.+)$`, 'iu'),
    new RegExp(`^${NO_PROFORM}(?<of>(?:\\S+ ){0,3}\\S+)$`, 'iu'),
  ],
  conjunction: /^\s*(?:,|,?\s*(?:and|as well as)\b)\s*(?:(?:the|an?|my|our|your|their|its)\s+)?$/iu,
  lead: /(?:^|\s)(?:(?<lead>in|on|at|for|from|to|of|with|without|by|during|per|under|over|after|before|between)|(?<auxiliary>do|does|did|can|could|may|might|must|should|shall|will|would))\s+(?:(?:the|an?|my|our|your|their|its|this|that|these|those)\s+)?$/iu,
  names:
    /(?<=\S\s)(?:\p{Lu}[\p{L}\p{N}&'’.-]*\p{L}|\p{Lu}{2,})(?:\s\p{Lu}[\p{L}\p{N}&'’.-]*\p{L}){0,3}/gu,
}
