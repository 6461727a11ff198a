import type { CatalogForms } from './catalog-forms.ts'

const FORMAT =
  '(?:pdf|word|docx?|odt|rtf|spreadsheet|excel|xlsx?|csv|ods|presentation|powerpoint|pptx?|odp|slide deck|e-?mail|web ?page|html?|image|picture|photo|scan|markdown|md|e-?book|epub|text|txt|plain text)'
const NOUN = `(?<noun>(?:${FORMAT} )?(?:documents?|docs?|files?)|${FORMAT}s?)`
const DETERMINERS =
  '(?:(?:all|any|every|each|of|the|these|those|my|your|our|existing|indexed|uploaded|available|different|other|an?|single) ){0,4}'
const DOCUMENTS = `${DETERMINERS}${NOUN}`
const COLLECTION =
  '(?:this|the|my|our|your) (?:collection|library|store|archive|knowledge base|database|index|corpus|set|repository)'
const HERE = `(?:here|in (?:here|it|total|all|${COLLECTION}))`
const SUPERLATIVE =
  '(?<order>newest|latest|most recent|oldest|earliest|longest|shortest|largest|biggest|smallest)'
const EVENT =
  '(?:added|uploaded|indexed|imported|changed|modified|updated|edited|created|written|dated|published)'
const WHEN = '(?:(?<relation>since|after|before|in|from|on|during) )?(?<date>.+)'
const TOPIC = '(?:about|on|regarding|concerning) (?<topic>.+)'
const REST = '(?<rest>(?: .+)?)'

type Wants = CatalogForms['forms'][number]['wants']

function toForms(wants: Wants, forms: readonly string[]): CatalogForms['forms'] {
  return forms.map(form => ({ wants, pattern: new RegExp(`^${form}$`, 'iu') }))
}

/**
 * Verbs say that documents exist, change, or are about something; any other verb is about what
 * documents state.
 */
export const ENGLISH_FORMS: CatalogForms = {
  language: 'en',
  courtesy:
    /^(?:(?:please|so|and|ok|okay),? )*(?:(?:can|could|would|will) you (?:please )?(?:tell me )?|tell me )?|,? please$/giu,
  forms: [
    ...toForms('order', [
      `(?:(?:which|what) (?:(?:documents?|docs?|files?) )?(?:is|are) |what's |(?:show|list|name|open)(?: me)? )?the (?:(?<number>\\d{1,3}|two|three|four|five|ten) )?${SUPERLATIVE} ${NOUN}${REST}`,
      `(?:which|what) ${NOUN} (?:is|are) (?:the )?${SUPERLATIVE}(?: one)?${REST}`,
    ]),
    ...toForms('count', [
      `how many ${DOCUMENTS}${REST}`,
      `(?:what(?: is|'s) )?the (?:total )?(?:number|count) of ${DOCUMENTS}${REST}`,
      `count ${DOCUMENTS}${REST}`,
    ]),
    ...toForms('changes', [
      `what(?:'s| is| has| was)? (?:been )?(?:new|changed|updated|added)(?: ${HERE})?(?: ${WHEN})`,
      `what(?:'s| is| has| was)? (?:been )?(?:new|changed|updated|added) ${HERE}`,
    ]),
    ...toForms('list', [
      `(?:which|what) ${DOCUMENTS}${REST}`,
      `what are ${DOCUMENTS}(?<rest>(?: (?:${HERE}|you|we|i) .+)?)`,
      `(?:list|show|name|enumerate|find|give)(?: me| us)? (?:a list of )?${DOCUMENTS}${REST}`,
      `(?:is|are) there ${DOCUMENTS}${REST}`,
      `(?:do|have) (?:you|we|i) (?:have |got )?${DOCUMENTS}${REST}`,
    ]),
    ...toForms('summary', [
      `(?:summari[sz]e|sum up|give me|tell me|write up) (?:everything|anything|all)(?: (?:that )?(?:you|we) (?:have|know)| there is)? ${TOPIC}`,
      `(?:a |the )?(?:summary|overview) of (?:everything|all)(?: (?:that )?(?:you|we) (?:have|know)| there is)? ${TOPIC}`,
      `what (?:do|have) (?:you|we|i) (?:have |got )?${TOPIC}`,
    ]),
  ],
  orders: [
    [/^(?:newest|latest|most recent)$/iu, 'newest'],
    [/^(?:oldest|earliest)$/iu, 'oldest'],
    [/^longest$/iu, 'longest'],
    [/^shortest$/iu, 'shortest'],
    [/^(?:largest|biggest)$/iu, 'largest'],
    [/^smallest$/iu, 'smallest'],
  ],
  conditions: [
    new RegExp(
      `^(?:(?:that|which) )?(?:(?:were|was|are|is|have been|has been|have|has|did you|did we|did i) )?(?<event>${EVENT}) ${WHEN}$`,
      'iu',
    ),
    /^(?:are |is )?(?<relation>since|after|before|in|from|on|during) (?<date>.+)$/iu,
    new RegExp(
      `^(?:(?:are|is) (?:there|available|indexed|stored|included)|exists?|(?:do|does|can|have|did) (?:you|we|i|${COLLECTION}) (?:have|know|see|read|search|contain|hold|indexed|uploaded|added)|have been (?:indexed|uploaded|added)|(?:are|is) ${HERE}|${HERE})(?=$| )`,
      'iu',
    ),
    /^(?:are |is )?(?:in|under|from|inside) (?:the )?(?:folder|directory|subfolder) (?<folder>\S+)(?=$| )/iu,
    /^(?:are |is )?(?:in|under|from|inside) (?:the )?(?<folder>\S{1,60}) (?:folder|directory|subfolder)(?=$| )/iu,
    /^(?:(?:that|which) )?(?:are |is |there are |there is |have (?:something|anything) )?(?:about|on|regarding|concerning|mention(?:ing|s)?|discuss(?:ing|es)?|cover(?:ing|s)?|talk(?:ing|s)? about|deal(?:ing|s)? with|describ(?:e|ing|es)|refer(?:ring|s)? to|related to) (?<topic>.+)$/iu,
  ],
  documentWords: / ?(?:documents?|docs?|files?)$/iu,
  since: /^since$/iu,
  after: /^after$/iu,
  before: /^before$/iu,
  added: /^(?:added|uploaded|indexed|imported)$/iu,
  changed: /^(?:changed|modified|updated|edited)$/iu,
  numerals: { two: 2, three: 3, four: 4, five: 5, ten: 10 },
}
