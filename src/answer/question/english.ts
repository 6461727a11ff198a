import { asksNumber, type Grammar, wholeClauses } from './grammar.ts'

/**
 * How English asks, after Quirk et al. 1985, chapter 11 (questions), 7.74 (comparison), 9.66 (prepositional adverbs), 9.34 to 9.39 (prepositions of time), 10.60 (`no`),
 * 9.11 (`out of`) and 16.31 (verbs of saying). Only closed classes: question words, auxiliaries, polite openings, superlatives and bounds, verbs
 * of what a text does, and the nouns that name a measure or a list.
 */
const AUXILIARY =
  'is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had'
const YOU = '(?:i|we|you|one|they|he|she|people|someone|somebody|anyone|users?)'
const DOCUMENT =
  '(?:documents?|files?|papers?|pdf|texts?|reports?|books?|articles?|manuals?|guides?|pages?|contracts?|letters?|collections?)'
const THESE = `(?:(?:this|that|these|those|the|it|they|my|all|of) ){0,3}(?:${DOCUMENT}|this|that|these|it|them)?`
/** What an overview is of, where it is more than "this document". */
const ABOUT = `(?:${THESE}|(?<about>.{1,80}?))`
const PLEASE = '(?:(?:please|kindly) )?(?:(?:can|could|would|will) you (?:please )?)?'
/** Of "the notice period in the lease and the contract", what comes before the two; not where the second has it, too. */
const SHARED = String.raw`(?<head>(?:.{0,60}?\s(?:of|for|in|under|at|on)\s(?!.{2,80}?\sand\s.{0,80}?\s(?:of|for|in|under|at|on)\s))?)`
const PAIR = String.raw`(?<one>.{2,80}?)\s+and\s+(?<other>.{2,80}?)$`
/** Between a preposition and a date. */
const OF_DATE = '\\s+(?:the\\s+)?(?:(?:year|month|start|beginning|end)\\s+(?:of\\s+)?)?'
/** Of a pronoun only the conversation tells what it stands for (Quirk et al. 1985, 6.15 and 6.53 to 6.57). */
const NO_PROFORM =
  '(?!.*\\b(?:it|its|he|she|him|his|hers?|they|them|their|theirs|this|that|these|those|ones?|same|others?)\\b)'
/** Comparatives of size, weight, price, age and speed, by their side. */
const MORE =
  'more|greater|larger|bigger|higher|taller|longer|wider|deeper|thicker|heavier|older|faster|stronger|hotter|warmer'
const LESS =
  'less|fewer|lower|smaller|shorter|narrower|shallower|thinner|lighter|younger|cheaper|slower|weaker|colder'
const PREPOSITION = 'with|by|in|of|from|to|at|on|for'
/** Of what is said that something does not do, or is not done with it. */
const DENIED_VERB = `(?:do|does|did)(?:n['’]t| not) \\p{L}+|(?:is|are|was|were)(?:n['’]t| not)(?: \\p{L}+)?(?= (?:${PREPOSITION}) )`
/** "Are not paid yet", where the clause ends. */
const DENIED_STATE =
  "(?:(?:is|are|was|were)(?:n['’]t| not)|(?:has|have|had)(?:n['’]t| not)(?: yet)? been)(?: yet| been)?(?= \\p{L}[\\p{L}-]*(?: yet| so far)?$)"
const LIST_NOUN = 'steps?|things?|items?|points?|kinds?|types?|sorts?|ways?|examples?|parts?|list'

