import { ENGLISH_FUNCTION_WORDS } from '../../text/function-words.ts'
import {
  type DocumentGroup,
  GROUPS as GROUP_NAMES,
  type InventoryGrammar,
  ORDERS,
  type Term,
  toTerms,
} from './inventory-grammar.ts'

const FORMAT =
  '(?:pdf|word|docx?|odt|rtf|spreadsheet|excel|xlsx?|csv|ods|presentation|powerpoint|pptx?|odp|slide deck|e-?mail|web ?page|html?|(?:scanned )?(?:image|picture|photo|scan)|markdown|md|e-?book|epub|text|txt|plain text)'
/** Formats that stand for a document by themselves; a word or a text is something else, too. */
const THING =
  '(?:pdf|docx|spreadsheet|xlsx|csv|presentation|powerpoint|pptx|slide deck|e-?mail|web ?page|(?:scanned )?(?:image|picture|photo)|scan|e-?book|epub)'
const COLLECTION =
  '(?:this|the|my|our|your|that) (?:(?:entire|whole|document) )?(?:collection|library|store|archive|knowledge base|database|index|corpus|repository)'
const PERSON = '(?:you|we|i)'
const HAVE = '(?:have(?: access to)?|got|hold|store|see|read|search|contain|access)'
const KNOW = `${PERSON} know`
const EVENT =
  '(?:added|uploaded|indexed|imported|changed|modified|updated|edited|created|written|dated|published)'
const DONE = `(?:did ${PERSON} (?<event>add|upload|index|import|change|modify|update|edit|create|write)|(?:${PERSON} )?(?<pastEvent>${EVENT}))`

/** "contains information", "say anything"; what about follows. */
const SAYING =
  '(?:say|says|saying|contain|contains|containing|have|has|having|include|includes|including|with|give|gives) (?:(?:any|some) )?(?:information|details|anything|something)'

const GROUPS: Readonly<Record<DocumentGroup, string>> = {
  kinds: '(?:(?:file|document) )?(?:kind|type|format)s?',
  languages: 'languages?',
  folders: '(?:sub)?(?:folders?|director(?:y|ies))',
  years: 'years?',
  authors: '(?:author|writer)s?',
  tags: '(?:tags?|keywords?|categor(?:y|ies))',
  collections: '(?:collection|knowledge base)s?',
}
const EACH = '(?:each|every)(?: of the| one of the| different)?'
const GROUP_END = '(?=,|$| (?:is|are|do|does|did|has|have|there|about|of|in)\\b)'
const PER = `(?:are )?(?:(?:by|per)(?: (?:the|their|its|${EACH}))?|(?:in|for|of|from|with|under|across|among)(?: the)? (?:${EACH}|different|various|their|its)|across(?: the)?|(?:do|does|did|has|have|is|are) ${EACH}) `
const OWNS = '(?: (?:have|has|hold|holds|contain|contains|include|includes|write|got))?'

function toGroupTerms(): readonly Term[] {
  return GROUP_NAMES.flatMap(role => [
    { role, pattern: `${PER}${GROUPS[role]}${OWNS}${GROUP_END}` },
    ...(role === 'years'
      ? []
      : [
          {
            role,
            pattern: `${GROUPS[role]}${GROUP_END}`,
            behind: ['which', 'count', 'list', 'filler'],
          } as const,
        ]),
  ])
}

/** Requests that also stand behind the noun: "which files are there?", "… do you have?" */
const EXISTENCE = [
  '(?:is|are) there',
  `(?:do|does|did|can|have) (?:${PERSON}|it|${COLLECTION}) ${HAVE}`,
  `have ${PERSON}(?: (?:got|indexed|uploaded|stored|read))?`,
]

