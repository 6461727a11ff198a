/** What a stemmer cannot bring together: past forms and plurals, after the word that they belong to. Forms that are words of their own too are left out. */
const FORMS = `arise arose arisen, awake awoke awoken, bear bore borne, become became, begin began begun, bend bent, bite bit bitten, bleed bled,
  blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt, buy bought, catch caught, choose chose chosen,
  come came, creep crept, deal dealt, dig dug, do done, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen,
  feed fed, feel felt, fight fought, find found, fly flew flown, forbid forbade forbidden, forget forgot forgotten, freeze froze frozen,
  get got gotten, give gave given, go went gone, grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, know knew known,
  lead led, lend lent, lose lost, make made, mean meant, meet met, pay paid, ride rode ridden, ring rang rung, rise rose risen, run ran, say said,
  see saw seen, seek sought, sell sold, send sent, shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung,
  sink sank sunk, sit sat, sleep slept, slide slid, speak spoke spoken, spend spent, spin spun, stand stood, steal stole stolen, stick stuck,
  strike struck, swear swore sworn, sweep swept, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told,
  think thought, throw threw thrown, undertake undertook undertaken, understand understood, wake woke woken, wear wore worn, win won,
  withdraw withdrew withdrawn, write wrote written, overcome overcame, oversee oversaw overseen, foresee foresaw foreseen, mistake mistook mistaken,
  child children, man men, woman women, person people, foot feet, tooth teeth, mouse mice, goose geese, ox oxen, knife knives, shelf shelves,
  half halves, wolf wolves, thief thieves, loaf loaves, index indices, matrix matrices, vertex vertices, criterion criteria,
  phenomenon phenomena, analysis analyses, crisis crises, basis bases, thesis theses, axis axes`

const BASES: ReadonlyMap<string, string> = new Map(
  FORMS.split(/,\s*/).flatMap(entry => {
    const [base = '', ...forms] = entry.split(/\s+/)
    return forms.map(form => [form, base])
  }),
)

const WORD = /[a-z]{3,}/gi

/** A text with English words in the form that they have in a dictionary, where that is not to be told by their endings. */
export function withRegularForms(text: string): string {
  return text.replace(WORD, word => BASES.get(word.toLowerCase()) ?? word)
}
