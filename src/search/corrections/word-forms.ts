/** English irregular verbs (Quirk et al. 1985, sections 3.11 to 3.20) and comparatives. */
const PARADIGMS = `arise arose arisen,awake awoke awoken,bear bore born borne,beat beaten,become became,begin began begun,
bend bent,bind bound,bite bit bitten,bleed bled,blow blew blown,break broke broken,breed bred,bring brought,build built,
burn burnt,buy bought,catch caught,choose chose chosen,cling clung,come came,creep crept,deal dealt,dig dug,do did done,
draw drew drawn,dream dreamt,drink drank drunk,drive drove driven,eat ate eaten,fall fell fallen,feed fed,feel felt,
fight fought,find found,flee fled,fling flung,fly flew flown,forbid forbade forbidden,forget forgot forgotten,
forgive forgave forgiven,freeze froze frozen,get got gotten,give gave given,go went gone,grind ground,grow grew grown,
hang hung,hear heard,hide hid hidden,hold held,keep kept,kneel knelt,know knew known,lay laid,lead led,lean leant,leap leapt,
learn learnt,leave left,lend lent,lie lay lain,light lit,lose lost,make made,mean meant,meet met,mistake mistook mistaken,
pay paid,prove proven,ride rode ridden,ring rang rung,rise rose risen,run ran,say said,see saw seen,seek sought,sell sold,
send sent,sew sewn,shake shook shaken,shine shone,shoot shot,show shown,shrink shrank shrunk,sing sang sung,sink sank sunk,
sit sat,sleep slept,slide slid,smell smelt,sow sown,speak spoke spoken,speed sped,spell spelt,spend spent,spill spilt,spin spun,
spoil spoilt,spring sprang sprung,stand stood,steal stole stolen,stick stuck,sting stung,strike struck stricken,strive strove striven,
swear swore sworn,sweep swept,swell swollen,swim swam swum,swing swung,take took taken,teach taught,tear tore torn,tell told,
think thought,throw threw thrown,understand understood,wake woke woken,wear wore worn,weave wove woven,weep wept,win won,
wind wound,withdraw withdrew withdrawn,write wrote written,good better best,bad worse worst,far further furthest,
mouse mice,louse lice,die dice,child children,man men,woman women,tooth teeth,foot feet,goose geese,ox oxen,person people`

/** Irregular spellings, British first. */
const SPELLINGS =
  'kerb curb,gaol jail,pyjamas pajamas,moustache mustache,sceptic skeptic,draught draft,tonne ton'

/**
 * Endings of singular and plural (Quirk et al. 1985, sections 5.81 to 5.95) and of both
 * spellings (Peters 2004).
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/fe?$/, 'ves'],
  [/ves$/, 'f'],
  [/ves$/, 'fe'],
  [/is$/, 'es'],
  [/es$/, 'is'],
  [/[ei]x$/, 'ices'],
  [/ices$/, 'ex'],
  [/ices$/, 'ix'],
  [/(?:on|um)$/, 'a'],
  [/a$/, 'on'],
  [/a$/, 'um'],
  [/us$/, 'i'],
  [/i$/, 'us'],
  [/our/, 'or'],
  [/(?<=..)or/, 'our'],
  [/(?<=[iy])s(?=e|a|ing)/, 'z'],
  [/(?<=[iy])z(?=e|a|ing)/, 's'],
  [/(?<=[bcdgptv])re(?=s?$)/, 'er'],
  [/(?<=[bcdgptv])er(?=s?$)/, 're'],
  [/ogue/, 'og'],
  [/og(?=s?$)/, 'ogue'],
  [/enc(?=e)/, 'ens'],
  [/ens(?=e)/, 'enc'],
  [/ll(?=ed|ing|er|or)/, 'l'],
  [/l(?=ed|ing|er|or)/, 'll'],
  [/[ao]e/, 'e'],
  [/amme/, 'am'],
  [/am(?=s?$)/, 'amme'],
  [/que(?=s?$)/, 'ck'],
  [/ck(?=s?$)/, 'que'],
  [/sulph/, 'sulf'],
  [/sulf/, 'sulph'],
  [/ey(?=s?$)/, 'ay'],
  [/ay(?=s?$)/, 'ey'],
  [/yre(?=s?$)/, 'ire'],
  [/ire(?=s?$)/, 'yre'],
  [/ough(?=s?$)/, 'ow'],
  [/ow(?=s?$)/, 'ough'],
  [/oul(?=d)/, 'ol'],
  [/ol(?=d)/, 'oul'],
  [/ium$/, 'um'],
  [/um$/, 'ium'],
  [/gement/, 'gment'],
  [/gment/, 'gement'],
]

/** Minimum length of a respelled word: short ones become other words. */
const MIN_LETTERS = 4

const GROUPS = readGroups(`${PARADIGMS},${SPELLINGS}`)

function readGroups(lines: string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>()
  for (const line of lines.split(/,\s*/)) {
    const forms = line.split(' ')
    for (const form of forms) groups.set(form, [...(groups.get(form) ?? []), ...forms])
  }
  return groups
}

export function listForms(word: string): readonly string[] {
  const forms = new Set(GROUPS.get(word))
  if (word.length >= MIN_LETTERS)
    for (const [pattern, other] of PATTERNS) forms.add(word.replace(pattern, other))
  forms.delete(word)
  return [...forms]
}

/** Letters that Unicode does not decompose (CLDR Latin-ASCII). */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
}

/** Turns umlauts and their spelling with `e` into the bare vowel, too. */
export function foldLetters(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßøłđðþæœı]/g, letter => LETTERS[letter] ?? letter)
    .replace(/(?<![aeiouq])([aou])e(?![aeiou])/g, '$1')
}