export const ENGLISH: Grammar = {
  language: 'en',
  between:
    /[?？!！]+\s+|[?？]+|;\s+|,?\s+(?:and|but|or)\s+(?=(?:(?:for|by|from|in|at|to|with|on|until|since) )?(?:what|when|where|who|whom|whose|why|which|how)\b)|,\s*(?=(?:what|when|where|who|whom|whose|why|how)\b)|,?\s+and\s+(?=(?:is|are|does|do|can|must|may|should)\s+(?:it|they|this|that|the|there|i|we|you)\b)/giu,
  comparisons: [
    new RegExp(
      String.raw`\bdifferences?\s+(?:in|of)\s+(?<head>.{2,80}?\s)(?:between|of|for|in)\s+${PAIR}`,
      'iu',
    ),
    new RegExp(String.raw`\bdifferences?\s+between\s+${SHARED}${PAIR}`, 'iu'),
    new RegExp(
      String.raw`\bcompare\s+${SHARED}(?<one>.{2,80}?)\s+(?:and|with|to|against|versus|vs\.?)\s+(?<other>.{2,80}?)$`,
      'iu',
    ),
    new RegExp(
      String.raw`\bhow\s+(?:do|does)\s+(?<head>.{2,80}?\s)differ\s+(?:between|in|for|among)\s+${PAIR}`,
      'iu',
    ),
    /\bhow\s+(?:do|does|is|are)\s+(?<one>.{2,80}?)\s+(?:differ|different)\s+from\s+(?<other>.{2,80}?)$/iu,
    /\bhow\s+(?:do|does)\s+(?<one>.{2,80}?)\s+and\s+(?<other>.{2,80}?)\s+differ\b/iu,
    /^(?<one>.{2,80}?)\s+(?:versus|vs\.?)\s+(?<other>.{2,80}?)$/iu,
  ],
  forms: [
    ...wholeClauses('overview', 'iu', [
      `(?:so )?what(?:'s|’s| is| are| does| do)? ${ABOUT} ?(?:is |are )?(?:all |mainly |mostly |generally )?(?:about|cover|contain|discuss|say|deal with)`,
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
    { pattern: new RegExp(`^(?:and |so |but )?(?:${AUXILIARY})\\b`, 'iu'), kind: 'yes-no' },
    {
      pattern:
        /\b(?:list|name|enumerate|show|find)\b(?: me)? (?:all|every|each)\b(?: of)?|\bwhat are all\b/iu,
      kind: 'list',
      isExhaustive: true,
    },
    { pattern: /^(?:list|name|enumerate)\b/iu, kind: 'list' },
    {
      pattern:
        /\b(?:why|how come)\b|\b(?:for )?what (?:is|are|was|were) the reasons?(?: (?:for|that|why|behind))?\b|\bfor (?:what|which) reasons?\b/iu,
      kind: 'reason',
    },
    {
      pattern:
        /\bwhat (?:does|do|did) (?<keep>.{1,80}?) (?:mean|stand for|refer to)\b|\bwhat is meant by\b|\b(?:define|definition of|meaning of)\b/iu,
      kind: 'definition',
    },
    {
      pattern:
        /\bhow many\b(?= (?<asked>(?:[\p{L}-]+ ){0,2}?[\p{L}-]+))(?= .{0,200}\bin total\b)|\b(?:total number of|in total|altogether|sum of)\b|\b(?<keep>total)\b/iu,
      asked: 'number',
      aggregate: 'sum',
    },
    { pattern: /\b(?:on average|average|mean)\b/iu, asked: 'number', aggregate: 'average' },
    {
      pattern: /\b(?:how many|(?:what (?:is|was) )?the number of)\b(?= (?<asked>[\p{L}-]+))/iu,
      asked: 'number',
      dimensions: [],
      aggregate: 'count',
    },
    asksNumber(/\bhow (?:much time|long)\b/iu, 'time', 'length'),
    asksNumber(
      /\bhow (?:soon|quickly|often|frequently|old)\b|\bhow many times\b/iu,
      'time',
      'count',
    ),
    asksNumber(/\bhow (?:tall|high|deep|wide|thick|far|broad)\b/iu, 'length'),
    asksNumber(/\bhow (?:heavy)\b/iu, 'mass'),
    asksNumber(/\bhow (?:hot|cold|warm)\b/iu, 'temperature'),
    asksNumber(/\bhow (?:fast)\b/iu, 'speed', 'time'),
    asksNumber(/\bhow (?:big|large|loud|strong|bright)\b/iu),
    asksNumber(
      /\bhow (?:expensive)\b|\bhow much (?:is|are|was|were|does|do|did|will|would|must|should) (?<keep>.{1,120}?) (?:cost|charged?|pay|paid|be)\b|\bhow much\b(?= (?:is|are|was|were)\b)/iu,
      'money',
    ),
    asksNumber(/\bhow much\b/iu),
    {
      pattern:
        /\b(?:(?:from|by|until|since|at|on) )?(?:what|which) (?:day|date|month|year|week|quarter)s?\b|\b(?:by|until|since|from) when\b|^when\b|\bwhen (?:is|are|was|were|do|does|did|will|can|must|should|has|have)\b|\bwhat (?:is|was|are|were) the (?:date|deadline)\b/iu,
      asked: 'date',
    },
    { pattern: /\b(?:at|from|until|by) what time\b|\bwhat (?:time|hours?)\b/iu, asked: 'time' },
    { pattern: /\b(?:who|whom|whose|(?:what|which) (?:person|people))\b/iu, asked: 'person' },
    {
      pattern: /\b(?:where|in (?:what|which) place|(?:at|in|to|on) which (?:place|address))\b/iu,
      asked: 'place',
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
      kind: 'definition',
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
  bounds: [
    {
      comparator: 'at-least',
      before: /\b(?:at least|not less than|no (?:less|fewer) than|a minimum of|minimum)\s*$/iu,
      behind: /^\s*(?:or (?:more|over|above|longer|older)|and (?:more|over|above)|\+)/iu,
    },
    {
      comparator: 'at-most',
      before:
        /\b(?:at most|up to|not more than|no more than|a maximum of|maximum|not exceed(?:ing)?)\s*$/iu,
      behind: /^\s*(?:or (?:less|fewer|under|below|younger)|and (?:less|under|below))/iu,
    },
    {
      comparator: 'over',
      before: new RegExp(
        `\\b(?:(?:${MORE})(?: expensive)? than|over|above|exceed(?:s|ing)?)\\s*$`,
        'iu',
      ),
    },
    {
      comparator: 'under',
      before: new RegExp(`\\b(?:(?:${LESS})(?: expensive)? than|under|below)\\s*$`, 'iu'),
    },
    { comparator: 'at-least', before: /\bfrom\s*$/iu, isTemporal: true },
    { comparator: 'over', before: /\b(?:after|beyond|past)\s*$/iu, isTemporal: true },
    { comparator: 'under', before: /\b(?:before|within)\s*$/iu, isTemporal: true },
  ],
  dateBounds: [
    {
      comparator: 'at-least',
      before: new RegExp(
        `\\b(?:since|as of|(?:on|in) or after|starting(?: from| in| on)?|(?:not|no) (?:before|earlier than))${OF_DATE}$`,
        'iu',
      ),
      behind: /^\s*(?:or|and) (?:after|later)\b|^\s*on(?:wards?)?\b/iu,
    },
    {
      comparator: 'at-most',
      before: new RegExp(
        `\\b(?:until|till|through|by|up to|(?:on|in) or before|(?:not|no) (?:after|later than))${OF_DATE}$`,
        'iu',
      ),
      behind: /^\s*(?:or|and) (?:before|earlier)\b/iu,
    },
    { comparator: 'over', before: new RegExp(`\\b(?:after|later than)${OF_DATE}$`, 'iu') },
    {
      comparator: 'under',
      before: new RegExp(`\\b(?:before|prior to|earlier than)${OF_DATE}$`, 'iu'),
    },
  ],
  periods: [
    { before: new RegExp(`\\bbetween${OF_DATE}$`, 'iu'), between: /^ and $/iu },
    { before: new RegExp(`\\bfrom${OF_DATE}$`, 'iu'), between: /^ (?:to|until|till|through) $/iu },
    { between: /^ ?[-–—] ?$/u },
  ],
  compares: [
    {
      pattern: new RegExp(
        `\\b(?:${MORE})\\b(?:.{0,60}?\\b)?than\\b|\\b(?:above|exceed(?:s|ing)?)\\b`,
        'iu',
      ),
      comparator: 'over',
    },
    {
      pattern: new RegExp(`\\b(?:${LESS})\\b(?:.{0,60}?\\b)?than\\b|\\bbelow\\b`, 'iu'),
      comparator: 'under',
    },
    {
      pattern: /\b(?:equals?|equal to|as (?:high|large|big|many|much|low) as|the same as)\b/iu,
      comparator: 'equal',
    },
  ],
  fragments: [
    new RegExp(`^(?:(?:and|but|or|so|then) )?(?:what|how) about ${NO_PROFORM}(?<of>.+)$`, 'iu'),
    new RegExp(`^(?:and|but|or|then) ${NO_PROFORM}(?<of>.+)$`, 'iu'),
    new RegExp(`^${NO_PROFORM}(?<of>(?:\\S+ ){0,3}\\S+)$`, 'iu'),
  ],
  sharedEnd: new RegExp(
    `^how (?:many|much)(?: (?!(?:${AUXILIARY})\\b)\\S+){1,4}\\nhow (?:many|much)\\b.*?(?<end> (?:${AUXILIARY}) .+)$`,
    'iu',
  ),
  ownSubject: new RegExp(
    `^${NO_PROFORM}(?:(?<copula>(?:how )?\\S+ (?:is|are|was|were) )|.*?\\b)(?:the|my|our|your) (?<of>\\p{L}[\\p{L}-]*)`,
    'iu',
  ),
  lead: /(?:^|\s)(?:(?<lead>in|on|at|for|from|to|of|with|without|by|during|per|under|over|after|before|between)|(?<auxiliary>do|does|did|can|could|may|might|must|should|shall|will|would))\s+(?:(?:the|an?|my|our|your|their|its|this|that|these|those)\s+)?$/iu,
  none: new RegExp(
    `\\b(?:(?:out of|without|no|(?<!than )zero)(?: any| an?)?|(?<!\\b(?:if|i|we|you|they|he|she|it) (?:.{0,60} )?)(?:${DENIED_VERB})(?: (?:any|an?|the|${PREPOSITION}))*|${DENIED_STATE}) (?<of>\\p{L}[\\p{L}-]*)(?![\\p{L}\\d])`,
    'iu',
  ),
  state:
    /\b(?:is|are|was|were|be|been) (?<state>in|out|on|off|away)(?= (?:on|in|at|during|every|each|this|that|next|last) |$)/iu,
  conjunction: /^(?:,? (?:and|or)|,) (?:(?:to|from|for|in|on|at|of) )?(?:(?:the|an?) )?$/iu,
  names:
    /(?<=\S\s)(?:\p{Lu}[\p{L}\p{N}&'’.-]*\p{L}|\p{Lu}{2,})(?:\s\p{Lu}[\p{L}\p{N}&'’.-]*\p{L}){0,3}/gu,
  numbered:
    /(?<=\S\s)(?:\p{Lu}\p{Script=Latin}*\s\d+(?:\.\d+)*|\p{Script=Latin}+\s[A-HJ-Z])(?![\p{L}\d])/gu,
}
