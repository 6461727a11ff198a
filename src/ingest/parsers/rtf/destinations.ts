/** Where the text of a group goes. */
export type Destination = 'text' | 'marker' | 'fonts' | 'styles' | 'fact' | 'date' | 'nowhere'

/** Groups whose text is kept apart, by the control word that begins them. */
export const DESTINATIONS: Readonly<Record<string, Destination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  title: 'fact',
  author: 'fact',
  creatim: 'date',
  revtim: 'date',
  listtext: 'marker',
  pntext: 'marker',
}

/** Destinations without text of the document. Those marked `\*` that are not known are left out as well. */
export const NOWHERE = new Set(
  'colortbl info pict header headerl headerr headerf footer footerl footerr footerf fldinst ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn xe tc nonesttables shprslt upr shpinst do objdata'.split(
    ' ',
  ),
)

/** What is looked for in destinations that are otherwise left out. */
export const OPENABLE: Readonly<Record<string, ReadonlySet<string>>> = {
  info: new Set(['title', 'author', 'creatim', 'revtim']),
  shpinst: new Set(['shptxt']),
  do: new Set(['dptxbxtext']),
  upr: new Set(['ud']),
}

/** Text that stands beside the text: notes and what is in boxes. */
export const ASIDES = new Set(['footnote', 'shptxt', 'dptxbxtext'])

/** Control words that stand for a character. */
export const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': '\u00a0',
  _: '-',
  '{': '{',
  '}': '}',
  '\\': '\\',
}