const DOCUMENT_ROLES = ['documents', 'document', 'contents', 'genre'] as const
/** Requests for all documents in an order. */
const SORTED = '(?:(?:sorted|ordered|ranked|arranged) )?by (?:their |the )?'
/** A topic follows its document, and what follows a topic is a condition. */
const TOPIC = {
  role: 'topic',
  end: '',
  notBefore: [...DOCUMENT_ROLES, 'which', 'count', 'list', 'summary', 'topic'],
} as const

export const ENGLISH_GRAMMAR: InventoryGrammar = {
  language: 'en',
  terms: [
    ...toTerms('count', 'how many', '(?:total )?(?:number|count) of', 'count'),
    ...toTerms('size', `how (?:large|big) is ${COLLECTION}`),
    ...toTerms('which', 'which', 'what', 'who(?= (?:is|are) the (?:author|writer)s?\\b)'),
    ...toTerms('measure', 'how (?:old|long|large|big) is', 'when (?:was|were|is)'),
    ...toTerms(
      'list',
      '(?:list|show|name|enumerate|find|give|display|get)(?: (?:me|us))?',
      '(?:list|overview|inventory|breakdown|distribution)(?: of)?',
      'how (?:is|are)(?= .*\\b(?:distributed|divided|split|grouped)\\b)',
      'sort|order|rank|arrange|group|(?:break|split|divide)(?: (?:down|up))?',
      'see|view',
      'let (?:me|us) see',
      '(?:can|may) (?:i|we) (?:see|get|have)',
      '^any',
      '^anything',
      ...EXISTENCE,
      '(?:has|have|did|was|were|do|does|is|are) (?=(?:any|anything|something|some)\\b)',
      '(?:do|does) (?=(?:the|these|those|all|your|our|my) (?:documents|docs|files)\\b)',
    ),
    ...toTerms(
      'summary',
      'summari[sz]e',
      'sum up',
      '(?:tell|give)(?: (?:me|us))?',
      'write up',
      'summary of',
    ),
    ...toTerms(
      'exists',
      ...EXISTENCE,
      'there (?:is|are)',
      `(?:${PERSON}|${COLLECTION}) (?:can )?(?:have|has|${HAVE}s?)`,
      `(?:do )?${KNOW}`,
      `(?:do )?${KNOW} (?:of|about)`,
      '(?:are|is) (?:available|indexed|stored|included|searchable)',
      'exists?',
    ),
    {
      role: 'here',
      pattern: `(?:in |to |(?:part )?of |from )?(?:${COLLECTION})|here|in (?:here|it|total|all)|(?:in|across|among|from) (?:(?:all|any|the|these|those|your|our|my|of) )+(?:documents|docs|files)`,
    },
    ...toTerms(
      'documents',
      `(?:(?<format>${FORMAT}) )?(?:documents|docs|files)`,
      `(?<format>${THING})s`,
    ),
    ...toTerms(
      'document',
      `of (?:(?:the|all|your|our|my|these) )*(?:(?<format>${FORMAT}) )?(?:documents|docs|files)`,
      `(?:(?<format>${FORMAT}) )?(?:document|doc|file)(?: (?=(?:names|titles)\\b))?`,
      `(?<format>${THING})`,
    ),
    ...toTerms(
      'contents',
      'everything',
      'anything',
      'something',
      'all',
      'information|material|contents?',
    ),
    ...toTerms(
      'newest',
      `${SORTED}(?<all>date)(?:,? (?:newest|latest) first)?`,
      '(?<all>newest|latest) first',
    ),
    ...toTerms(
      'oldest',
      `${SORTED}(?<all>age|date,? (?:oldest|earliest) first)`,
      '(?<all>oldest) first',
    ),
    ...toTerms('longest', `${SORTED}(?<all>length|pages)`, '(?<all>longest) first'),
    ...toTerms('shortest', '(?<all>shortest) first'),
    ...toTerms('largest', `${SORTED}(?<all>(?:file )?size)`, '(?<all>largest) first'),
    ...toTerms('smallest', '(?<all>smallest) first'),
    ...toTerms('newest', 'newest', 'latest', 'most recent', '(?:very )?last'),
    ...toTerms(
      'newest',
      `(?:most recently|latest|last|recently) ${DONE}`,
      `${DONE} (?:last|most recently|latest)`,
    ),
    ...toTerms('oldest', 'oldest', 'earliest', 'first', `first ${DONE}`, `${DONE} first`),
    ...toTerms('longest', 'longest', '(?:(?:has|have|with) )?the most (?:pages|text|words)'),
    ...toTerms(
      'shortest',
      'shortest',
      '(?:(?:has|have|with) )?the (?:fewest|least) (?:pages|text|words)',
    ),
    ...toTerms('largest', 'largest', 'biggest'),
    ...toTerms('smallest', 'smallest'),
    ...toTerms(
      'number',
      '(?:top )?(?<number>\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|a few)',
    ),
    ...toTerms('recent', 'recently', 'lately', 'new(?:ly)?', 'recent'),
    ...toTerms(
      'languages',
      '(?:(?:in|by|per|for) (?:each |the |their |its )?)?languages?(?: of)?(?: (?=in |of |the |our |your |my ))?',
    ),
    ...toGroupTerms(),
    { role: 'language', pattern: '(?:(?:written )?in )?', end: '(?: language)?' },
    ...toTerms(
      'filler',
      '(?:written )?in$',
      '(?:existing|indexed|uploaded|available|stored|current) (?=\\w)',
    ),
    { role: 'event', pattern: DONE },
    { role: 'event', pattern: '(?<event>change)', behind: ['documents', 'contents'] },
    {
      role: 'date',
      pattern:
        '(?:(?:from |dated )?(?<relation>since|after|before|prior to|(?:older|earlier|newer|later|younger) than|in|from|on|during|until|up to|within|between) )?',
      end: '(?: (?<endRelation>(?:or|and) (?:later|newer|after|earlier|older|before)|onwards?))?',
    },
    {
      role: 'folder',
      pattern: '(?:in|under|from|inside|within) (?:the )?(?:folder|directory|subfolder) ',
      end: '',
    },
    {
      role: 'folder',
      pattern: '(?:in|under|from|inside|within) (?:the |my |our )?',
      end: ' (?:folder|directory|subfolder)',
    },
    {
      ...TOPIC,
      pattern: '(?:about|regarding|concerning|on the (?:subject|topic) of) ',
      behind: [
        ...DOCUMENT_ROLES,
        'exists',
        'list',
        'filler',
        'which',
        'here',
        'date',
        'event',
        'language',
        'not',
      ],
    },
    { ...TOPIC, pattern: 'on ', behind: [...DOCUMENT_ROLES, 'exists', 'list', 'here'] },
    {
      ...TOPIC,
      pattern: `(?:mention(?:s|ing)?|discuss(?:es|ing)?|cover(?:s|ing)?|describ(?:es?|ing)|address(?:es|ing)?|concerns?|(?:talk(?:s|ing)?|speak(?:s|ing)?) about|deal(?:s|ing)? with|(?:refer(?:s|ring)?|relat(?:es?|ed|ing)|pertain(?:s|ing)?|devoted|dedicated) to|${SAYING} (?:about|on|regarding)) `,
      behind: [...DOCUMENT_ROLES, 'filler', 'here', 'not'],
    },
    {
      role: 'topic',
      pattern: '(?:is|are|was|were) ',
      end: ' (?:mentioned|discussed|covered|described|addressed|dealt with)(?: in)?',
      behind: [...DOCUMENT_ROLES],
    },
    ...toTerms(
      'not',
      'not|neither|nor|without|excluding',
      '(?:other|apart|aside) (?:than|from)',
      '(?:all |everything )?(?:except(?: for)?|but)(?: not)?',
    ),
    { role: 'document', pattern: `(?<format>${FORMAT})`, behind: ['not', 'and'] },
    { role: 'and', pattern: 'and|or', behind: ['documents', 'document', 'genre', 'language'] },
    ...toTerms(
      'filler',
      '(?:do|does|did) (?=not )',
      '(?:the )?(?:names?|titles?|dates?|sizes?|age)(?: of)?',
      'in (?=which|what)',
      '(?:types?|kinds?|formats?) of',
      'distributed|divided|split|grouped|(?:has|have) (?:the )?most(?= (?:documents|docs|files))',
      'complete|full|entire|whole|total',
      'right now|at the moment|at present|to date',
      'of',
      'the',
      'an?',
      'any',
      'all',
      'every',
      'each',
      'some',
      'single',
      'different',
      'other',
      'these|those|my|your|our',
      'ones?',
      'that|which',
      'is|are|was|were|be|been|being|has|have',
      'currently|now|already|altogether|together|overall|ever|so far|exactly',
      'please',
      'you|we|i|me|us',
    ),
    { role: 'attribute', pattern: PER, end: OWNS },
    { role: 'genre', pattern: '(?:an?|the|any) ', end: '', behind: ['not', 'and'] },
    { role: 'genre', pattern: '', end: '(?<=s)', behind: ['not', 'and'] },
    {
      role: 'genre',
      pattern: '',
      end: '',
      behind: ['which', 'count', 'list', 'filler', 'number', 'recent', 'language', ...ORDERS],
      notBefore: ['documents', 'document', 'contents'],
    },
  ],
  normalize: text =>
    text
      .replace(/[‘’]/gu, "'")
      .replace(/\b(what|which|that|there|here)'s\b/giu, '$1 is')
      .replace(/\b(is|are|was|were|do|does|did|has|have)n't\b/giu, '$1 not')
      .replace(/\bnon-(?=\p{Lu})/gu, 'not ')
      .replace(/\b(?:have|has|having) nothing to do with\b|\bunrelated to\b/giu, 'not related to')
      .replace(/\b(you|we|i)'ve\b/giu, '$1 have')
      .replace(
        /^(?:(?:please|so|and|ok|okay|hi|hello|hey)[,!]? )*(?:(?:can|could|would|will) you (?:please )?(?:tell (?:me|us) (?=which|what|how many|if|whether))?|tell (?:me|us) (?=which|what|how many)|(?:(?:i would like|i'd like|i want) (?:to know )?(?:to (?=see|view|get))?)|i need (?=a |an |the ))?|,? (?:please|thanks|thank you)$/giu,
        '',
      ),
  clause:
    /\b(?:not|what|which|who|whom|whose|how|why|where|when|whether|if|do|does|did|must|should|can|could|might|shall|will|would|is|are|was|were|am|be|has|have|had)\b|^(?:to|of|for|in|at|by|from|with|and|or)\b|[?!;]|\. /u,
  bare: /^(?:(?:the|an?|any|all|some|this|that|it|them|those|these|of|on|in|your|our|my|new|newest|latest|most|recent|oldest|longest|\d+)(?: |$))+$/iu,
  genre: new RegExp(
    `^(?!.*\\b(?:documents?|docs?|files?|${[...ENGLISH_FUNCTION_WORDS].join('|')})\\b)\\p{L}[\\p{L}-]+(?: \\p{L}[\\p{L}-]+){0,2}$`,
    'iu',
  ),
  since: /^(?:since|.* (?:later|newer|after)|onwards?)$/iu,
  after: /^(?:after|(?:newer|later|younger) than)$/iu,
  before: /^(?:before|prior to|(?:older|earlier) than)$/iu,
  until: /^(?:until|up to|.* (?:earlier|older|before))$/iu,
  between: / (?:and|to|until) | ?[–—] ?/u,
  added: /^(?:add|upload|index|import)/iu,
  changed: /^(?:chang|modif|updat|edit)/iu,
  numerals: {
    two: 2,
    three: 3,
    'a few': 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
  },
  addYear: (date, year) => `${date} ${year}`,
}
